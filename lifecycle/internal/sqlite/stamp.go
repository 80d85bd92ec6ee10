package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
)

// Stamp identifies a state of a database: if two stamps are equal, nothing was committed between
// them.
type Stamp struct {
	epoch   int64 // of the prover's connection: counts of different connections cannot be compared
	version int64
}

// Latest returns the stamp of the latest committed state, at some moment during
// the call.
//
// For a file, the version is SQLite's own count, as one connection sees it, of the commits of all
// other connections, in this process and others. That connection does nothing else, so a long read
// never delays the check that a cached value is current.
//
// In memory there are no other connections, so writer's turns are counted instead, when they begin.
// If none has begun since a value was read, in the turn that readers and writers share, nothing was
// committed since.
func (d *Database) Latest(ctx context.Context) (Stamp, error) {
	if d.prover == nil {
		return Stamp{version: d.writes.Load()}, nil
	}
	if err := d.prover.acquire(ctx); err != nil {
		return Stamp{}, err
	}
	defer d.prover.release()
	version, err := d.prover.dataVersion(ctx)
	if err != nil {
		return Stamp{}, fmt.Errorf("lifecycle: read the data version: %w", err)
	}
	return Stamp{d.prover.epoch, version}, nil
}

// dataVersion asks SQLite for its count of commits. It bypasses database/sql, whose overhead per
// statement is as large as SQLite's cost for this one: two locks of the file's readers, between
// which SQLite compares the header of the WAL index with the copy that it knows. The caller holds
// the slot.
//
// Reading that header here, in the memory that all connections share, would cost nothing. But
// SQLite does not expose it, and opening the file a second time would lose SQLite's locks when it
// is closed: POSIX drops all locks of a process on a file when any descriptor of the file is
// closed.
func (l *lane) dataVersion(ctx context.Context) (version int64, err error) {
	err = l.patiently(ctx, func(ctx context.Context) error {
		return l.conn.Raw(func(conn any) (err error) {
			if l.counting == nil {
				l.counting, err = conn.(driver.ConnPrepareContext).PrepareContext(ctx, "PRAGMA data_version")
				if err != nil {
					return err
				}
			}
			version, err = oneNumber(ctx, l.counting)
			return err
		})
	})
	return version, err
}

// oneNumber runs a statement of the driver that returns one number.
func oneNumber(ctx context.Context, stmt driver.Stmt) (int64, error) {
	rows, err := stmt.(driver.StmtQueryContext).QueryContext(ctx, nil)
	if err != nil {
		return 0, err
	}
	var got [1]driver.Value
	err = rows.Next(got[:])
	n, ok := got[0].(int64)
	if err == nil && !ok {
		err = fmt.Errorf("got %T, want a number", got[0])
	}
	return n, errors.Join(err, rows.Close())
}
