package reported

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

const jobSchema = `CREATE TABLE IF NOT EXISTS jobs (id TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID`

// JobTable stands for the table of #7357's jobs: a pool of connections to one SQLite file. Several tables, in one process or in
// several, may be open on the same file.
//
// Each method is one statement and so one transaction. A JobTable is safe for concurrent use. While another connection
// has the file locked, a method tries again, for as long as untilFree does.
type JobTable struct {
	db *sql.DB
}

// OpenJobTable opens the SQLite file at path and creates the file and its schema if necessary.
func OpenJobTable(ctx context.Context, path string) (*JobTable, error) {
	db, err := openFile(ctx, path, jobSchema)
	if err != nil {
		return nil, fmt.Errorf("open job table %s: %w", path, err)
	}
	return &JobTable{db}, nil
}

// Close closes the pool.
func (t *JobTable) Close() error { return t.db.Close() }

// Insert adds a queued job.
func (t *JobTable) Insert(ctx context.Context, id string) error {
	return t.exec(ctx, "insert job "+id, "INSERT INTO jobs (id, state) VALUES (?, 'queued')", id)
}

// Queued reads the first queued job, and reports whether there is one.
func (t *JobTable) Queued(ctx context.Context) (id string, ok bool, err error) {
	err = untilFree(ctx, func() error {
		return t.db.QueryRowContext(ctx, "SELECT id FROM jobs WHERE state = 'queued' ORDER BY id").Scan(&id)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("list queued jobs: %w", err)
	}
	return id, true, nil
}

// Update sets the state of a job, whatever it was before.
func (t *JobTable) Update(ctx context.Context, id, state string) error {
	return t.exec(ctx, "update job "+id, "UPDATE jobs SET state = ? WHERE id = ?", state, id)
}

func (t *JobTable) exec(ctx context.Context, what, statement string, args ...any) error {
	err := untilFree(ctx, func() error { _, err := t.db.ExecContext(ctx, statement, args...); return err })
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
