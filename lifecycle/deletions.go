package lifecycle

import (
	"context"
	"fmt"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

// ArchivePlan archives a finished plan: listings leave it out unless they ask for archived plans,
// see [PlanFilter]. The plan gets a new version and is otherwise unchanged. Of several calls one
// succeeds; the error of the others matches [ErrArchived]. For a plan that is neither applied nor
// cancelled the error is a [*NotReadyError]. It can also match [ErrNotFound].
func (s *Service) ArchivePlan(ctx context.Context, id string) (Plan, error) {
	if err := s.enterPlan(ctx, id); err != nil {
		return Plan{}, err
	}
	for {
		now, err := s.now()
		if err != nil {
			return Plan{}, err
		}
		held, err := s.store.plan(ctx, id)
		switch {
		case err != nil:
			return Plan{}, err
		case held.Archived:
			return Plan{}, fmt.Errorf("lifecycle: plan %s is %w", id, ErrArchived)
		case !held.State.Terminal():
			return Plan{}, &NotReadyError{
				PlanID: id, Command: CommandArchivePlan, Current: held.Position(), Want: []State{StateApplied, StateCancelled},
			}
		}
		next := domain.Clone(held)
		next.Archived, next.Version, next.UpdatedAt = true, held.Version+1, now
		p, swapped, err := s.store.swapPlan(ctx, next, held.Version, domain.AnyFence)
		s.forgetPlan(id)
		switch {
		case err != nil:
			return Plan{}, err
		case swapped:
			s.changed(ctx, CommandArchivePlan, p.Position(), p)
			return p, nil
		}
	}
}

// DeletePlan deletes a plan, in any state, with its changesets, their entries and its claim. All go
// in one step, after which no call of any service finds the plan; only [Service.Recent] of another
// service may still serve a copy, until it is too old. Fence is that of the caller's claim; 0
// without one. The event has the plan's last position, and the version after its last one.
//
// A plan with subplans cannot be deleted before all its subplans are.
//
// The error matches [ErrNotFound], [ErrReferred] or [ErrClaimed].
func (s *Service) DeletePlan(ctx context.Context, id string, fence int64) error {
	if err := s.enterPlan(ctx, id); err != nil {
		return err
	}
	if err := checkFence(fence); err != nil {
		return err
	}
	p, err := s.store.deletePlan(ctx, id, fence)
	s.forgetPlan(id)
	if err != nil {
		return err
	}
	from := p.Position()
	p.Version++ // the deletion comes after all other changes of the plan
	s.changed(ctx, CommandDeletePlan, from, p)
	return nil
}

// DeleteAction deletes an action, available or archived, from which no plan exists. An action that
// is created with its name afterwards is a different action. Of several calls one succeeds; the
// error of the others matches ErrNotFound.
//
// The error matches [ErrInvalid], [ErrNotFound] or [ErrReferred].
func (s *Service) DeleteAction(ctx context.Context, name string) error {
	n, err := s.enterNamed(ctx, name)
	if err != nil {
		return err
	}
	err = s.store.deleteAction(ctx, n)
	s.forgetAction(n)
	if err != nil {
		return err
	}
	s.logger.InfoContext(ctx, "action deleted", "action", n.String())
	return nil
}

// ReferredError says that an action or a plan cannot be deleted because plans refer to it: those
// made from the action, or the plan's subplans.
type ReferredError struct {
	Kind  Kind
	ID    string // of what cannot be deleted: an action's normalised name, a plan's identifier
	Plans int    // how many plans refer to it
	First string // the referring plan with the smallest identifier
}

// Error implements error.
func (e *ReferredError) Error() string {
	return fmt.Sprintf("lifecycle: %s %q is referred to: got %d plans of it, the first is %s, want none", e.Kind, e.ID, e.Plans, e.First)
}

// Is reports whether target is [ErrReferred].
func (e *ReferredError) Is(target error) bool { return target == ErrReferred }

func (e *ReferredError) add(planID string) {
	e.Plans++
	if e.First == "" || planID < e.First {
		e.First = planID
	}
}

func (e *ReferredError) orNil() error {
	if e.Plans == 0 {
		return nil
	}
	return e
}
