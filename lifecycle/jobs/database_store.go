package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
)

// databaseStore stores each job as a row.
type databaseStore struct{ database statements.Database }

const columns = `job_id, kind, payload, result, state, version, fence, attempt, attempts, cancelling,
	worker, lease_ends, run_after, message, created_at, updated_at`

func (d databaseStore) insert(ctx context.Context, j Job, delay time.Duration) (inserted Job, err error) {
	err = d.database.Write(ctx, func(ctx context.Context, s statements.Session) error {
		n, err := s.Exec(ctx, `
			INSERT INTO jobs (`+columns+`)
			SELECT ?, ?, ?, NULL, 'queued', 1, 0, 0, ?, 0, '', 0, clock.now + ?, '', clock.now, clock.now
			FROM (SELECT `+s.Now()+` AS now) AS clock WHERE TRUE
			ON CONFLICT (job_id) DO NOTHING`, j.ID, j.Kind, blob(j.Payload), j.Attempts, delay.Microseconds())
		switch {
		case err != nil:
			return err
		case n == 0:
			return alreadyExists(j.ID)
		}
		inserted, _, err = read(ctx, s, j.ID)
		return err
	})
	if err != nil {
		return Job{}, failed("submit job "+j.ID, err)
	}
	return inserted, nil
}

// blob returns b as an argument for the drivers: NULL if it is empty.
func blob(b []byte) any {
	if len(b) == 0 {
		return nil
	}
	return b
}

func (d databaseStore) find(ctx context.Context, id string) (j Job, err error) {
	err = d.database.Read(ctx, func(ctx context.Context, s statements.Session) error {
		j, _, err = read(ctx, s, id)
		return err
	})
	if err != nil {
		return Job{}, failed("get job "+id, err)
	}
	return j, nil
}

func (d databaseStore) list(ctx context.Context, state State) (all []Job, err error) {
	err = d.database.Read(ctx, func(ctx context.Context, s statements.Session) error {
		all = nil
		return s.Query(ctx, `SELECT `+columns+`, 0 FROM jobs WHERE state = ? OR ? = '' ORDER BY job_id`, []any{string(state), string(state)},
			func(row statements.Row) error {
				j, _, err := scan(row)
				all = append(all, j)
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("jobs: list jobs: %w", err)
	}
	return all, nil
}

func (d databaseStore) next(ctx context.Context) (id string, ok bool, err error) {
	err = d.database.Read(ctx, func(ctx context.Context, s statements.Session) error {
		ok = false
		return s.Query(ctx, `
			SELECT job_id FROM jobs
			WHERE state = 'queued' AND run_after <= `+s.Now()+` OR state = 'running' AND lease_ends <= `+s.Now()+`
			ORDER BY job_id LIMIT 1`, nil, func(row statements.Row) error {
			ok = true
			return row.Scan(&id)
		})
	})
	if err != nil {
		return "", false, fmt.Errorf("jobs: look for a job: %w", err)
	}
	return id, ok, nil
}

// change reads and swaps in one transaction. On SQLite no other change comes between; on PostgreSQL
// such a change makes the swap find another version.
func (d databaseStore) change(ctx context.Context, id string, decide decision) (j Job, err error) {
	var refused error
	err = d.database.Write(ctx, func(ctx context.Context, s statements.Session) error {
		for swapped := false; !swapped; {
			found, now, err := read(ctx, s, id)
			if err != nil {
				return err
			}
			if j, refused = decided(found, now, decide); refused != nil {
				return refused
			}
			if swapped, err = swap(ctx, s, j, found.version); err != nil {
				return err
			}
		}
		return nil
	})
	switch {
	case refused != nil:
		return Job{}, refused
	case err != nil:
		return Job{}, failed("change job "+id, err)
	}
	return j, nil
}

// failed adds what was to be done to an error of the database. An error for a job that does not
// exist, or exists already, is returned unchanged.
func failed(what string, err error) error {
	if errors.Is(err, lifecycle.ErrNotFound) || errors.Is(err, lifecycle.ErrAlreadyExists) {
		return err
	}
	return fmt.Errorf("jobs: %s: %w", what, err)
}

// swap writes a job if it still has the version held.
func swap(ctx context.Context, s statements.Session, j Job, held int64) (bool, error) {
	n, err := s.Exec(ctx, `
		UPDATE jobs SET result = ?, state = ?, version = ?, fence = ?, attempt = ?, cancelling = ?,
			worker = ?, lease_ends = ?, run_after = ?, message = ?, updated_at = ?
		WHERE job_id = ? AND version = ?`,
		blob(j.Result), string(j.State), j.version, j.Fence, j.Attempt, number(j.Cancelling),
		j.Worker, micro(j.LeaseEnds), micro(j.RunAfter), j.Message, micro(j.UpdatedAt), j.ID, held)
	return n == 1, err
}

// read returns a job and the database's time. The error matches lifecycle.ErrNotFound if there is
// no such job.
func read(ctx context.Context, s statements.Session, id string) (j Job, now time.Time, err error) {
	found := false
	err = s.Query(ctx, `SELECT `+columns+`, `+s.Now()+` FROM jobs WHERE job_id = ?`, []any{id}, func(row statements.Row) (err error) {
		found = true
		j, now, err = scan(row)
		return err
	})
	if err == nil && !found {
		err = &NotFoundError{id}
	}
	return j, now, err
}

func scan(row statements.Row) (j Job, now time.Time, err error) {
	var cancelling, lease, after, created, updated, at int64
	err = row.Scan(&j.ID, &j.Kind, &j.Payload, &j.Result, &j.State, &j.version, &j.Fence, &j.Attempt, &j.Attempts, &cancelling,
		&j.Worker, &lease, &after, &j.Message, &created, &updated, &at)
	j.Cancelling = cancelling != 0
	j.LeaseEnds, j.RunAfter, j.CreatedAt, j.UpdatedAt = fromMicro(lease), fromMicro(after), fromMicro(created), fromMicro(updated)
	return j, fromMicro(at), err
}

func number(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// micro and fromMicro map the zero time to 0 and back.
func micro(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func fromMicro(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}
