// Package faults has the errors of lifecycle that are not about plans: invalid input, and failures
// of a database. Package lifecycle documents and re-exports them.
package faults

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The kinds of error; package lifecycle documents each.
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
	Value  string // what was given, shortened to 64 bytes
	Reason string // what is wrong with it
}

// Invalid builds an InvalidError with the value shortened.
func Invalid(field, value, reason string) error {
	return &InvalidError{Field: field, Value: Shorten(value, 64), Reason: reason}
}

// Shorten cuts a text that is longer than limit bytes, and marks the cut.
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

// CheckText refuses text that some database would store differently or not at all: invalid UTF-8
// and NUL.
func CheckText(field, s string) error {
	switch {
	case !utf8.ValidString(s):
		return Invalid(field, strings.ToValidUTF8(s, "\uFFFD"), "is not valid UTF-8")
	case strings.ContainsRune(s, 0):
		return Invalid(field, s, "contains a NUL character")
	}
	return nil
}

// DatabaseError says that a call failed because of its database, or on the way there. Nothing was
// changed, unless the error matches [ErrOutcomeUnknown].
type DatabaseError struct {
	URL  string // without passwords
	Kind error  // the error of this package that it matches; nil if none does
	Err  error  // the driver's or server's error
}

// Error implements error.
func (e *DatabaseError) Error() string {
	if e.Kind == nil {
		return e.URL + ": " + e.Err.Error()
	}
	return e.URL + ": " + e.Kind.Error() + ": " + e.Err.Error()
}

// Unwrap returns Kind, if there is one, and Err.
func (e *DatabaseError) Unwrap() []error {
	if e.Kind == nil {
		return []error{e.Err}
	}
	return []error{e.Kind, e.Err}
}

// In returns err as a DatabaseError of this kind, for the database at a URL without passwords. A
// DatabaseError, a context's error and one that matches ErrClosed are returned unchanged.
func In(url string, kind, err error) error {
	var already *DatabaseError
	if err == nil || errors.As(err, &already) || errors.Is(err, ErrClosed) || EndedByContext(err) {
		return err
	}
	return &DatabaseError{url, kind, err}
}

// EndedByContext reports whether err is a context's error.
func EndedByContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
