package locks

import (
	"errors"
	"fmt"
	"time"
)

// ErrHeld marks a lock that the caller does not get, or no longer has. The type is [*HeldError].
var ErrHeld = errors.New("lock is held")

// HeldError says that the caller does not hold a resource: another owner does, or the caller's lock
// is over.
type HeldError struct {
	Lock  Lock  // the last lock of the resource
	Yours int64 // the fence that the caller carried; 0 for none
}

// Error implements error.
func (e *HeldError) Error() string {
	l := e.Lock
	until := l.ExpiresAt.Format(time.RFC3339Nano)
	switch {
	case l.Fence == 0:
		return fmt.Sprintf("locks: %s: got lock %d, but it was never locked", l.Resource, e.Yours)
	case l.Owner == "":
		return fmt.Sprintf("locks: %s: lock %d is over: the last one, %d, was released", l.Resource, e.Yours, l.Fence)
	case e.Yours == l.Fence:
		return fmt.Sprintf("locks: %s: lock %d of %q has expired at %s", l.Resource, l.Fence, l.Owner, until)
	}
	yours := "there was none"
	if e.Yours != 0 {
		yours = fmt.Sprintf("it was %d", e.Yours)
	}
	return fmt.Sprintf("locks: %s is held by %q until %s: want lock %d, %s", l.Resource, l.Owner, until, l.Fence, yours)
}

// Is reports whether target is [ErrHeld].
func (e *HeldError) Is(target error) bool { return target == ErrHeld }
