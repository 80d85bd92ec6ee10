package lifecycle

import (
	"context"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

// Under returns repositories that carry a claim: they refuse to change its plan once the claim is
// over. Without a claim they refuse to change a claimed plan. A claim never has a negative Fence; one
// that has is taken for none.
func (r Repositories) Under(c Claim) Repositories { return r.under(max(c.Fence, 0)) }

func (r Repositories) under(fence int64) Repositories {
	plans, changesets := *r.Plans, *r.Changesets
	plans.fence, changesets.fence = fence, fence
	r.Plans, r.Changesets = &plans, &changesets
	return r
}

// standing is the SQL expression for the fence that a change of a plan must carry, by the
// database's clock: 0 if no claim is in force.
func standing(s session) string {
	return `CASE WHEN claim_holder <> '' AND claim_expires > ` + s.Now() + ` THEN claim_fence ELSE 0 END`
}

// changeable locks a plan and returns the error for which a caller that carries fence may not
// change it: nil if it may, or if the plan does not exist.
func changeable(ctx context.Context, s session, planID string, fence int64) error {
	if err := lockPlan(ctx, s, planID); err != nil {
		return err
	}
	var (
		c        Claim
		at       Position
		end, now int64
	)
	err := s.Query(ctx, `SELECT phase, state, claim_fence, claim_holder, claim_expires, `+s.Now()+` FROM plans WHERE plan_id = ?`,
		[]any{planID}, func(row row) error { return row.Scan(&at.Phase, &at.State, &c.Fence, &c.Holder, &end, &now) })
	switch {
	case err != nil:
		return fmt.Errorf("lifecycle: plan %s: read its claim: %w", planID, err)
	case at.State == "":
		return nil
	case at.State.Terminal():
		return &FinishedError{planID, at}
	}
	c.ExpiresAt = fromMicro(end)
	return domain.Refuse(planID, c, fence, fromMicro(now))
}

// lockPlan locks the plan's row until the transaction ends, so that others that lock or write it
// wait.
func lockPlan(ctx context.Context, s session, planID string) error {
	lock := s.Dialect().Lock
	if lock == "" {
		return nil
	}
	if err := s.Query(ctx, `SELECT 1 FROM plans WHERE plan_id = ?`+lock, []any{planID}, func(row) error { return nil }); err != nil {
		return fmt.Errorf("lifecycle: plan %s: lock it: %w", planID, err)
	}
	return nil
}

// Claim does what [Service.Claim] does, in the transaction.
func (r *PlanRepository) Claim(ctx context.Context, planID, holder string, ttl time.Duration) (Claim, error) {
	if err := checkHolder(holder); err != nil {
		return Claim{}, err
	}
	ttl, err := checkClaim(ttl)
	if err != nil {
		return Claim{}, err
	}
	changed, p, err := r.claim(ctx, planID, `
		UPDATE plans SET claim_fence = claim_fence + 1, claim_holder = ?, claim_expires = `+r.session.Now()+` + ?
		WHERE plan_id = ? AND state NOT IN ('applied', 'cancelled') AND `+standing(r.session)+` = 0`,
		holder, ttl.Microseconds(), planID)
	switch {
	case err != nil:
		return Claim{}, err
	case changed:
		return p.Claim, nil
	case p.State.Terminal():
		return Claim{}, &FinishedError{planID, p.Position()}
	}
	return Claim{}, domain.NotTheirs(planID, p.Claim, 0)
}

// Renew does what [Service.Renew] does, in the transaction.
func (r *PlanRepository) Renew(ctx context.Context, c Claim, ttl time.Duration) (Claim, error) {
	ttl, err := checkClaim(ttl)
	if err != nil {
		return Claim{}, err
	}
	changed, p, err := r.claim(ctx, c.PlanID, `
		UPDATE plans SET claim_expires = `+r.session.Now()+` + ?
		WHERE plan_id = ? AND claim_fence = ? AND `+standing(r.session)+` <> 0`,
		ttl.Microseconds(), c.PlanID, c.Fence)
	if err == nil && !changed {
		err = domain.NotTheirs(c.PlanID, p.Claim, c.Fence)
	}
	if err != nil {
		return Claim{}, err
	}
	return p.Claim, nil
}

// Release does what [Service.Release] does, in the transaction.
func (r *PlanRepository) Release(ctx context.Context, c Claim) error {
	changed, p, err := r.claim(ctx, c.PlanID, `
		UPDATE plans SET claim_holder = '', claim_expires = 0 WHERE plan_id = ? AND claim_fence = ?`, c.PlanID, c.Fence)
	if err == nil && !changed {
		err = domain.NotTheirs(c.PlanID, p.Claim, c.Fence)
	}
	return err
}

// claim runs an update of a plan's claim, and returns the plan after it.
func (r *PlanRepository) claim(ctx context.Context, planID, update string, args ...any) (changed bool, p Plan, err error) {
	n, err := r.session.Exec(ctx, update, args...)
	if err != nil {
		return false, Plan{}, fmt.Errorf("lifecycle: plan %s: change its claim: %w", planID, err)
	}
	p, err = r.Get(ctx, planID)
	return n == 1, p, err
}
