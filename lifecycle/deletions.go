package lifecycle

import (
	"context"
	"errors"
	"fmt"
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
			return Plan{}, &NotReadyError{id, CommandArchivePlan, held.Position(), []State{StateApplied, StateCancelled}}
		}
		next := held.clone()
		next.Archived, next.Version, next.UpdatedAt = true, held.Version+1, now
		p, swapped, err := s.store.swapPlan(ctx, next, held.Version, anyFence)
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
//
// A plan with subplans is not deleted: these are deleted first, each by itself.
// Nothing else refers to plans. Locks and jobs are the caller's, who alone knows
// which of them are for the plan.
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

// Delete is [Service.DeletePlan], and returns the plan as it was.
func (r *PlanRepository) Delete(ctx context.Context, id string) (Plan, error) {
	if err := lockToDelete(ctx, r.session, KindPlan, `SELECT 1 FROM plans WHERE plan_id = ?`, id); err != nil {
		return Plan{}, err
	}
	if err := changeable(ctx, r.session, id, r.fence); err != nil && !errors.Is(err, ErrFinished) {
		return Plan{}, err
	}
	p, err := r.Get(ctx, id)
	if err == nil {
		err = referred(ctx, r.session, KindPlan, `parent_id`, id)
	}
	if err != nil {
		return Plan{}, err
	}
	for _, statement := range []string{
		`UPDATE plans SET changeset_id = NULL WHERE plan_id = ?`,
		`DELETE FROM changes WHERE changeset_id IN (SELECT changeset_id FROM changesets WHERE plan_id = ?)`,
		`DELETE FROM changesets WHERE plan_id = ?`,
		`DELETE FROM plans WHERE plan_id = ?`,
	} {
		if _, err := r.session.exec(ctx, statement, id); err != nil {
			return Plan{}, fmt.Errorf("lifecycle: delete plan %s: %w", id, err)
		}
	}
	return p, nil
}

// Delete is [Service.DeleteAction].
func (r *ActionRepository) Delete(ctx context.Context, name Name) error {
	err := lockToDelete(ctx, r.session, KindAction, `SELECT 1 FROM actions WHERE name = ?`, name.String())
	if err == nil {
		err = referred(ctx, r.session, KindAction, `action_name`, name.String())
	}
	if err != nil {
		return err
	}
	if _, err := r.session.exec(ctx, `DELETE FROM actions WHERE name = ?`, name.String()); err != nil {
		return fmt.Errorf("lifecycle: delete action %q: %w", name, err)
	}
	return nil
}

// lockToDelete keeps others from referring to a row until the transaction ends.
// The error matches [ErrNotFound] if there is none.
func lockToDelete(ctx context.Context, s session, kind Kind, query, id string) error {
	found := false
	err := s.query(ctx, query+s.dialect().toDelete, []any{id}, func(row) error { found = true; return nil })
	switch {
	case err != nil:
		return fmt.Errorf("lifecycle: delete %s %q: lock it: %w", kind, id, err)
	case !found:
		return &NotFoundError{kind, id}
	}
	return nil
}

// referred returns a ReferredError if plans refer to something by a column.
func referred(ctx context.Context, s session, kind Kind, column, id string) error {
	e := ReferredError{Kind: kind, ID: id}
	err := s.query(ctx, `SELECT count(*), coalesce(min(plan_id), '') FROM plans WHERE `+column+` = ?`, []any{id},
		func(row row) error { return row.Scan(&e.Plans, &e.First) })
	if err != nil {
		return fmt.Errorf("lifecycle: %s %q: look for what refers to it: %w", kind, id, err)
	}
	return e.orNil()
}

func (s *databaseStore) deletePlan(ctx context.Context, id string, fence int64) (p Plan, err error) {
	err = s.database.write(ctx, func(ctx context.Context, se session) error {
		p, err = repositories(se).under(fence).Plans.Delete(ctx, id)
		return err
	})
	return p, err
}

func (s *databaseStore) deleteAction(ctx context.Context, name Name) error {
	return s.database.write(ctx, func(ctx context.Context, se session) error { return repositories(se).Actions.Delete(ctx, name) })
}
