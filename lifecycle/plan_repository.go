package lifecycle

import (
	"context"
	"database/sql"
	"fmt"
)

// PlanRepository reads and writes plans in a transaction.
type PlanRepository struct{ session session }

// planColumns are those of a plan but its document.
const planColumns = `plan_id, root_id, parent_id, action_name, changeset_id,
	version, phase, state, created_at, updated_at`

const selectPlans = `SELECT ` + planColumns + `, document FROM plans`

// Insert adds a plan. Its root is taken from its parent, or is the plan itself
// without one; the plan returned has it. The error matches [ErrNotFound] if
// there is no such parent, or [ErrAlreadyExists].
func (r *PlanRepository) Insert(ctx context.Context, p Plan) (Plan, error) {
	p.RootID = p.ID
	if p.ParentID != "" {
		parent, err := r.Get(ctx, p.ParentID)
		if err != nil {
			return Plan{}, err
		}
		p.RootID = parent.RootID
	}
	document, err := encodePlan(p)
	if err != nil {
		return Plan{}, err
	}
	inserted, err := r.session.exec(ctx, `
		INSERT INTO plans (plan_id, root_id, parent_id, action_name, version, phase, state, created_at, updated_at, document)
		VALUES (?, ?, NULLIF(?, ''), ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (plan_id) DO NOTHING`,
		p.ID, p.RootID, p.ParentID, p.Action.String(), p.Version, p.Phase, p.State,
		p.CreatedAt.UnixMicro(), p.UpdatedAt.UnixMicro(), document)
	switch {
	case err != nil:
		return Plan{}, fmt.Errorf("lifecycle: insert plan %s: %w", p.ID, err)
	case inserted == 0:
		return Plan{}, &AlreadyExistsError{KindPlan, p.ID}
	}
	return p, nil
}

// Get returns a plan. The error matches [ErrNotFound] if there is none.
func (r *PlanRepository) Get(ctx context.Context, id string) (Plan, error) {
	found, err := r.list(ctx, selectPlans+` WHERE plan_id = ?`, id)
	switch {
	case err != nil:
		return Plan{}, fmt.Errorf("lifecycle: get plan %s: %w", id, err)
	case len(found) == 0:
		return Plan{}, &NotFoundError{KindPlan, id}
	}
	return found[0], nil
}

// getKnowing is Get for a caller who has the plan as it was at some version:
// its document, which only a new version changes, is not sent again.
func (r *PlanRepository) getKnowing(ctx context.Context, known Plan) (Plan, error) {
	p, found := Plan{}, false
	err := r.session.query(ctx, `
		SELECT `+planColumns+`, CASE WHEN version = ? THEN NULL ELSE document END
		FROM plans WHERE plan_id = ?`, []any{known.Version, known.ID}, func(row row) (err error) {
		found = true
		p, err = scanPlan(row, known)
		return err
	})
	switch {
	case err != nil:
		return Plan{}, fmt.Errorf("lifecycle: get plan %s: %w", known.ID, err)
	case !found:
		return Plan{}, &NotFoundError{KindPlan, known.ID}
	}
	return p, nil
}

// List returns all plans by identifier, which is the order of their making.
func (r *PlanRepository) List(ctx context.Context) ([]Plan, error) {
	all, err := r.list(ctx, selectPlans+` ORDER BY plan_id`)
	if err != nil {
		return nil, fmt.Errorf("lifecycle: list plans: %w", err)
	}
	return all, nil
}

// Swap replaces a plan if it still has the version held: the statement that
// writes is the one that compares. It reports whether it did, and returns the
// plan that is there now. The error matches [ErrNotFound] if there is none.
func (r *PlanRepository) Swap(ctx context.Context, next Plan, held int64) (Plan, bool, error) {
	document, err := encodePlan(next)
	if err != nil {
		return Plan{}, false, err
	}
	changed, err := r.session.exec(ctx, `
		UPDATE plans SET version = ?, phase = ?, state = ?, updated_at = ?, document = ?
		WHERE plan_id = ? AND version = ?`,
		next.Version, next.Phase, next.State, next.UpdatedAt.UnixMicro(), document, next.ID, held)
	if err != nil {
		return Plan{}, false, fmt.Errorf("lifecycle: update plan %s: %w", next.ID, err)
	}
	p, err := r.Get(ctx, next.ID)
	return p, err == nil && changed == 1, err
}

func (r *PlanRepository) list(ctx context.Context, query string, args ...any) ([]Plan, error) {
	var all []Plan
	err := r.session.query(ctx, query, args, func(row row) error {
		p, err := scanPlan(row, Plan{})
		all = append(all, p)
		return err
	})
	return all, err
}

// scanPlan reads a plan. What is in a document that was not sent is taken from
// known.
func scanPlan(r row, known Plan) (Plan, error) {
	var (
		p                           = known
		parent, changeset, document sql.NullString
		action                      string
		created, updated            int64
	)
	err := r.Scan(&p.ID, &p.RootID, &parent, &action, &changeset,
		&p.Version, &p.Phase, &p.State, &created, &updated, &document)
	if err != nil {
		return Plan{}, err
	}
	if p.Action, err = ParseName(action); err != nil {
		return Plan{}, err
	}
	p.ParentID, p.ChangesetID = parent.String, changeset.String
	p.CreatedAt, p.UpdatedAt = fromMicro(created), fromMicro(updated)
	if !document.Valid {
		return p, nil
	}
	return p, decodePlan(document.String, &p)
}
