package lifecycle

import (
	"context"
	"fmt"
	"time"
)

// Claim is the right to work on a plan for a time. While it lasts, commands and
// changes of the plan that do not carry its Fence are refused with a
// [*ClaimedError] that names the holder; only [CommandCancel] needs none. When it
// is over, by its time, by [Service.Release] or because another worker has
// claimed the plan since, everything that still carries its Fence is refused. So
// a worker that hangs and wakes up late can do no harm, however long it hung and
// whatever its own clock says.
//
// The time is counted by the database: on PostgreSQL by the server's clock, on
// SQLite by that of the machine, in memory by one that does not jump.
// Config.Clock has no part in it. A clock that jumps can end a claim early or
// late, and never has two workers accepted at once: of two claims one has the
// greater Fence, and only that counts.
type Claim struct {
	PlanID    string
	Holder    string    // as given; in a [Plan] empty if nobody has it since it was released
	Fence     int64     // 1 for the first claim of a plan, one more for each later one
	ExpiresAt time.Time // by the clock of the database
}

// The limits of how long a claim lasts unless it is renewed.
const (
	DefaultClaim = 5 * time.Minute
	LongestClaim = 24 * time.Hour
)

// Request returns a request that carries the claim.
func (c Claim) Request(command Command) Request {
	return Request{PlanID: c.PlanID, Command: command, Fence: c.Fence}
}

// anyFence stands for a caller who needs no claim.
const anyFence = -1

// standing is the fence that a change of the plan has to carry; 0 if the claim is
// over or there was none.
func (c Claim) standing(now time.Time) int64 {
	if c.Holder != "" && c.ExpiresAt.After(now) {
		return c.Fence
	}
	return 0
}

// refuse says why a caller who carries a fence, or 0, may not change the plan
// that is claimed like this; nil if he may.
func (c Claim) refuse(fence int64, now time.Time) error {
	if fence == anyFence || fence == c.standing(now) {
		return nil
	}
	return &ClaimedError{c, fence}
}

// checkClaim refuses a time that a claim cannot last, and fills in the default.
func checkClaim(ttl time.Duration) (time.Duration, error) {
	switch {
	case ttl == 0:
		return DefaultClaim, nil
	case ttl < time.Millisecond || ttl > LongestClaim:
		return 0, invalid("time of a claim", ttl.String(), fmt.Sprintf("is not from 1ms to %v", LongestClaim))
	}
	return ttl, nil
}

// Claim gives the plan to a holder, whose name is for others to read, for a time;
// zero means [DefaultClaim]. Of any number of callers one gets it: the others
// get a [*ClaimedError] that names him. A claim that has expired is taken over.
//
// The error can also match [ErrFinished], [ErrNotFound] or [ErrInvalid].
func (s *Service) Claim(ctx context.Context, planID, holder string, ttl time.Duration) (Claim, error) {
	if err := s.enterPlan(ctx, planID); err != nil {
		return Claim{}, err
	}
	if err := checkRequired("holder", holder); err != nil {
		return Claim{}, err
	}
	if err := checkSize("holder", len(holder)); err != nil {
		return Claim{}, err
	}
	ttl, err := checkClaim(ttl)
	if err != nil {
		return Claim{}, err
	}
	c, err := s.store.claimPlan(ctx, planID, holder, ttl)
	s.forgetPlan(planID)
	if err != nil {
		return Claim{}, err
	}
	s.logger.InfoContext(ctx, "plan claimed", "plan", planID, "holder", holder, "fence", c.Fence)
	return c, nil
}

// Renew makes a claim last for a time from now on; zero means [DefaultClaim].
// What is over cannot be renewed: the error is a [*ClaimedError] that says who
// has the plan. It can also match [ErrNotFound] or [ErrInvalid].
func (s *Service) Renew(ctx context.Context, c Claim, ttl time.Duration) (Claim, error) {
	if err := s.enterPlan(ctx, c.PlanID); err != nil {
		return Claim{}, err
	}
	ttl, err := checkClaim(ttl)
	if err != nil {
		return Claim{}, err
	}
	c, err = s.store.renewClaim(ctx, c, ttl)
	s.forgetPlan(c.PlanID)
	return c, err
}

// Release gives a claim up before its time. Releasing it again, or after its time
// while nobody else has claimed the plan, is no error; otherwise it is a
// [*ClaimedError], or matches [ErrNotFound].
func (s *Service) Release(ctx context.Context, c Claim) error {
	if err := s.enterPlan(ctx, c.PlanID); err != nil {
		return err
	}
	err := s.store.releaseClaim(ctx, c)
	s.forgetPlan(c.PlanID)
	return err
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

// FinishedError says that a plan is in a terminal state, in which nobody works on
// it or changes anything for it.
type FinishedError struct {
	PlanID  string
	Current Position
}

// Error implements error.
func (e *FinishedError) Error() string {
	return fmt.Sprintf("lifecycle: plan %s is finished: it is %s", e.PlanID, e.Current)
}

// Is reports whether target is [ErrFinished].
func (e *FinishedError) Is(target error) bool { return target == ErrFinished }
