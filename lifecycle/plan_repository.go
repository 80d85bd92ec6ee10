package lifecycle

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

// PlanRepository reads and writes plans in a transaction.
type PlanRepository struct {
	session session
	fence   int64 // of the caller's claim; 0 for none
}

// planColumns are the columns of a plan except its document.
const planColumns = `plan_id, root_id, parent_id, action_name, changeset_id,
	version, phase, state, created_at, updated_at, archived, claim_fence, claim_holder, claim_expires`

const selectPlans = `SELECT ` + planColumns + `, document FROM plans`

// Insert adds a plan. The plan's root is its parent's, or the plan itself without a parent; Insert
// returns the plan with its root. The error matches [ErrNotFound] if there is no such parent, or
// [ErrAlreadyExists].
func (r *PlanRepository) Insert(ctx context.Context, p Plan) (Plan, error) {
	p.RootID = p.ID
	if p.ParentID != "" {
		root, err := r.rootFor(ctx, p.ParentID)
		if err != nil {
			return Plan{}, err
		}
		p.RootID = root
	}
	document, err := domain.EncodePlan(p)
	if err != nil {
		return Plan{}, err
	}
	inserted, err := r.session.Exec(ctx, `
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

// rootFor returns the root of a plan that will be a parent, and protects that plan from deletion
// until the transaction ends.
func (r *PlanRepository) rootFor(ctx context.Context, parentID string) (root string, err error) {
	err = r.session.Query(ctx, `SELECT root_id FROM plans WHERE plan_id = ?`+r.session.Dialect().ToRefer,
		[]any{parentID}, func(row row) error { return row.Scan(&root) })
	switch {
	case err != nil:
		return "", fmt.Errorf("lifecycle: get plan %s: %w", parentID, err)
	case root == "":
		return "", &NotFoundError{KindPlan, parentID}
	}
	return root, nil
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

// getKnowing is Get for a caller that has a version of the plan: the database sends the document,
// which changes only with the version, only if the version differs.
func (r *PlanRepository) getKnowing(ctx context.Context, known Plan) (Plan, error) {
	p, found := Plan{}, false
	err := r.session.Query(ctx, `
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

// List returns the plans that are not archived, ordered by identifier, which is the order of
// creation.
func (r *PlanRepository) List(ctx context.Context) ([]Plan, error) {
	all, err := r.list(ctx, selectPlans+` WHERE archived = 0 ORDER BY plan_id`)
	if err != nil {
		return nil, fmt.Errorf("lifecycle: list plans: %w", err)
	}
	return all, nil
}

// Swap replaces a plan if it still has the version held: the statement that writes also compares,
// both the version and the claim, see [Repositories.Under]. It reports whether it did, and returns
// the plan that is there now. The error matches [ErrNotFound] if there is no such plan, or
// [ErrClaimed]. A terminal state ends the claim. At the end of an apply the error can match
// [ErrUnapplied].
func (r *PlanRepository) Swap(ctx context.Context, next Plan, held int64) (Plan, bool, error) {
	if domain.CountsChanges(&next) {
		p, err := r.settleApplied(ctx, &next, held)
		if err != nil || p.Version != held {
			return p, false, err
		}
	}
	document, err := domain.EncodePlan(next)
	if err != nil {
		return Plan{}, false, err
	}
	end, archived := "", 0
	if next.Archived {
		archived = 1
	}
	if next.State.Terminal() {
		end = `, claim_holder = '', claim_expires = 0`
	}
	for {
		changed, err := r.session.Exec(ctx, `
			UPDATE plans SET version = ?, phase = ?, state = ?, updated_at = ?, archived = ?, document = ?`+end+`
			WHERE plan_id = ? AND version = ? AND CAST(? AS BIGINT) IN (-1, `+standing(r.session)+`)`,
			next.Version, next.Phase, next.State, next.UpdatedAt.UnixMicro(), archived, document, next.ID, held, r.fence)
		if err != nil {
			return Plan{}, false, fmt.Errorf("lifecycle: update plan %s: %w", next.ID, err)
		}
		if changed == 0 {
			err = changeable(ctx, r.session, next.ID, r.fence)
		}
		if err != nil && !errors.Is(err, ErrFinished) { // finished is another version than the one held
			return Plan{}, false, err
		}
		p, err := r.Get(ctx, next.ID)
		if err != nil || changed == 1 || p.Version != held {
			return p, err == nil && changed == 1, err
		}
		// The update was refused because of a claim that has just expired: try again.
	}
}

// settleApplied compares what is applied with what is recorded, and locks the plan against
// recording more. It returns the plan as it is now.
func (r *PlanRepository) settleApplied(ctx context.Context, next *Plan, held int64) (Plan, error) {
	if err := changeable(ctx, r.session, next.ID, r.fence); err != nil && !errors.Is(err, ErrFinished) {
		return Plan{}, err
	}
	p, err := r.Get(ctx, next.ID)
	if err != nil || p.Version != held {
		return p, err
	}
	recorded := 0
	err = r.session.Query(ctx, `
		SELECT count(*) FROM changes WHERE changeset_id IN (SELECT changeset_id FROM changesets WHERE plan_id = ?)`,
		[]any{next.ID}, func(row row) error { return row.Scan(&recorded) })
	if err != nil {
		return Plan{}, fmt.Errorf("lifecycle: plan %s: count its changes: %w", next.ID, err)
	}
	return p, domain.SettleApplied(next, p.Applied, recorded)
}

func (r *PlanRepository) list(ctx context.Context, query string, args ...any) ([]Plan, error) {
	var all []Plan
	err := r.session.Query(ctx, query, args, func(row row) error {
		p, err := scanPlan(row, Plan{})
		all = append(all, p)
		return err
	})
	return all, err
}

// scanPlan reads a plan. If the document was not sent, its fields are taken from known.
func scanPlan(r row, known Plan) (Plan, error) {
	var (
		p                           = known
		parent, changeset, document sql.NullString
		action                      string
		created, updated, expires   int64
		archived                    int
	)
	err := r.Scan(&p.ID, &p.RootID, &parent, &action, &changeset,
		&p.Version, &p.Phase, &p.State, &created, &updated, &archived, &p.Claim.Fence, &p.Claim.Holder, &expires, &document)
	if err != nil {
		return Plan{}, err
	}
	if p.Action, err = ParseName(action); err != nil {
		return Plan{}, err
	}
	p.ParentID, p.ChangesetID = parent.String, changeset.String
	p.Archived = archived != 0
	p.CreatedAt, p.UpdatedAt = fromMicro(created), fromMicro(updated)
	p.Claim.PlanID, p.Claim.ExpiresAt = "", time.Time{}
	if p.Claim.Fence != 0 {
		p.Claim.PlanID = p.ID
	}
	if expires != 0 {
		p.Claim.ExpiresAt = fromMicro(expires)
	}
	if !document.Valid {
		return p, nil
	}
	return p, domain.DecodePlan(document.String, &p)
}
