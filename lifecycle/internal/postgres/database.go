// Package postgres drives a database on a PostgreSQL server for an engine, and the bus between the
// processes that have it open. It knows nothing of what is stored.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// Database is a database on a PostgreSQL server. It implements engine.Database.
//
// Transactions run at READ COMMITTED and lock what they decide on, so each of their statements sees
// the latest committed state, and what they have locked does not change under them. Every writing
// transaction shares an advisory lock, which [Database.Alone] takes exclusively: its caller may
// decide on anything, so nothing may be written meanwhile. The statement batch that begins a
// transaction also takes the lock, in one round trip.
//
// Cancellation. The end of a context aborts the statement under way and closes the connection; the
// server then rolls back. Only during the commit itself does that leave the outcome unknown, which
// is [faults.ErrOutcomeUnknown].
type Database struct {
	url      databases.URL
	schema   engine.Schema
	logger   *slog.Logger
	pool     *pgxpool.Pool
	patience time.Duration // how long one call tries again

	life     context.Context // ends when Close aborts the calls under way
	end      context.CancelFunc
	closing  chan struct{} // closed by Close, to end pauses
	migrator chan struct{} // holds a token while a caller migrates
	migrated atomic.Bool
	tried    atomic.Uint64 // how often a call was tried again
}

var dialect = engine.Dialect{
	Now:  `CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)`,
	True: `(%s::json ->> '%s')::boolean IS TRUE`,
	Lock: ` FOR NO KEY UPDATE`,

	ToDelete: ` FOR UPDATE`,
	ToRefer:  ` FOR KEY SHARE`,
}

// The advisory locks. Their first key marks them as this package's (it is "jaqS" in ASCII), the
// second says which lock, of which schema.
const (
	lockWriters   = "hashtext('jacquard writers ' || current_schema())"
	lockMigration = "hashtext('jacquard migration ' || current_schema())"

	beginShared = "BEGIN; SELECT pg_advisory_xact_lock_shared(1784767827, " + lockWriters + ")"
	beginAlone  = "BEGIN; SELECT pg_advisory_xact_lock(1784767827, " + lockWriters + ")"
)

