package lifecycle

import (
	"context"
	"errors"
	"fmt"
)

// Delete does what [Service.DeletePlan] does, and returns the plan as it was.
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
		if _, err := r.session.Exec(ctx, statement, id); err != nil {
			return Plan{}, fmt.Errorf("lifecycle: delete plan %s: %w", id, err)
		}
	}
	return p, nil
}

// Delete does what [Service.DeleteAction] does, in the transaction.
func (r *ActionRepository) Delete(ctx context.Context, name Name) error {
	err := lockToDelete(ctx, r.session, KindAction, `SELECT 1 FROM actions WHERE name = ?`, name.String())
	if err == nil {
		err = referred(ctx, r.session, KindAction, `action_name`, name.String())
	}
	if err != nil {
		return err
	}
	if _, err := r.session.Exec(ctx, `DELETE FROM actions WHERE name = ?`, name.String()); err != nil {
		return fmt.Errorf("lifecycle: delete action %q: %w", name, err)
	}
	return nil
}

// lockToDelete locks a row against new references until the transaction ends. The error matches
// [ErrNotFound] if the row does not exist.
func lockToDelete(ctx context.Context, s session, kind Kind, query, id string) error {
	found := false
	err := s.Query(ctx, query+s.Dialect().ToDelete, []any{id}, func(row) error { found = true; return nil })
	switch {
	case err != nil:
		return fmt.Errorf("lifecycle: delete %s %q: lock it: %w", kind, id, err)
	case !found:
		return &NotFoundError{kind, id}
	}
	return nil
}

// referred returns a ReferredError if column of any plan holds id.
func referred(ctx context.Context, s session, kind Kind, column, id string) error {
	e := ReferredError{Kind: kind, ID: id}
	err := s.Query(ctx, `SELECT count(*), coalesce(min(plan_id), '') FROM plans WHERE `+column+` = ?`, []any{id},
		func(row row) error { return row.Scan(&e.Plans, &e.First) })
	if err != nil {
		return fmt.Errorf("lifecycle: %s %q: look for what refers to it: %w", kind, id, err)
	}
	return e.orNil()
}
