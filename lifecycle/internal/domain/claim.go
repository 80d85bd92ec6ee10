package domain

import (
	"fmt"
	"time"
)

// Claim is the right to work on a plan for a time. While it lasts, commands and
// changes of the plan that do not carry its Fence are refused with a
// [*ClaimedError] that names the holder; only [CommandCancel] needs none. When it
// is over, by its time, by a release or because another worker has
// claimed the plan since, everything that still carries its Fence is refused. So
// a worker that hangs and wakes up late can do no harm, however long it hung and
// whatever its own clock says.
//
// The time is counted by the database: on PostgreSQL by the server's clock, on
// SQLite by that of the machine, in memory by one that does not jump.
// The clock of a service has no part in it. A clock that jumps can end a claim early or
// late, and never has two workers accepted at once: of two claims one has the
// greater Fence, and only that counts.
type Claim struct {
	PlanID    string
	Holder    string    // as given; in a [Plan] empty if nobody has it since it was released
	Fence     int64     // 1 for the first claim of a plan, one more for each later one
	ExpiresAt time.Time // by the clock of the database
}

// Request returns a request that carries the claim.
func (c Claim) Request(command Command) Request {
	return Request{PlanID: c.PlanID, Command: command, Fence: c.Fence}
}

// AnyFence stands for a caller who needs no claim.
const AnyFence = -1

// Standing is the fence that a change of the plan has to carry; 0 if the claim is
// over or there was none.
func Standing(c Claim, now time.Time) int64 {
	if c.Holder != "" && c.ExpiresAt.After(now) {
		return c.Fence
	}
	return 0
}

// Refuse says why a caller who carries a fence, or 0, may not change the plan
// that is claimed like this; nil if he may.
func Refuse(c Claim, fence int64, now time.Time) error {
	if fence == AnyFence || fence == Standing(c, now) {
		return nil
	}
	return &ClaimedError{c, fence}
}

// ClaimedError says that a plan is not the caller's to change: somebody else has
// claimed it, or the claim that he carries is over.
type ClaimedError struct {
	Claim Claim // the last one of the plan
	Yours int64 // the fence that the caller carried; 0 for none
}

// Error implements error.
func (e *ClaimedError) Error() string {
	c := e.Claim
	switch {
	case c.Holder == "":
		return fmt.Sprintf("lifecycle: plan %s: claim %d is over: the last one, %d, was released", c.PlanID, e.Yours, c.Fence)
	case e.Yours == c.Fence:
		return fmt.Sprintf("lifecycle: plan %s: claim %d of %q has expired at %s", c.PlanID, c.Fence, c.Holder, c.ExpiresAt.Format(time.RFC3339Nano))
	}
	yours := "there was none"
	if e.Yours != 0 {
		yours = fmt.Sprintf("it was %d", e.Yours)
	}
	return fmt.Sprintf("lifecycle: plan %s is claimed by %q until %s: want claim %d, %s",
		c.PlanID, c.Holder, c.ExpiresAt.Format(time.RFC3339Nano), c.Fence, yours)
}

// Is reports whether target is [ErrClaimed].
func (e *ClaimedError) Is(target error) bool { return target == ErrClaimed }
