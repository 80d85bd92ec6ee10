package lifecycle

import (
	"context"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

// The limits of how long a claim lasts without being renewed.
const (
	DefaultClaim = 5 * time.Minute
	LongestClaim = 24 * time.Hour
)

// checkFence refuses a number that no claim has.
func checkFence(fence int64) error {
	if fence < 0 {
		return invalid("fence", fmt.Sprint(fence), "is negative")
	}
	return nil
}

// checkHolder refuses a name for a holder that nobody could read.
func checkHolder(holder string) error {
	if err := domain.CheckRequired("holder", holder); err != nil {
		return err
	}
	return domain.CheckSize("holder", len(holder))
}

// checkClaim refuses a ttl outside the limits, and replaces zero by the default.
func checkClaim(ttl time.Duration) (time.Duration, error) {
	switch {
	case ttl == 0:
		return DefaultClaim, nil
	case ttl < time.Millisecond || ttl > LongestClaim:
		return 0, invalid("time of a claim", ttl.String(), fmt.Sprintf("is not from 1ms to %v", LongestClaim))
	}
	return ttl, nil
}

// Claim gives the plan to a holder, a name for others to read, for ttl; zero means [DefaultClaim].
// Of several concurrent callers one gets the claim; the others get a [*ClaimedError] that names its
// holder. A claim that has expired can be taken over.
//
// The error can also match [ErrFinished], [ErrNotFound] or [ErrInvalid].
func (s *Service) Claim(ctx context.Context, planID, holder string, ttl time.Duration) (Claim, error) {
	if err := s.enterPlan(ctx, planID); err != nil {
		return Claim{}, err
	}
	if err := checkHolder(holder); err != nil {
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

// Renew makes a claim last for ttl from now; zero means [DefaultClaim]. A claim that is over cannot
// be renewed: the error is a [*ClaimedError] that says who holds the plan. It can also match
// [ErrNotFound] or [ErrInvalid].
func (s *Service) Renew(ctx context.Context, c Claim, ttl time.Duration) (Claim, error) {
	if err := s.enterPlan(ctx, c.PlanID); err != nil {
		return Claim{}, err
	}
	ttl, err := checkClaim(ttl)
	if err != nil {
		return Claim{}, err
	}
	renewed, err := s.store.renewClaim(ctx, c, ttl)
	s.forgetPlan(c.PlanID)
	return renewed, err
}

// Release ends a claim before its time. Releasing it again, or after it has expired, is no error
// while the plan has not been claimed anew; after that the error is a [*ClaimedError]. It can also
// match [ErrNotFound].
func (s *Service) Release(ctx context.Context, c Claim) error {
	if err := s.enterPlan(ctx, c.PlanID); err != nil {
		return err
	}
	err := s.store.releaseClaim(ctx, c)
	s.forgetPlan(c.PlanID)
	return err
}

// FinishedError says that a plan is in a terminal state, in which it can be neither claimed nor
// changed.
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
