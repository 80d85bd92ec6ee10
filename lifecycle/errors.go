package lifecycle

import (
	"errors"
	"fmt"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
	"github.com/jacquard-go/jacquard/lifecycle/internal/events"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// The kinds of error. Every error of this package that a caller can act on matches exactly one of
// them with [errors.Is]; those that carry data also have a type for [errors.As].
var (
	// ErrInvalid marks input that was refused before anything was read or written. The type is
	// [*InvalidError].
	ErrInvalid = faults.ErrInvalid

	// ErrNotFound marks an action, plan or changeset that does not exist.
	// The type is [*NotFoundError].
	ErrNotFound = errors.New("not found")

	// ErrAlreadyExists marks a name or an identifier that is taken.
	// The type is [*AlreadyExistsError].
	ErrAlreadyExists = errors.New("already exists")

	// ErrArchived marks the use of an archived action, whose type is [*ArchivedError], or the
	// archiving of an archived plan.
	ErrArchived = errors.New("archived")

	// ErrInvalidTransition marks a command that the plan's phase or terminal state does not allow.
	// The type is [*InvalidTransitionError].
	ErrInvalidTransition = domain.ErrInvalidTransition

	// ErrNotReady marks a command that the plan's phase allows, but its state does not (yet). The
	// type is [*NotReadyError].
	ErrNotReady = domain.ErrNotReady

	// ErrReversionLimit marks a revert of a plan that has been reverted
	// [MaxReversions] times.
	ErrReversionLimit = domain.ErrReversionLimit

	// ErrConflict marks a transition that lost to a concurrent one. The type is [*ConflictError].
	ErrConflict = errors.New("conflict")

	// ErrClaimed marks a change of a plan by a caller that does not hold, or no longer holds, its
	// claim. The type is [*ClaimedError].
	ErrClaimed = domain.ErrClaimed

	// ErrFinished marks recording a change for a plan in a terminal state, or claiming it. The type
	// is [*FinishedError].
	ErrFinished = errors.New("finished")

	// ErrUnapplied marks the end of an apply with a number of applied changes that the plan cannot
	// have. The type is [*UnappliedError].
	ErrUnapplied = domain.ErrUnapplied

	// ErrReferred marks the deletion of an action or plan to which plans refer. The type is
	// [*ReferredError].
	ErrReferred = errors.New("referred to")

	// ErrNoActiveChangeset marks recording a change for a plan that has no open changeset.
	ErrNoActiveChangeset = errors.New("no active changeset")

	// ErrCursor marks a cursor after which events are missing. The type is [*CursorError].
	ErrCursor = events.ErrCursor

	// ErrUnsupportedURL marks a database URL that no store supports.
	ErrUnsupportedURL = faults.ErrUnsupportedURL

	// ErrBusy marks a database that another connection kept locked for longer than the busy
	// timeout. Nothing was changed; the call may be repeated. The type of this error and the
	// following six is [*DatabaseError].
	ErrBusy = faults.ErrBusy

	// ErrUnavailable marks a database that could not be reached: a server that did not answer, or
	// was shutting down, for longer than the busy timeout; a file that cannot be opened, read or
	// written, or is no longer at its path. Nothing was changed; the call may be repeated.
	ErrUnavailable = faults.ErrUnavailable

	// ErrFull marks a database that has no room left, on the disk or by its own limit. Nothing was
	// changed; reads still work.
	ErrFull = faults.ErrFull

	// ErrReadOnly marks a database that this process may not write, or a standby server. Nothing
	// was changed; reads still work if they can.
	ErrReadOnly = faults.ErrReadOnly

	// ErrCorrupt marks a file that is not a database, or a database with unreadable contents.
	ErrCorrupt = faults.ErrCorrupt

	// ErrNewerSchema marks a database that a newer version of this program
	// has migrated.
	ErrNewerSchema = faults.ErrNewerSchema

	// ErrOutcomeUnknown marks a commit whose answer did not arrive, or whose file was no longer at
	// its path. The change was made as a whole or not at all; read to find out.
	ErrOutcomeUnknown = faults.ErrOutcomeUnknown

	// ErrClosed marks a call on a closed service, engine, bus or unit of work.
	ErrClosed = faults.ErrClosed
)

// Kind says which kind of object a [NotFoundError], an [AlreadyExistsError] or a [ReferredError] is about.
type Kind string

// The kinds of object.
const (
	KindAction    Kind = "action"
	KindPlan      Kind = "plan"
	KindChangeset Kind = "changeset"
)

// InvalidError says which part of the input was refused, and why: Field is a path from the
// argument, such as "arguments[2].pattern", Value is what was given, shortened to 64 bytes, and
// Reason says what is wrong.
type InvalidError = faults.InvalidError

// DatabaseError says that a call failed because of its database, or on the way there. Nothing was
// changed, unless the error matches [ErrOutcomeUnknown]. URL names the database without passwords,
// Kind is the error above that it matches, or nil if none does, and Err is the driver's or server's
// error.
type DatabaseError = faults.DatabaseError

// invalid builds an InvalidError with the value shortened.
func invalid(field, value, reason string) error { return faults.Invalid(field, value, reason) }

// NotFoundError names an object that does not exist.
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

// AlreadyExistsError names an object that exists already. It was left as it was.
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

// ArchivedError says that an action is archived, and cannot be used or archived.
type ArchivedError struct {
	Name Name
	Uses int64 // how often the action was used
}

// Error implements error.
func (e *ArchivedError) Error() string {
	return fmt.Sprintf("lifecycle: action %q is archived (used %d times)", e.Name, e.Uses)
}

// Is reports whether target is [ErrArchived].
func (e *ArchivedError) Is(target error) bool { return target == ErrArchived }

// ConflictError says that a transition was decided on one version of the plan, but the plan had
// another version when it was to be committed. Nothing was changed. The caller may read the plan
// and decide again.
type ConflictError struct {
	PlanID         string
	Command        Command
	Held           Position // the decision was based on this position; zero if the caller gave only a version
	HeldVersion    int64    // the version of Held
	Current        Position // the position it lost to
	CurrentVersion int64    // the version of Current
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
