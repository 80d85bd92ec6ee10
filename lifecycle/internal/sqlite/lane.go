package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
)

// lane is one database connection, used by one goroutine at a time.
//
// Cancellation. A caller's context is honoured while the caller waits: for the lane, for a lock
// that another process holds, and between the rows of a long result. A statement that has begun is
// completed, under a context that cannot be cancelled. So a write never has an unknown outcome: if
// a call returns the context's error, nothing was changed. It also keeps database/sql and the
// driver from starting a goroutine per statement to watch the context.
//
// Waiting for locks. SQLite's own busy handler sleeps without watching any context, so it is off,
// and a statement that finds the database locked is tried again here, after a pause that a context
// or Close can end.
//
// Faults. A connection that has failed for a reason other than a lock or a full disk is discarded
// at the end of the turn, because it may not notice when the reason is gone. So is one whose file
// is no longer at its path, because its commits would be acknowledged but never seen by others.
type lane struct {
	url      databases.URL
	db       *sql.DB
	setup    []string                           // statements for each new connection
	verify   func(context.Context, *lane) error // checks each new connection after setup
	patience time.Duration                      // how long to wait for locks, per statement

	tried *atomic.Uint64 // how often a statement was tried again

	slot    chan struct{}   // holds a token while the lane is in use
	closing <-chan struct{} // closed when the engine closes

	// Guarded by slot.
	conn     *sql.Conn // nil until first used, and after it was discarded
	stmts    map[string]*sql.Stmt
	counting driver.Stmt // see dataVersion; nil until first used
	file     os.FileInfo // the file that the connection opened; nil in memory
	epoch    int64       // how many connections there have been
	spoiled  bool        // discard the connection at the end of this turn
	closed   bool
}

// inUse is the context key that marks a caller inside a transaction on a connection.
type inUse struct{ *lane }

// acquire waits for the lane, and connects it if necessary.
func (l *lane) acquire(ctx context.Context) error {
	if ctx.Value(inUse{l}) != nil {
		return engine.ErrNested
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("lifecycle: wait for %s: %w", l.url.Redacted(), err)
	}
	select {
	case l.slot <- struct{}{}:
	case <-ctx.Done():
		return fmt.Errorf("lifecycle: wait for %s: %w", l.url.Redacted(), ctx.Err())
	}
	if err := l.ready(ctx); err != nil {
		l.release()
		return err
	}
	return nil
}

// release ends the turn. The connection of an in-memory database is never discarded, because it is
// the database.
func (l *lane) release() {
	if l.spoiled && !l.url.InMemory() && l.conn != nil {
		l.disconnect()
	}
	l.spoiled = false
	<-l.slot
}

// prepare returns a prepared statement; the lane caches each of them.
func (l *lane) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt := l.stmts[query]; stmt != nil {
		return stmt, nil
	}
	stmt, err := l.conn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	l.stmts[query] = stmt
	return stmt, nil
}

// Dialect implements engine.Session.
func (l *lane) Dialect() engine.Dialect { return dialect }

// Now implements statements.Session.
func (l *lane) Now() string { return dialect.Now }

// Exec implements statements.Session. The caller holds the slot.
func (l *lane) Exec(ctx context.Context, query string, args ...any) (changed int64, err error) {
	err = l.patiently(ctx, func(ctx context.Context) error {
		stmt, err := l.prepare(ctx, query)
		if err != nil {
			return err
		}
		result, err := stmt.ExecContext(ctx, args...)
		if err != nil {
			return err
		}
		changed, err = result.RowsAffected()
		return err
	})
	return changed, err
}

// rowsPerCheck is how many rows are read between two checks of the context.
const rowsPerCheck = 64

// Query implements statements.Session. The caller holds the slot.
func (l *lane) Query(ctx context.Context, query string, args []any, scan func(statements.Row) error) error {
	return l.patiently(ctx, func(uncancelled context.Context) error {
		stmt, err := l.prepare(uncancelled, query)
		if err != nil {
			return err
		}
		rows, err := stmt.QueryContext(uncancelled, args...)
		if err != nil {
			return err
		}
		defer rows.Close() // only does something after another error
		n := 0
		for rows.Next() {
			if n++; n%rowsPerCheck == 0 && ctx.Err() != nil {
				return fmt.Errorf("lifecycle: read row %d: %w", n, ctx.Err())
			}
			if err := scan(rows); err != nil {
				return l.url.Failed(faults.ErrCorrupt, err)
			}
		}
		if err := rows.Err(); n > 0 && databases.IsBusy(err) {
			return l.url.Failed(faults.ErrBusy, fmt.Errorf("after %d rows: %v", n, err)) // f must not run again, because rows have been scanned
		}
		return rows.Err()
	})
}

// patiently runs f, and runs it again while the driver reports that the database is locked, until
// patience is used up or ctx ends.
func (l *lane) patiently(ctx context.Context, f func(context.Context) error) error {
	uncancelled := context.WithoutCancel(ctx)
	left := l.patience
	for pause := engine.FirstPause; ; pause = min(2*pause, engine.LongestPause) {
		err := f(uncancelled)
		if !databases.IsBusy(err) {
			return l.fault(err)
		}
		if left <= 0 {
			return l.url.Failed(faults.ErrBusy, fmt.Errorf("waited %v: %w", l.patience, err))
		}
		pause = min(pause, left)
		left -= pause
		l.tried.Add(1)
		if err := l.pause(ctx, pause); err != nil {
			return err
		}
	}
}

// pause waits for d, for the context or for Close.
func (l *lane) pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("lifecycle: wait for a lock on %s: %w", l.url.Redacted(), ctx.Err())
	case <-l.closing:
		return databases.EngineClosed()
	}
}

// transaction runs f between BEGIN IMMEDIATE and COMMIT, or ROLLBACK if f fails, panics or ends its
// goroutine, or if ctx ends before the commit. It takes the write lock at the start, so nothing
// that f reads can change under it, and no statement in f has to wait. The caller holds the slot.
func (l *lane) transaction(ctx context.Context, f func(context.Context) error) error {
	if _, err := l.Exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("lifecycle: begin: %w", err)
	}
	committed := false
	defer func() {
		if !committed {
			l.rollback()
		}
	}()
	if err := f(context.WithValue(ctx, inUse{l}, true)); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("lifecycle: rolled back before the commit: %w", err)
	}
	if _, err := l.Exec(ctx, "COMMIT"); err != nil {
		return fmt.Errorf("lifecycle: commit: %w", err)
	}
	committed = true
	return nil
}

// rollback ends a transaction. SQLite ends some transactions itself, for example when the disk is
// full, and then ROLLBACK fails; a connection that may still be in a transaction is discarded.
func (l *lane) rollback() {
	if _, err := l.Exec(context.Background(), "ROLLBACK"); err != nil {
		l.spoiled = true
	}
}

// close waits for the lane's turn and closes the lane. It is called once.
func (l *lane) close() {
	l.slot <- struct{}{}
	l.closed = true
	if l.conn != nil {
		l.forget()
		_ = l.conn.Close() // back to the pool, which reports the error of closing it
		l.conn = nil
	}
	l.release()
}
