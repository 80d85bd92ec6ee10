package subplans

import (
	"context"
	"fmt"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// merge applies the complete subplans, in the given order.
func (e *execution) merge(ctx context.Context) error {
	for _, c := range e.children {
		if c.state != Complete || c.merged {
			continue
		}
		if err := e.mergeOne(ctx, c); err != nil {
			return fmt.Errorf("subplans: merge subplan %q: %w", c.Name, err)
		}
	}
	return nil
}

func (e *execution) mergeOne(ctx context.Context, c *child) error {
	claim, err := e.Service.Claim(ctx, c.plan.ID, e.Holder, e.Lease)
	if err != nil {
		return err
	}
	defer e.release(ctx, claim)
	return e.keeping(ctx, claim, func(ctx context.Context) error {
		if err := e.queueApply(ctx, claim); err != nil {
			return err
		}
		p, err := e.Service.ExecutionContext(c.plan.ID).Under(claim).Apply(ctx, func(ctx context.Context, change lifecycle.Change) error {
			if e.Merge == nil {
				return nil
			}
			return e.Merge(ctx, c.plan, change)
		})
		if err == nil {
			c.plan, c.merged = p, true
		}
		return err
	})
}

// queueApply moves an executed plan to apply/queued, even if an earlier merge was interrupted.
func (e *execution) queueApply(ctx context.Context, claim lifecycle.Claim) error {
	p, err := e.Service.GetPlan(ctx, claim.PlanID)
	for err == nil && p.Position() != (lifecycle.Position{Phase: lifecycle.PhaseApply, State: lifecycle.StateQueued}) {
		r := claim.Request(lifecycle.CommandResume)
		switch {
		case p.Phase == lifecycle.PhaseExecute:
			r.Command = lifecycle.CommandApplyPlan
		case p.State == lifecycle.StateProcessing:
			r.Command, r.Reason = lifecycle.CommandFailApply, abandoned
		}
		p, err = e.Service.Transition(ctx, r)
	}
	return err
}
