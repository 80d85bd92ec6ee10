package reported

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// planSchema has the table of plans, and a table with a row for every committed change of a plan's phase or state, by any
// connection. The trigger runs in the update's transaction, so both are stored or neither.
const planSchema = `
CREATE TABLE IF NOT EXISTS plans (
	id TEXT PRIMARY KEY, action TEXT NOT NULL, phase TEXT NOT NULL, state TEXT NOT NULL, version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS transitions (plan TEXT NOT NULL, phase TEXT NOT NULL, state TEXT NOT NULL);
CREATE TRIGGER IF NOT EXISTS plan_moved AFTER UPDATE OF phase, state ON plans BEGIN
	INSERT INTO transitions (plan, phase, state) VALUES (new.id, new.phase, new.state);
END;`

// PlanTable stands for the unit of work of #7424 and its repository of plans: a pool of connections to one SQLite file. Several
// tables, in one process or in several, may be open on the same file.
//
// Each method is one statement and so one transaction. A PlanTable is safe for concurrent use. While another connection
// has the file locked, a method tries again, for as long as untilFree does.
type PlanTable struct {
	db *sql.DB
}

// OpenPlanTable opens the SQLite file at path and creates the file and its schema if necessary.
func OpenPlanTable(ctx context.Context, path string) (*PlanTable, error) {
	db, err := openFile(ctx, path, planSchema)
	if err != nil {
		return nil, fmt.Errorf("open plan table %s: %w", path, err)
	}
	return &PlanTable{db}, nil
}

// Close closes the pool.
func (t *PlanTable) Close() error { return t.db.Close() }

// Insert adds a plan.
func (t *PlanTable) Insert(ctx context.Context, p *lifecycle.Plan) error {
	return t.exec(ctx, "insert plan "+p.ID, "INSERT INTO plans (id, action, phase, state, version) VALUES (?, ?, ?, ?, ?)",
		p.ID, p.Action.String(), string(p.Phase), string(p.State), p.Version)
}

// Update sets the position and version of a plan, whatever they were before.
func (t *PlanTable) Update(ctx context.Context, p *lifecycle.Plan) error {
	return t.exec(ctx, "update plan "+p.ID, "UPDATE plans SET phase = ?, state = ?, version = ? WHERE id = ?",
		string(p.Phase), string(p.State), p.Version, p.ID)
}

// Get reads one plan. The error for one that does not exist matches [lifecycle.ErrNotFound].
func (t *PlanTable) Get(ctx context.Context, id string) (*lifecycle.Plan, error) {
	plans, err := t.query(ctx, "SELECT id, action, phase, state, version FROM plans WHERE id = ?", id)
	if err != nil {
		return nil, fmt.Errorf("get plan %s: %w", id, err)
	}
	if len(plans) == 0 {
		return nil, &lifecycle.NotFoundError{Kind: lifecycle.KindPlan, ID: id}
	}
	return plans[0], nil
}

// List reads all plans, ordered by identifier.
func (t *PlanTable) List(ctx context.Context) ([]*lifecycle.Plan, error) {
	plans, err := t.query(ctx, "SELECT id, action, phase, state, version FROM plans ORDER BY id")
	if err != nil {
		return nil, fmt.Errorf("list plans: %w", err)
	}
	return plans, nil
}

// CountTransitions returns how often a plan was committed at a position after its insertion.
func (t *PlanTable) CountTransitions(ctx context.Context, id string, to lifecycle.Position) (int, error) {
	var n int
	err := untilFree(ctx, func() error {
		return t.db.QueryRowContext(ctx, "SELECT count(*) FROM transitions WHERE plan = ? AND phase = ? AND state = ?",
			id, string(to.Phase), string(to.State)).Scan(&n)
	})
	if err != nil {
		return 0, fmt.Errorf("count transitions of plan %s to %s: %w", id, to, err)
	}
	return n, nil
}

func (t *PlanTable) exec(ctx context.Context, what, statement string, args ...any) error {
	err := untilFree(ctx, func() error { _, err := t.db.ExecContext(ctx, statement, args...); return err })
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

func (t *PlanTable) query(ctx context.Context, query string, args ...any) ([]*lifecycle.Plan, error) {
	var plans []*lifecycle.Plan
	err := untilFree(ctx, func() (err error) {
		plans, err = readPlans(t.db.QueryContext(ctx, query, args...))
		return err
	})
	return plans, err
}

func readPlans(rows *sql.Rows, err error) ([]*lifecycle.Plan, error) {
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var plans []*lifecycle.Plan
	for rows.Next() {
		var p lifecycle.Plan
		var action string
		if err := rows.Scan(&p.ID, &action, &p.Phase, &p.State, &p.Version); err != nil {
			return nil, err
		}
		if p.Action, err = lifecycle.ParseName(action); err != nil {
			return nil, err
		}
		p.RootID, p.Attempt, p.Name = p.ID, 1, p.Action
		plans = append(plans, &p)
	}
	return plans, rows.Err()
}
