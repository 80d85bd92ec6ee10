package reported

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

const lockSchema = `CREATE TABLE IF NOT EXISTS locks (resource TEXT PRIMARY KEY, owner TEXT NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID`

// LockTable stands for the table of #7406's locks: a pool of connections to one SQLite file. Several tables, in one process or in
// several, may be open on the same file.
//
// Each method is one statement and so one transaction. A LockTable is safe for concurrent use. While another connection
// has the file locked, a method tries again, for as long as untilFree does.
type LockTable struct {
	db *sql.DB
}

// OpenLockTable opens the SQLite file at path and creates the file and its schema if necessary.
func OpenLockTable(ctx context.Context, path string) (*LockTable, error) {
	db, err := openFile(ctx, path, lockSchema)
	if err != nil {
		return nil, fmt.Errorf("open lock table %s: %w", path, err)
	}
	return &LockTable{db}, nil
}

// Close closes the pool.
func (t *LockTable) Close() error { return t.db.Close() }

// Get reads the owner of a resource and when the lock expires. ok says whether there is a lock, expired or not.
func (t *LockTable) Get(ctx context.Context, resource string) (owner string, expires time.Time, ok bool, err error) {
	var at int64
	err = untilFree(ctx, func() error {
		return t.db.QueryRowContext(ctx, "SELECT owner, expires_at FROM locks WHERE resource = ?", resource).Scan(&owner, &at)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return "", time.Time{}, false, nil
	}
	if err != nil {
		return "", time.Time{}, false, fmt.Errorf("get lock of %s: %w", resource, err)
	}
	return owner, time.UnixMicro(at).UTC(), true, nil
}

// Insert adds a lock. If there is one already, the database returns an error.
func (t *LockTable) Insert(ctx context.Context, resource, owner string, expires time.Time) error {
	return t.exec(ctx, "insert lock of "+resource, "INSERT INTO locks (owner, expires_at, resource) VALUES (?, ?, ?)", owner, expires.UnixMicro(), resource)
}

// Update sets the owner of a resource, whoever it was before.
func (t *LockTable) Update(ctx context.Context, resource, owner string, expires time.Time) error {
	return t.exec(ctx, "update lock of "+resource, "UPDATE locks SET owner = ?, expires_at = ? WHERE resource = ?", owner, expires.UnixMicro(), resource)
}

// DeleteAll removes the locks of an owner.
func (t *LockTable) DeleteAll(ctx context.Context, owner string) error {
	return t.exec(ctx, "delete locks of "+owner, "DELETE FROM locks WHERE owner = ?", owner)
}

func (t *LockTable) exec(ctx context.Context, what, statement string, args ...any) error {
	err := untilFree(ctx, func() error { _, err := t.db.ExecContext(ctx, statement, args...); return err })
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