// Open makes a pool of connections, and tests one.
func Open(ctx context.Context, u databases.URL, cfg engine.Config, schema engine.Schema) (*Database, error) {
	parsed, err := pgxpool.ParseConfig(u.Server)
	if err != nil {
		return nil, err
	}
	if parsed.ConnConfig.ConnectTimeout == 0 && cfg.BusyTimeout > 0 {
		parsed.ConnConfig.ConnectTimeout = cfg.BusyTimeout
	}
	parsed.MaxConns = max(parsed.MaxConns, 2) // migrations need two
	if cfg.RelaxedDurability {
		parsed.ConnConfig.RuntimeParams["synchronous_commit"] = "off"
	}
	pool, err := pgxpool.NewWithConfig(ctx, parsed)
	if err != nil {
		return nil, err
	}
	d := &Database{
		url: u, schema: schema, logger: cfg.Logger, pool: pool, patience: cfg.BusyTimeout,
		closing: make(chan struct{}), migrator: make(chan struct{}, 1),
	}
	d.life, d.end = context.WithCancel(context.Background())
	if err := d.patiently(ctx, func(ctx context.Context) error { return u.Fault(pool.Ping(ctx)) }); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// Read runs f on a connection outside any transaction.
func (d *Database) Read(ctx context.Context, f func(context.Context, engine.Session) error) error {
	if err := d.notInside(ctx); err != nil {
		return err
	}
	return d.patiently(ctx, func(ctx context.Context) error {
		return d.connected(ctx, func(conn *pgxpool.Conn) error {
			return f(ctx, session{conn.Conn(), d.url})
		})
	})
}

// Statement does the same as Write.
func (d *Database) Statement(ctx context.Context, f func(context.Context, engine.Session) error) error {
	return d.Write(ctx, f)
}

// Write runs f in a transaction that shares the writers' lock.
func (d *Database) Write(ctx context.Context, f func(context.Context, engine.Session) error) error {
	if err := d.notInside(ctx); err != nil {
		return err
	}
	return d.patiently(ctx, func(ctx context.Context) error { return d.transaction(ctx, beginShared, f) })
}

// Alone tries to begin for as long as patience lasts, even if f may be called only once.
func (d *Database) Alone(ctx context.Context, again bool, f func(context.Context, engine.Session) error) error {
	if err := d.notInside(ctx); err != nil {
		return err
	}
	if again {
		return d.patiently(ctx, func(ctx context.Context) error { return d.transaction(ctx, beginAlone, f) })
	}
	begun, failure := false, error(nil)
	err := d.patiently(ctx, func(ctx context.Context) error {
		err := d.transaction(ctx, beginAlone, func(ctx context.Context, s engine.Session) error {
			begun = true
			return f(ctx, s)
		})
		if begun { // f must not run again, whatever the error
			failure = err
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	return failure
}

// connected runs f with a connection of the pool. It returns the error of f unchanged.
func (d *Database) connected(ctx context.Context, f func(*pgxpool.Conn) error) error {
	conn, err := d.pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("lifecycle: connect: %w", d.url.Fault(err))
	}
	defer conn.Release()
	return f(conn)
}

// inUse is the context key that marks a caller inside a transaction on a database.
type inUse struct{ *Database }

// notInside refuses a call inside a transaction, which it might wait for.
func (d *Database) notInside(ctx context.Context) error {
	if ctx.Value(inUse{d}) != nil {
		return engine.ErrNested
	}
	return nil
}

// transaction runs f between begin and COMMIT, or ROLLBACK if f fails, panics
// or ends its goroutine, or if ctx ends before the commit.
func (d *Database) transaction(ctx context.Context, begin string, f func(context.Context, engine.Session) error) error {
	return d.connected(ctx, func(conn *pgxpool.Conn) error {
		tx, err := conn.BeginTx(ctx, pgx.TxOptions{BeginQuery: begin})
		if err != nil {
			return fmt.Errorf("lifecycle: begin: %w", d.url.Fault(err))
		}
		committed := false
		defer func() {
			if !committed {
				d.rollback(ctx, tx)
			}
		}()
		if err := f(context.WithValue(ctx, inUse{d}, true), session{conn.Conn(), d.url}); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("lifecycle: rolled back before the commit: %w", err)
		}
		if err := d.url.CommitFault(tx.Commit(ctx)); err != nil {
			return fmt.Errorf("lifecycle: commit: %w", err)
		}
		committed = true
		return nil
	})
}

// rollbackPatience bounds the rollback of a transaction, whose own context may have ended. The pool
// closes a connection whose rollback failed.
const rollbackPatience = time.Second

func (d *Database) rollback(ctx context.Context, tx pgx.Tx) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackPatience)
	defer cancel()
	_ = tx.Rollback(ctx) // the caller reports the error that led here
}

// patiently runs f, and runs it again while the server reports that nothing was changed and a
// repetition may succeed, until patience is used up or ctx ends.
func (d *Database) patiently(ctx context.Context, f func(context.Context) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("lifecycle: wait for %s: %w", d.url.Redacted(), err)
	}
	bounded, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(d.life, cancel)()
	began := time.Now()
	for pause := engine.FirstPause; ; pause = min(2*pause, engine.LongestPause) {
		err := f(bounded)
		left := d.patience - time.Since(began)
		switch {
		case err == nil:
			return nil
		case ctx.Err() == nil && d.ending(err):
			return databases.EngineClosed()
		case left <= 0 || !databases.Repeatable(err):
			return err
		}
		d.tried.Add(1)
		if err := d.pause(ctx, min(pause, left)); err != nil {
			return err
		}
	}
}

// ending reports whether a call failed because the engine closes.
func (d *Database) ending(err error) bool {
	return d.life.Err() != nil && !errors.Is(err, faults.ErrOutcomeUnknown)
}

// pause waits for the duration, the context or Close.
func (d *Database) pause(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("lifecycle: wait for %s: %w", d.url.Redacted(), ctx.Err())
	case <-d.closing:
		return databases.EngineClosed()
	}
}

// Retries implements engine.Database.
func (d *Database) Retries() uint64 { return d.tried.Load() }

// Close waits for calls under way, for at most d.patience, and then aborts the remaining ones.
func (d *Database) Close() error {
	close(d.closing)
	timer := time.AfterFunc(d.patience, d.end)
	defer timer.Stop()
	d.pool.Close()
	d.end()
	return nil
}
