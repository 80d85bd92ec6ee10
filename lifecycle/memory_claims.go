package lifecycle

import (
	"context"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

// changeable returns the error for a caller whose fence does not let it change a plan; nil if it
// may.
func (s *memoryStore) changeable(p *Plan, fence int64) error {
	if p.State.Terminal() {
		return &FinishedError{p.ID, p.Position()}
	}
	return domain.Refuse(p.ID, p.Claim, fence, s.clock.Now())
}

// changeClaim replaces the claim of a plan by change's result.
func (s *memoryStore) changeClaim(planID string, change func(Plan) (Claim, error)) (Claim, error) {
	state, err := s.changePlan(planID, func(found planState) (planState, error) {
		claim, err := change(*found.plan)
		if err != nil {
			return found, err
		}
		plan := domain.Clone(*found.plan)
		plan.Claim = claim
		return planState{plan: &plan, newest: found.newest, told: found.told}, nil
	})
	if err != nil {
		return Claim{}, err
	}
	return state.plan.Claim, nil
}

func (s *memoryStore) claimPlan(_ context.Context, planID, holder string, ttl time.Duration) (Claim, error) {
	return s.changeClaim(planID, func(p Plan) (Claim, error) {
		if err := s.changeable(&p, 0); err != nil {
			return Claim{}, err
		}
		return Claim{PlanID: planID, Holder: holder, Fence: p.Claim.Fence + 1, ExpiresAt: s.clock.Now().Add(ttl)}, nil
	})
}

func (s *memoryStore) renewClaim(_ context.Context, c Claim, ttl time.Duration) (Claim, error) {
	return s.changeClaim(c.PlanID, func(p Plan) (Claim, error) {
		now := s.clock.Now()
		if p.Claim.Fence != c.Fence || domain.Standing(p.Claim, now) == 0 {
			return Claim{}, domain.NotTheirs(p.ID, p.Claim, c.Fence)
		}
		p.Claim.ExpiresAt = now.Add(ttl)
		return p.Claim, nil
	})
}

func (s *memoryStore) releaseClaim(_ context.Context, c Claim) error {
	_, err := s.changeClaim(c.PlanID, func(p Plan) (Claim, error) {
		if p.Claim.Fence != c.Fence {
			return Claim{}, domain.NotTheirs(p.ID, p.Claim, c.Fence)
		}
		p.Claim.Holder, p.Claim.ExpiresAt = "", time.Time{}
		return p.Claim, nil
	})
	return err
}
