package asreported

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"

	_ "modernc.org/sqlite" // registers the driver "sqlite"
)

// PlanFile is the engine that each component makes for itself on the one database file, with what SQLite is set to when nobody says
// anything (#5456, #3963): a rollback journal, which lets nobody commit while another reads, and no waiting for locks. Only syncing to
// the disk is off, on which nothing turns here. A PlanFile is for one goroutine at a time: the reports are about several engines.
type PlanFile struct {
	db *sql.DB
}

// OpenPlanFile opens the SQLite file at path and makes the file and its schema if need be.
func OpenPlanFile(ctx context.Context, path string) (*PlanFile, error) {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?_pragma=synchronous(off)")
	if err != nil {
		return nil, fmt.Errorf("open plan file %s: %w", path, err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS plans (id TEXT PRIMARY KEY) WITHOUT ROWID"); err != nil {
		return nil, errors.Join(fmt.Errorf("open plan file %s: %w", path, err), db.Close())
	}
	return &PlanFile{db}, nil
}

// Close closes the engine.
func (f *PlanFile) Close() error { return f.db.Close() }

// Insert adds a plan, in a transaction.
func (f *PlanFile) Insert(ctx context.Context, id string) error {
	return f.transaction(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO plans (id) VALUES (?)", id)
		return err
	})
}

// Count counts the plans, in a transaction.
func (f *PlanFile) Count(ctx context.Context) (n int, err error) {
	err = f.transaction(ctx, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, "SELECT count(*) FROM plans").Scan(&n)
	})
	return n, err
}

// transaction is a unit of work: it commits what work does, or rolls it back if work fails.
func (f *PlanFile) transaction(ctx context.Context, work func(*sql.Tx) error) error {
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := work(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
