package reported

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// changeSchema is the table of the changes of all changesets, in the order in which they were committed.
const changeSchema = `
CREATE TABLE IF NOT EXISTS changes (seq INTEGER PRIMARY KEY, changeset TEXT NOT NULL, operation TEXT NOT NULL, path TEXT NOT NULL)`

// ChangeTable stands for the table of #7731's changesets: a pool of connections to one SQLite file. It knows the
// changeset of a change, but not the plan. Several tables, in one process or in several, may be open on the same file.
//
// Each method is one statement and so one transaction. A ChangeTable is safe for concurrent use. While another connection
// has the file locked, a method tries again, for as long as untilFree does.
type ChangeTable struct {
	db *sql.DB
}

// OpenChangeTable opens the SQLite file at path and creates the file and its schema if necessary.
func OpenChangeTable(ctx context.Context, path string) (*ChangeTable, error) {
	db, err := openFile(ctx, path, changeSchema)
	if err != nil {
		return nil, fmt.Errorf("open change table %s: %w", path, err)
	}
	return &ChangeTable{db}, nil
}

// Close closes the pool.
func (t *ChangeTable) Close() error { return t.db.Close() }

// Insert adds a change to a changeset.
func (t *ChangeTable) Insert(ctx context.Context, changesetID string, entry lifecycle.Entry) error {
	err := untilFree(ctx, func() error {
		_, err := t.db.ExecContext(ctx, "INSERT INTO changes (changeset, operation, path) VALUES (?, ?, ?)",
			changesetID, string(entry.Operation), entry.Path)
		return err
	})
	if err != nil {
		return fmt.Errorf("record %s: %w", entry.Path, err)
	}
	return nil
}

// List reads the changes of a changeset, in the order in which they were committed.
func (t *ChangeTable) List(ctx context.Context, changesetID string) ([]lifecycle.Entry, error) {
	var entries []lifecycle.Entry
	err := untilFree(ctx, func() (err error) {
		entries, err = readEntries(t.db.QueryContext(ctx,
			"SELECT operation, path FROM changes WHERE changeset = ? ORDER BY seq", changesetID))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list changes of %s: %w", changesetID, err)
	}
	return entries, nil
}

func readEntries(rows *sql.Rows, err error) ([]lifecycle.Entry, error) {
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var entries []lifecycle.Entry
	for rows.Next() {
		var e lifecycle.Entry
		if err := rows.Scan(&e.Operation, &e.Path); err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, rows.Err()
}
