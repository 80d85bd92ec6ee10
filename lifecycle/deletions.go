package lifecycle

import (
	"context"
	"fmt"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

// ArchivePlan puts a finished plan away: it is left out of listings that do not
// ask for it, see [PlanFilter], and stays what it is otherwise. It has a new
// version. Of any number of calls one succeeds: the error of the others matches
// [ErrArchived]. A plan that is not applied or cancelled is not ready for it, the
// error is a [*NotReadyError]; it can also match [ErrNotFound].
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

// DeletePlan deletes a plan, wherever it is, with its changesets, what is recorded
// in them, and its claim: all in one step, after which no call of any service
// finds it. What another one keeps for [Service.Recent] is found there until its
// age is over. Fence is that of the claim under which the caller works; 0 without.
// The event says how the plan was, with the version that would have come next.
//
// A plan with subplans is not deleted: these are deleted first, each by itself.
//
// The error matches [ErrNotFound], [ErrReferred] or [ErrClaimed].
func (s *Service) DeletePlan(ctx context.Context, id string, fence int64) error {
	if err := s.enterPlan(ctx, id); err != nil {
		return err
	}
	if fence < 0 {
		return invalid("fence", fmt.Sprint(fence), "is negative")
	}
	p, err := s.store.deletePlan(ctx, id, fence)
	s.forgetPlan(id)
	if err != nil {
		return err
	}
	from := p.Position()
	p.Version++ // it comes after all that happened to the plan
	s.changed(ctx, CommandDeletePlan, from, p)
	return nil
}

// DeleteAction deletes an action of which there is no plan, available or
// archived. An action that is created with its name afterwards is another one. Of
// any number of calls one succeeds; the others do not find it.
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

// ReferredError says that something cannot be deleted because plans refer to it:
// to an action those that were made from it, to a plan its subplans.
type ReferredError struct {
	Kind  Kind
	ID    string // of what was to be deleted: an action's normalised name, a plan's identifier
	Plans int    // how many plans refer to it
	First string // the one with the least identifier
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
