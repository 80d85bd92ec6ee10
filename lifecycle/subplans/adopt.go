package subplans

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// adopt finds the plans of the subplans, and makes the missing ones.
func (e *execution) adopt(ctx context.Context) error {
	if err := e.find(ctx); err != nil {
		return err
	}
	made := false
	for _, c := range e.children {
		if c.plan.ID != "" {
			continue
		}
		made = true
		options := c.Options
		options.Name, options.ParentID = c.Name, e.Parent.PlanID
		p, err := e.Service.UseAction(ctx, c.Action, options)
		if err != nil {
			return fmt.Errorf("subplans: make subplan %q: %w", c.Name, err)
		}
		c.plan = p
	}
	if made && e.Parent.Fence != 0 {
		return e.certain(ctx)
	}
	return nil
}

// certain checks the parent's claim after plans were made. If another worker has claimed the
// parent, it may have made them too, and one set is superfluous. The holder of the claim finds all
// plans that others made before it got the claim, so all workers find the same plans.
func (e *execution) certain(ctx context.Context) error {
	parent, err := e.Service.GetPlan(ctx, e.Parent.PlanID)
	switch {
	case err != nil:
		return err
	case parent.Claim.Fence != e.Parent.Fence:
		parent.Claim.PlanID = parent.ID // empty if the parent was never claimed
		return &lifecycle.ClaimedError{Claim: parent.Claim, Yours: e.Parent.Fence}
	}
	return e.find(ctx)
}

// find looks for the plans of the subplans. If two have one name, the one that was worked on
// counts, or else the one with the smaller identifier; the other, which a worker made after losing
// the parent's claim, is cancelled. The identifiers alone do not tell which is older: their times
// come from the processes that made them.
func (e *execution) find(ctx context.Context) error {
	plans, err := e.Service.FindPlans(ctx, lifecycle.PlanFilter{ParentID: e.Parent.PlanID, Archived: true})
	if err != nil {
		return err
	}
	byName := make(map[lifecycle.Name]*child)
	for _, c := range e.children {
		byName[c.name] = c
		c.plan = lifecycle.Plan{}
	}
	slices.SortStableFunc(plans, func(a, b lifecycle.Plan) int { return cmp.Compare(untouched(a), untouched(b)) })
	for _, p := range plans {
		c := byName[p.Name]
		switch {
		case c == nil:
		case c.plan.ID == "":
			c.found(p, e.Retries)
		case !p.State.Terminal():
			if _, err := cancelPlan(ctx, e.Service, p.ID, "it was made twice"); err != nil {
				return err
			}
		}
	}
	return nil
}

// untouched returns 1 for a plan that was never claimed, and so never worked on.
func untouched(p lifecycle.Plan) int {
	if p.Claim.Fence == 0 {
		return 1
	}
	return 0
}

// found sets the state of c from its existing plan.
func (c *child) found(p lifecycle.Plan, retries int) {
	c.plan = p
	at := p.Position()
	switch {
	case at.State == lifecycle.StateCancelled:
		c.state = Cancelled
		c.err = fmt.Errorf("subplans: subplan %q is %w: %s", c.Name, ErrCancelled, p.ErrorMessage)
	case at.Phase == lifecycle.PhaseApply, at == executed():
		c.state, c.merged = Complete, at.State == lifecycle.StateApplied
	case at.State == lifecycle.StateErrored && p.ErrorMessage == abandoned: // a take-over was interrupted
	case at.State == lifecycle.StateErrored && p.Attempt > retries:
		c.state = Failed
		c.err = fmt.Errorf("subplans: subplan %q has failed: %s", c.Name, p.ErrorMessage)
	}
}

func executed() lifecycle.Position {
	return lifecycle.Position{Phase: lifecycle.PhaseExecute, State: lifecycle.StateComplete}
}
