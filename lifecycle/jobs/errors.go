package jobs

import (
	"errors"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// The kinds of error that are this package's own.
var (
	// ErrLost marks what somebody says of a job that is not, or no longer, his.
	// The type is [*LostError].
	ErrLost = errors.New("job is not the caller's")

	// ErrFinished marks the cancelling of a job in a terminal state. The type is
	// [*FinishedError].
	ErrFinished = errors.New("job is finished")

	// ErrCancelled is why the context of a handler ends whose job is cancelled.
	ErrCancelled = errors.New("job is cancelled")

	// ErrStopping is why the context of a handler ends whose worker is to stop.
	ErrStopping = errors.New("worker is stopping")
)

// LostError says that a job is somebody else's, or that the claim is over that
// the caller carries.
type LostError struct {
	Job   Job   // as it is
	Yours int64 // the fence that the caller carried
}

// Error implements error.
func (e *LostError) Error() string {
	j := e.Job
	switch {
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

// NotFoundError says that there is no such job.
type NotFoundError struct{ ID string }

// Error implements error.
func (e *NotFoundError) Error() string { return fmt.Sprintf("jobs: job %q not found", e.ID) }

// Is reports whether target is [lifecycle.ErrNotFound].
func (e *NotFoundError) Is(target error) bool { return target == lifecycle.ErrNotFound }
