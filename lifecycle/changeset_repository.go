package lifecycle

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// ChangesetRepository reads and writes changesets in a transaction. A constraint of the database
// allows at most one open changeset for each plan.
type ChangesetRepository struct {
	session session
	fence   int64 // of the caller's claim; 0 for none
}

// Start closes the open changeset of a plan and opens a new one. The error
// matches [ErrNotFound] for the plan, [ErrAlreadyExists] for the changeset,
// [ErrClaimed] or [ErrFinished].
func (r *ChangesetRepository) Start(ctx context.Context, planID, id string, at time.Time) error {
	if err := r.lockPlan(ctx, planID); err != nil {
		return err
	}
	_, err := r.session.Exec(ctx,
		`UPDATE changesets SET finished_at = ? WHERE plan_id = ? AND finished_at IS NULL`, at.UnixMicro(), planID)
	if err != nil {
		return fmt.Errorf("lifecycle: plan %s: close the open changeset: %w", planID, err)
	}
	started, err := r.session.Exec(ctx, `
		INSERT INTO changesets (changeset_id, plan_id, started_at)
		SELECT ?, plan_id, CAST(? AS BIGINT) FROM plans WHERE plan_id = ?
		ON CONFLICT (changeset_id) DO NOTHING`, id, at.UnixMicro(), planID)
	switch {
	case err != nil:
		return fmt.Errorf("lifecycle: plan %s: start changeset %s: %w", planID, id, err)
	case started == 0:
		return r.unlessPlanMissing(ctx, planID, &AlreadyExistsError{KindChangeset, id})
	}
	_, err = r.session.Exec(ctx, `UPDATE plans SET changeset_id = ? WHERE plan_id = ?`, id, planID)
	if err != nil {
		return fmt.Errorf("lifecycle: plan %s: name its newest changeset: %w", planID, err)
	}
	return nil
}

// Record adds an entry to the open changeset of a plan and returns the changeset's identifier.
// Finding the open changeset and writing to it are one transaction. The error matches [ErrNotFound]
// for the plan, [ErrNoActiveChangeset], [ErrClaimed] or [ErrFinished].
func (r *ChangesetRepository) Record(ctx context.Context, planID string, e Entry) (string, error) {
	if err := r.lockPlan(ctx, planID); err != nil {
		return "", err
	}
	var id string
	err := r.session.Query(ctx, `SELECT changeset_id FROM changesets WHERE plan_id = ? AND finished_at IS NULL`,
		[]any{planID}, func(row row) error { return row.Scan(&id) })
	switch {
	case err != nil:
		return "", fmt.Errorf("lifecycle: plan %s: find the open changeset: %w", planID, err)
	case id == "":
		return "", r.unlessPlanMissing(ctx, planID, noActiveChangeset(planID))
	}
	_, err = r.session.Exec(ctx, `
		INSERT INTO changes (changeset_id, operation, path, moved_from, before_hash, after_hash, at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`,
		id, e.Operation, e.Path, e.MovedFrom, e.BeforeHash, e.AfterHash, e.At.UnixMicro())
	if err != nil {
		return "", fmt.Errorf("lifecycle: plan %s: record a change: %w", planID, err)
	}
	return id, nil
}

// Finish closes a changeset of a plan, if it is still open. The error matches [ErrNotFound] if the
// plan has no such changeset, or [ErrClaimed].
func (r *ChangesetRepository) Finish(ctx context.Context, planID, id string, at time.Time) error {
	if err := r.lockPlan(ctx, planID); err != nil && !errors.Is(err, ErrFinished) {
		return err
	}
	found, err := r.session.Exec(ctx, `
		UPDATE changesets SET finished_at = coalesce(finished_at, ?) WHERE changeset_id = ? AND plan_id = ?`,
		at.UnixMicro(), id, planID)
	switch {
	case err != nil:
		return fmt.Errorf("lifecycle: plan %s: finish changeset %s: %w", planID, id, err)
	case found == 0:
		return &NotFoundError{KindChangeset, id}
	}
	return nil
}

// List returns the changesets of a plan, oldest first, each with its entries
// in the order in which they were committed. The error matches [ErrNotFound]
// for the plan.
func (r *ChangesetRepository) List(ctx context.Context, planID string) ([]Changeset, error) {
	var all []Changeset
	err := r.session.Query(ctx, `
		SELECT c.changeset_id, c.started_at, c.finished_at,
			e.operation, e.path, e.moved_from, e.before_hash, e.after_hash, e.at
		FROM changesets AS c LEFT JOIN changes AS e ON e.changeset_id = c.changeset_id
		WHERE c.plan_id = ? ORDER BY c.seq, e.seq`, []any{planID},
		func(row row) (err error) {
			all, err = appendChange(all, planID, row)
			return err
		})
	switch {
	case err != nil:
		return nil, fmt.Errorf("lifecycle: plan %s: list changesets: %w", planID, err)
	case len(all) == 0:
		return nil, r.unlessPlanMissing(ctx, planID, nil)
	}
	return all, nil
}

// appendChange adds a row of List to the changesets read so far. A changeset
// without entries is one row without an entry.
func appendChange(all []Changeset, planID string, r row) ([]Changeset, error) {
	var (
		id                                   string
		started                              int64
		finished, at                         sql.NullInt64
		operation, path, from, before, after sql.NullString
	)
	if err := r.Scan(&id, &started, &finished, &operation, &path, &from, &before, &after, &at); err != nil {
		return nil, err
	}
	if len(all) == 0 || all[len(all)-1].ID != id {
		c := Changeset{ID: id, PlanID: planID, StartedAt: fromMicro(started)}
		if finished.Valid {
			c.FinishedAt = fromMicro(finished.Int64)
		}
		all = append(all, c)
	}
	if at.Valid {
		last := &all[len(all)-1]
		last.Entries = append(last.Entries, Entry{
			Operation: Operation(operation.String), Path: path.String, MovedFrom: from.String,
			BeforeHash: before.String, AfterHash: after.String, At: fromMicro(at.Int64),
		})
	}
	return all, nil
}

// lockPlan comes first in every change of a plan's changesets, so that such changes run one after
// another. Otherwise a change could be recorded in a changeset that is being closed, or entries be
// numbered in another order than they commit. It also checks that this caller may change the plan.
func (r *ChangesetRepository) lockPlan(ctx context.Context, planID string) error {
	return changeable(ctx, r.session, planID, r.fence)
}

// unlessPlanMissing returns otherwise, or an error if the plan does not exist.
func (r *ChangesetRepository) unlessPlanMissing(ctx context.Context, planID string, otherwise error) error {
	exists := false
	err := r.session.Query(ctx, `SELECT 1 FROM plans WHERE plan_id = ?`, []any{planID},
		func(row) error { exists = true; return nil })
	switch {
	case err != nil:
		return fmt.Errorf("lifecycle: get plan %s: %w", planID, err)
	case !exists:
		return &NotFoundError{KindPlan, planID}
	}
	return otherwise
}

// noActiveChangeset returns the error for recording without an open changeset.
func noActiveChangeset(planID string) error {
	return fmt.Errorf("lifecycle: plan %s: %w", planID, ErrNoActiveChangeset)
}
