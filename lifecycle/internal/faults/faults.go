// Package faults has the errors of lifecycle that are not about plans: what input
// is refused, and how a call can fail in its database. lifecycle says of each what
// it means, and shows it under its own name.
package faults

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The kinds of error.
var (
	ErrInvalid        = errors.New("invalid input")
	ErrUnsupportedURL = errors.New("unsupported database URL")
	ErrBusy           = errors.New("database is busy")
	ErrUnavailable    = errors.New("database is unavailable")
	ErrFull           = errors.New("database is full")
	ErrReadOnly       = errors.New("database is read-only")
	ErrCorrupt        = errors.New("database is corrupt")
	ErrNewerSchema    = errors.New("schema is newer than this program")
	ErrOutcomeUnknown = errors.New("outcome unknown")
	ErrClosed         = errors.New("closed")
)

// InvalidError says which part of the input was refused, and why.
type InvalidError struct {
	Field  string // as a path from the argument, such as "arguments[2].pattern"
	Value  string // what was got, shortened to 64 bytes
	Reason string // what was wanted
}

// Invalid builds an InvalidError with the value shortened.
func Invalid(field, value, reason string) error {
	return &InvalidError{Field: field, Value: Shorten(value, 64), Reason: reason}
}

// Shorten cuts a text that is longer than so many bytes, and marks it.
func Shorten(value string, limit int) string {
	if len(value) > limit {
		value = strings.ToValidUTF8(value[:limit], "") + "…"
	}
	return value
}

// Error implements error.
func (e *InvalidError) Error() string {
	return fmt.Sprintf("lifecycle: %s: %q %s", e.Field, e.Value, e.Reason)
}

// Is reports whether target is [ErrInvalid].
func (e *InvalidError) Is(target error) bool { return target == ErrInvalid }

// CheckText refuses what some database would store differently or not at all:
// invalid UTF-8 and NUL.
func CheckText(field, s string) error {
	switch {
	case !utf8.ValidString(s):
		return Invalid(field, strings.ToValidUTF8(s, "\uFFFD"), "is not valid UTF-8")
	case strings.ContainsRune(s, 0):
		return Invalid(field, s, "contains a NUL character")
	}
	return nil
}

// DatabaseError says that a call failed in its database, or on the way there,
// rather than for what it asked, and in which database that was. Nothing was
// changed, unless it matches [ErrOutcomeUnknown].
type DatabaseError struct {
	URL  string // without passwords
	Kind error  // the error of this package that it matches; nil if none does
	Err  error  // what happened, as the driver or the server says it
}

// Error implements error.
func (e *DatabaseError) Error() string {
	if e.Kind == nil {
		return e.URL + ": " + e.Err.Error()
	}
	return e.URL + ": " + e.Kind.Error() + ": " + e.Err.Error()
}

// Unwrap returns the kind, if there is one, and what happened.
func (e *DatabaseError) Unwrap() []error {
	if e.Kind == nil {
		return []error{e.Err}
	}
	return []error{e.Kind, e.Err}
}

// In says that err, of this kind, happened in the database of a URL without
// passwords. An error that says so already, that of a context and that of something
// closed stay as they are.
func In(url string, kind, err error) error {
	var already *DatabaseError
	if err == nil || errors.As(err, &already) || errors.Is(err, ErrClosed) || EndedByContext(err) {
		return err
	}
	return &DatabaseError{url, kind, err}
}

// EndedByContext reports whether err is that of a context.
func EndedByContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
