package lifecycle

import (
	"strings"

	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// storable makes of any text one of at most so many bytes that can be stored.
func storable(s string, limit int) string {
	return faults.Shorten(strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "\uFFFD"), limit)
}

// checkRequired is [faults.CheckText] for a field that must not be empty.
func checkRequired(field, s string) error {
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
