package subplans

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// The kinds of error that this package adds.
var (
	// ErrTimeout marks an attempt that took too long. The type is
	// [*TimeoutError].
	ErrTimeout = errors.New("timed out")

	// ErrUnknown marks a dependency on a subplan that was not given. The type is [*UnknownError].
	ErrUnknown = errors.New("unknown subplan")

	// ErrCycle marks subplans that depend on one another. The type is [*CycleError].
	ErrCycle = errors.New("dependency cycle")

	// ErrCancelled marks a subplan that was cancelled. The error says why.
	ErrCancelled = errors.New("cancelled")
)

// TimeoutError says that an attempt at a subplan took too long.
type TimeoutError struct {
	Subplan string
	PlanID  string
	Limit   time.Duration
	Err     error // what the work returned after the time-out; may be nil
}

// Error implements error.
func (e *TimeoutError) Error() string {
	text := fmt.Sprintf("subplans: subplan %q (plan %s) timed out: want it done within %v", e.Subplan, e.PlanID, e.Limit)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Is reports whether target is [ErrTimeout].
func (e *TimeoutError) Is(target error) bool { return target == ErrTimeout }

// Unwrap returns the error of the work.
func (e *TimeoutError) Unwrap() error { return e.Err }

// UnknownError says that a subplan depends on one that was not given.
type UnknownError struct {
	Subplan string
	Got     string   // the name it depends on
	Want    []string // the subplans that were given
}

// Error implements error.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("subplans: subplan %q is after %q, which is unknown; want one of %q", e.Subplan, e.Got, e.Want)
}

// Is reports whether target is [ErrUnknown].
func (e *UnknownError) Is(target error) bool { return target == ErrUnknown }

// CycleError says that subplans depend on one another, so that none can start.
type CycleError struct {
	Path []string // each depends on the next; the first and the last are the same
}

// Error implements error.
func (e *CycleError) Error() string {
	return fmt.Sprintf("subplans: got the dependency cycle %s, want none", strings.Join(e.Path, " → "))
}

// Is reports whether target is [ErrCycle].
func (e *CycleError) Is(target error) bool { return target == ErrCycle }

// Error says that some subplans of a plan are not complete.
type Error struct {
	PlanID  string   // the parent
	Results []Result // all of them
}

// Error implements error.
func (e *Error) Error() string {
	count := make(map[State]int)
	var failed []string
	for _, r := range e.Results {
		count[r.State]++
		if r.State == Failed {
			failed = append(failed, fmt.Sprintf("%s: %v", r.Name, r.Err))
		}
	}
	text := fmt.Sprintf("subplans: plan %s: %d of %d subplans are complete, %d failed, %d are cancelled",
		e.PlanID, count[Complete], len(e.Results), count[Failed], count[Cancelled])
	return strings.Join(append([]string{text}, failed...), "; ")
}

// Unwrap returns the errors of the subplans.
func (e *Error) Unwrap() []error {
	var all []error
	for _, r := range e.Results {
		if r.Err != nil {
			all = append(all, r.Err)
		}
	}
	return all
}
