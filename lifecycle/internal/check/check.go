// Package check refuses invalid arguments for the packages below lifecycle. Its errors are of the
// type [lifecycle.InvalidError], unless said otherwise.
package check

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// Invalid returns the error for an invalid value.
func Invalid(field, value, reason string) error {
	return &lifecycle.InvalidError{Field: field, Value: value, Reason: reason}
}

// Context returns an error if ctx is nil or has ended; the latter wraps ctx's error and names who,
// the caller.
func Context(ctx context.Context, who string) error {
	if ctx == nil {
		return Invalid("context", "", "is nil")
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: not begun: %w", who, err)
	}
	return nil
}

// Name refuses a name that is empty, longer than most bytes, or not text that every database can
// store.
func Name(field, name string, most int) error {
	switch {
	case name == "":
		return Invalid(field, "", "is empty; want some text")
	case len(name) > most:
		return Invalid(field, fmt.Sprint(len(name), " bytes"), fmt.Sprintf("is too long; want at most %d bytes", most))
	case !utf8.ValidString(name) || strings.ContainsRune(name, 0):
		return Invalid(field, strings.ToValidUTF8(name, "\uFFFD"), "is not valid UTF-8 without NUL")
	}
	return nil
}

// Lasting returns d, or otherwise if d is zero. It refuses a duration outside shortest to longest.
func Lasting(field string, d, otherwise, shortest, longest time.Duration) (time.Duration, error) {
	switch {
	case d == 0:
		return otherwise, nil
	case d < shortest || d > longest:
		return 0, Invalid(field, d.String(), fmt.Sprintf("is not from %v to %v", shortest, longest))
	}
	return d, nil
}
