package lifecycle

import (
	"context"
	"errors"
)

// DatabaseError says that a call failed in its database, or on the way there,
// rather than for what it asked, and in which database that was. Nothing was
// changed, unless it matches [ErrOutcomeUnknown].
type DatabaseError struct {
	URL  string // without passwords
	Kind error  // the sentinel of errors.go that it matches; nil if none does
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

// failed says that err, of this kind, happened in the database. An error that
// says so already, that of a context and that of a closed engine stay as they
// are.
func (u databaseURL) failed(kind, err error) error {
	var already *DatabaseError
	if err == nil || errors.As(err, &already) || errors.Is(err, ErrClosed) || endedByContext(err) {
		return err
	}
	return &DatabaseError{u.redacted(), kind, err}
}

// endedByContext reports whether err is that of a context.
func endedByContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
