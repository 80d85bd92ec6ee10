package lifecycle

import (
	"context"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

// Note describes an error in a part of a plan's work, while the rest of the work continues.
type Note struct {
	PlanID  string
	Fence   int64             // of the caller's claim; 0 without one
	Details map[string]string // by free key; replaces the plan's details under the same keys
}

// AddErrorDetails adds to the error details of a plan. It is one step, so several callers that add
// different details never lose each other's (#9081). The details join those of a failure, and are
// removed when the plan is resumed or reverted. The plan gets a new version and keeps its position.
//
// The error matches [ErrInvalid], [ErrNotFound], [ErrFinished] or [ErrClaimed].
func (s *Service) AddErrorDetails(ctx context.Context, n Note) (Plan, error) {
	if err := s.enter(ctx); err != nil {
		return Plan{}, err
	}
	if err := n.check(); err != nil {
		return Plan{}, err
	}
	for {
		p, swapped, err := s.addErrorDetails(ctx, n)
		if err != nil {
			return Plan{}, err
		}
		if swapped {
			s.changed(ctx, CommandAddErrorDetails, p.Position(), p)
			return p, nil
		}
	}
}

func (n Note) check() error {
	if len(n.Details) == 0 {
		return invalid("details", "", "are empty; want at least one")
	}
	if err := checkFence(n.Fence); err != nil {
		return err
	}
	if err := domain.CheckSize("details", domain.SizeOfMap(n.Details)); err != nil {
		return err
	}
	if err := domain.CheckDetails(n.Details); err != nil {
		return err
	}
	return checkID(KindPlan, n.PlanID)
}

// addErrorDetails tries once, and reports false if another change came first.
func (s *Service) addErrorDetails(ctx context.Context, n Note) (Plan, bool, error) {
	now, err := s.now()
	if err != nil {
		return Plan{}, false, err
	}
	held, err := s.store.plan(ctx, n.PlanID)
	switch {
	case err != nil:
		return Plan{}, false, err
	case held.State.Terminal():
		return Plan{}, false, &FinishedError{held.ID, held.Position()}
	case n.Fence != 0 && n.Fence != held.Claim.Fence:
		return Plan{}, false, domain.NotTheirs(held.ID, held.Claim, n.Fence)
	}
	next := domain.Clone(held)
	next.Version, next.UpdatedAt = held.Version+1, now
	domain.AddDetails(&next, n.Details)
	if err := domain.CheckSize("details", domain.SizeOfMap(next.ErrorDetails)); err != nil {
		return Plan{}, false, err
	}
	p, swapped, err := s.store.swapPlan(ctx, next, held.Version, n.Fence)
	s.forgetPlan(n.PlanID)
	return p, swapped, err
}
