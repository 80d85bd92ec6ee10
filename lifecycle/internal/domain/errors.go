package domain

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// The kinds of error; package lifecycle documents each.
var (
	ErrInvalidTransition = errors.New("invalid transition")
	ErrNotReady          = errors.New("not ready")
	ErrReversionLimit    = errors.New("reversion limit reached")
	ErrClaimed           = errors.New("claimed")
	ErrUnapplied         = errors.New("not applied")
)

// invalid builds an InvalidError with the value shortened.
func invalid(field, value, reason string) error { return faults.Invalid(field, value, reason) }

// InvalidTransitionError says that a plan in this phase, or in this terminal state, does not allow
// the command. Waiting does not help.
type InvalidTransitionError struct {
	PlanID  string
	Command Command
	Current Position // the plan's position
	Target  Position // the position that the command leads to
}

// Error implements error.
func (e *InvalidTransitionError) Error() string {
	return fmt.Sprintf("lifecycle: plan %s: %s: invalid transition from %s to %s",
		e.PlanID, e.Command, e.Current, e.Target)
}

// Is reports whether target is [ErrInvalidTransition].
func (e *InvalidTransitionError) Is(target error) bool { return target == ErrInvalidTransition }

// NotReadyError says that the plan is in the right phase but in the wrong state: another command
// must come first.
type NotReadyError struct {
	PlanID  string
	Command Command
	Current Position // the plan's position
	Want    []State  // the states from which the command is allowed
}

// Error implements error.
func (e *NotReadyError) Error() string {
	want := make([]string, len(e.Want))
	for i, s := range e.Want {
		want[i] = string(s)
	}
	return fmt.Sprintf("lifecycle: plan %s: %s: not ready: is %s, want state %s",
		e.PlanID, e.Command, e.Current, strings.Join(want, " or "))
}

// Is reports whether target is [ErrNotReady].
func (e *NotReadyError) Is(target error) bool { return target == ErrNotReady }
