package jobs

import (
	"errors"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// The kinds of error that this package adds.
var (
	// ErrLost marks a call about a job that the caller does not, or no longer, run. The type is
	// [*LostError].
	ErrLost = errors.New("job is not the caller's")

	// ErrFinished marks the cancelling of a job in a terminal state. The type is
	// [*FinishedError].
	ErrFinished = errors.New("job is finished")

	// ErrCancelled is the cause with which a handler's context ends when its job is cancelled.
	ErrCancelled = errors.New("job is cancelled")

	// ErrStopping is the cause with which a handler's context ends when its worker stops.
	ErrStopping = errors.New("worker is stopping")
)

// LostError says that another worker runs the job, or that the caller's claim is over.
type LostError struct {
	Job   Job   // the job at the time of the call
	Yours int64 // the fence that the caller carried
}

// Error implements error.
func (e *LostError) Error() string {
	j := e.Job
	switch {
	case j.Fence == 0:
		return fmt.Sprintf("jobs: job %s: got claim %d, but it is %s and was never claimed", j.ID, e.Yours, j.State)
	case j.State != Running && j.Worker == "":
		return fmt.Sprintf("jobs: job %s: claim %d is over: it is %s, after claim %d", j.ID, e.Yours, j.State, j.Fence)
	case j.State != Running:
		return fmt.Sprintf("jobs: job %s: claim %d is over: it is %s, by claim %d of %q", j.ID, e.Yours, j.State, j.Fence, j.Worker)
	case j.Fence == e.Yours:
		return fmt.Sprintf("jobs: job %s: claim %d of %q has expired at %s", j.ID, j.Fence, j.Worker, j.LeaseEnds.Format(time.RFC3339Nano))
	}
	return fmt.Sprintf("jobs: job %s is run by %q until %s: want claim %d, it was %d",
		j.ID, j.Worker, j.LeaseEnds.Format(time.RFC3339Nano), j.Fence, e.Yours)
}

// Is reports whether target is [ErrLost].
func (e *LostError) Is(target error) bool { return target == ErrLost }

// FinishedError says that a job is in a terminal state.
type FinishedError struct{ Job Job }

// Error implements error.
func (e *FinishedError) Error() string {
	return fmt.Sprintf("jobs: job %s is finished: it is %s", e.Job.ID, e.Job.State)
}

// Is reports whether target is [ErrFinished].
func (e *FinishedError) Is(target error) bool { return target == ErrFinished }

// NotFoundError says that a job does not exist.
type NotFoundError struct{ ID string }

// Error implements error.
func (e *NotFoundError) Error() string { return fmt.Sprintf("jobs: job %q not found", e.ID) }

// Is reports whether target is [lifecycle.ErrNotFound].
func (e *NotFoundError) Is(target error) bool { return target == lifecycle.ErrNotFound }
