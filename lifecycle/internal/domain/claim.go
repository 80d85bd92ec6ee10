package domain

import (
	"fmt"
	"time"
)

// Claim is the right to work on a plan for a time. While it lasts, commands and changes of the plan
// that do not carry its Fence are refused with a [*ClaimedError] that names the holder; only
// [CommandCancel] needs no claim. Once it is over, because it expired, was released, or another
// worker has claimed the plan since, everything that still carries its Fence is refused. So a
// worker that hangs and wakes up late can do no harm, however long it hung and whatever its own
// clock says.
//
// The database measures the time: on PostgreSQL by the server's clock, on SQLite by the machine's,
// in memory by a clock that does not jump. The clock of a service is never used. A clock that jumps
// can end a claim early or late, but never makes two workers hold the plan at once: of two claims
// one has the greater Fence, and only that one counts.
type Claim struct {
	PlanID    string
	Holder    string    // as given; in a [Plan] empty if it was released and not claimed since
	Fence     int64     // 1 for the first claim of a plan, one more for each later one
	ExpiresAt time.Time // by the clock of the database
}

// Request returns a request that carries the claim.
func (c Claim) Request(command Command) Request {
	return Request{PlanID: c.PlanID, Command: command, Fence: c.Fence}
}

// AnyFence is the fence of a caller that needs no claim.
const AnyFence = -1

// Standing returns the fence that a change of the plan must carry; 0 if there is no claim or it is
// over.
func Standing(c Claim, now time.Time) int64 {
	if c.Holder != "" && c.ExpiresAt.After(now) {
		return c.Fence
	}
	return 0
}

// Refuse returns the error for a caller that carries fence (0 without a claim) and may not change
// the plan with the last claim c; nil if it may.
func Refuse(planID string, c Claim, fence int64, now time.Time) error {
	if fence == AnyFence || fence == Standing(c, now) {
		return nil
	}
	return NotTheirs(planID, c, fence)
}

// NotTheirs returns the error for a caller that carries fence and does not hold the plan.
func NotTheirs(planID string, c Claim, fence int64) *ClaimedError {
	c.PlanID = planID // empty if the plan was never claimed
	return &ClaimedError{c, fence}
}

// ClaimedError says that the caller may not change a plan: another worker has claimed it, or the
// caller's claim is over.
type ClaimedError struct {
	Claim Claim // the plan's last claim
	Yours int64 // the fence that the caller carried; 0 for none
}

// Error implements error.
func (e *ClaimedError) Error() string {
	c := e.Claim
	switch {
	case c.Fence == 0:
		return fmt.Sprintf("lifecycle: plan %s: got claim %d, but the plan was never claimed", c.PlanID, e.Yours)
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
