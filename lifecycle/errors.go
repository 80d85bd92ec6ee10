package lifecycle

import (
	"errors"
	"fmt"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
	"github.com/jacquard-go/jacquard/lifecycle/internal/events"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// The kinds of error. Every error of this package that a caller can act on
// matches exactly one of them with [errors.Is]; those that carry data also
// have a type to be had with [errors.As].
var (
	// ErrInvalid marks input that is refused before anything is read or
	// written. The type is [*InvalidError].
	ErrInvalid = faults.ErrInvalid

	// ErrNotFound marks an action, plan or changeset that does not exist.
	// The type is [*NotFoundError].
	ErrNotFound = errors.New("not found")

	// ErrAlreadyExists marks a name or an identifier that is taken.
	// The type is [*AlreadyExistsError].
	ErrAlreadyExists = errors.New("already exists")

	// ErrArchived marks the use of an action that is no longer available, of
	// which the type is [*ArchivedError], or the archiving of a plan that is archived.
	ErrArchived = errors.New("archived")

	// ErrInvalidTransition marks a command that the plan's phase, or its
	// terminal state, rules out. The type is [*InvalidTransitionError].
	ErrInvalidTransition = domain.ErrInvalidTransition

	// ErrNotReady marks a command that the plan's phase allows and its
	// state does not, or not yet. The type is [*NotReadyError].
	ErrNotReady = domain.ErrNotReady

	// ErrReversionLimit marks a revert of a plan that has been reverted
	// [MaxReversions] times.
	ErrReversionLimit = domain.ErrReversionLimit

	// ErrConflict marks a transition that lost to another one.
	// The type is [*ConflictError].
	ErrConflict = errors.New("conflict")

	// ErrClaimed marks a change of a plan by one who has no claim to it, or not
	// any longer. The type is [*ClaimedError].
	ErrClaimed = domain.ErrClaimed

	// ErrFinished marks a change recorded for, or a claim to, a plan in a
	// terminal state. The type is [*FinishedError].
	ErrFinished = errors.New("finished")

	// ErrUnapplied marks the end of an apply that does not say of the plan's
	// changes which are applied. The type is [*UnappliedError].
	ErrUnapplied = domain.ErrUnapplied

	// ErrReferred marks the deletion of what something else still refers to.
	// The type is [*ReferredError].
	ErrReferred = errors.New("referred to")

	// ErrNoActiveChangeset marks a change recorded for a plan of which no
	// changeset is open.
	ErrNoActiveChangeset = errors.New("no active changeset")

	// ErrCursor marks a cursor of events behind which not all of them are there.
	// The type is [*CursorError].
	ErrCursor = events.ErrCursor

	// ErrUnsupportedURL marks a database URL that no store understands.
	ErrUnsupportedURL = faults.ErrUnsupportedURL

	// ErrBusy marks a database that another connection kept locked for longer
	// than the busy timeout. Nothing was changed; the call may be repeated.
	// The type of this and the following six is [*DatabaseError].
	ErrBusy = faults.ErrBusy

	// ErrUnavailable marks a database that could not be reached: a server that
	// did not answer, or was shutting down, for longer than the busy timeout; a
	// file that cannot be opened, read or written, or is not at its path any
	// more. Nothing was changed; the call may be repeated.
	ErrUnavailable = faults.ErrUnavailable

	// ErrFull marks a database that has no room left, on the disk or by its
	// own limit. Nothing was changed; reads go on.
	ErrFull = faults.ErrFull

	// ErrReadOnly marks a database that this process may not write, or a
	// server that is a standby. Nothing was changed; reads go on if they can.
	ErrReadOnly = faults.ErrReadOnly

	// ErrCorrupt marks a file that is no database, or a database that holds
	// what cannot be read.
	ErrCorrupt = faults.ErrCorrupt

	// ErrNewerSchema marks a database that a newer version of this program
	// has migrated.
	ErrNewerSchema = faults.ErrNewerSchema

	// ErrOutcomeUnknown marks a commit whose answer did not arrive, or whose
	// file was not at its path any more: what the call was to change has
	// changed as a whole or not at all. Reading tells.
	ErrOutcomeUnknown = faults.ErrOutcomeUnknown

	// ErrClosed marks a call on something that has been closed.
	ErrClosed = faults.ErrClosed
)

// Kind says what a [NotFoundError], an [AlreadyExistsError] or a [ReferredError] is about.
type Kind string

// The kinds of thing that can be missing or taken.
const (
	KindAction    Kind = "action"
	KindPlan      Kind = "plan"
	KindChangeset Kind = "changeset"
)

// InvalidError says which part of the input was refused, and why: Field is a path
// from the argument, such as "arguments[2].pattern", Value what was got, shortened
// to 64 bytes, and Reason what was wanted.
type InvalidError = faults.InvalidError

// DatabaseError says that a call failed in its database, or on the way there,
// rather than for what it asked, and in which database that was. Nothing was
// changed, unless it matches [ErrOutcomeUnknown]. URL is without passwords, Kind the
// error above that it matches, or nil if none does, and Err what happened, as the
// driver or the server says it.
type DatabaseError = faults.DatabaseError

// invalid builds an InvalidError with the value shortened.
func invalid(field, value, reason string) error { return faults.Invalid(field, value, reason) }

// NotFoundError says what does not exist.
type NotFoundError struct {
	Kind Kind
	ID   string // an action's normalised name, a plan's or changeset's identifier
}

// Error implements error.
func (e *NotFoundError) Error() string {
	return fmt.Sprintf("lifecycle: %s %q not found", e.Kind, faults.Shorten(e.ID, 512))
}

// Is reports whether target is [ErrNotFound].
func (e *NotFoundError) Is(target error) bool { return target == ErrNotFound }

// AlreadyExistsError says which name or identifier is taken. What it names was
// left as it was.
type AlreadyExistsError struct {
	Kind Kind
	ID   string // an action's normalised name, a plan's or changeset's identifier
}

// Error implements error.
func (e *AlreadyExistsError) Error() string {
	return fmt.Sprintf("lifecycle: %s %q already exists", e.Kind, e.ID)
}

// Is reports whether target is [ErrAlreadyExists].
func (e *AlreadyExistsError) Is(target error) bool { return target == ErrAlreadyExists }

// ArchivedError says that an action may not be used or archived any more.
type ArchivedError struct {
	Name Name
	Uses int64 // how often the action had been used
}

// Error implements error.
func (e *ArchivedError) Error() string {
	return fmt.Sprintf("lifecycle: action %q is archived (used %d times)", e.Name, e.Uses)
}

// Is reports whether target is [ErrArchived].
func (e *ArchivedError) Is(target error) bool { return target == ErrArchived }

// ConflictError says that a transition was decided on one version of the plan
// and found another one when it was to be committed. Nothing was changed. The
// caller may read the plan and decide again.
type ConflictError struct {
	PlanID         string
	Command        Command
	Held           Position // what the decision was based on; zero if the caller gave only a version
	HeldVersion    int64    // the version of it
	Current        Position // what it lost to
	CurrentVersion int64    // the version of it
}

// Error implements error.
func (e *ConflictError) Error() string {
	held := "version"
	if e.Held != (Position{}) {
		held = e.Held.String() + " version"
	}
	return fmt.Sprintf("lifecycle: plan %s: %s: conflict: held %s %d, lost to %s version %d",
		e.PlanID, e.Command, held, e.HeldVersion, e.Current, e.CurrentVersion)
}

// Is reports whether target is [ErrConflict].
func (e *ConflictError) Is(target error) bool { return target == ErrConflict }
