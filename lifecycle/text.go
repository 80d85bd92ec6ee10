package lifecycle

import (
	"strings"
	"unicode/utf8"
)

// checkText refuses what some database would store differently or not at all:
// invalid UTF-8 and NUL. See MaxText for the length.
func checkText(field, s string) error {
	switch {
	case !utf8.ValidString(s):
		return invalid(field, strings.ToValidUTF8(s, "\uFFFD"), "is not valid UTF-8")
	case strings.ContainsRune(s, 0):
		return invalid(field, s, "contains a NUL character")
	}
	return nil
}

// storable makes of any text one of at most so many bytes that can be stored.
func storable(s string, limit int) string {
	return shorten(strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "\uFFFD"), limit)
}

// checkRequired is checkText for a field that must not be empty.
func checkRequired(field, s string) error {
	if s == "" {
		return invalid(field, s, "is empty; want some text")
	}
	return checkText(field, s)
}

// text is a named piece of input to be checked.
type text struct {
	field string
	value string
}

// checkTexts returns the first error of checkText.
func checkTexts(all ...text) error {
	for _, t := range all {
		if err := checkText(t.field, t.value); err != nil {
			return err
		}
	}
	return nil
}
