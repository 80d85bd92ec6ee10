package domain

import "github.com/jacquard-go/jacquard/lifecycle/internal/faults"

// CheckRequired is [faults.CheckText] for a field that must not be empty.
func CheckRequired(field, s string) error {
	if s == "" {
		return invalid(field, s, "is empty; want some text")
	}
	return faults.CheckText(field, s)
}

// text is a named piece of input to be checked.
type text struct {
	field string
	value string
}

// checkTexts returns the first error of [faults.CheckText]. See MaxText for the length.
func checkTexts(all ...text) error {
	for _, t := range all {
		if err := faults.CheckText(t.field, t.value); err != nil {
			return err
		}
	}
	return nil
}

// CheckDetails is checkTexts for the details of an error.
func CheckDetails(details map[string]string) error {
	for key, value := range details {
		if err := checkTexts(text{"details", key}, text{"details", value}); err != nil {
			return err
		}
	}
	return nil
}
