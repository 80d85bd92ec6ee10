// Package sqlite drives SQLite, a file or a database in memory, for an engine. It knows nothing of
// what is stored.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"sync/atomic"

	"modernc.org/sqlite"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// Database is a database file or an in-memory database. It implements engine.Database.
//
// A file gets three connections, in WAL mode: one that writes; one that reads, and during a write
// sees the state before it; and one that only asks whether anything was committed. Writers take
// turns, and so do readers. A database in memory is one private ":memory:" connection, so that
// nothing outside can share it by accident, and its readers and writers share one turn.
type Database struct {
	url    databases.URL
	schema engine.Schema
	db     *sql.DB

	writer *lane
	reader *lane // the same as writer, if the database is in memory
	prover *lane // see Latest; nil if the database is in memory

	closing  chan struct{} // closed by Close, to end waits for locks
	migrated atomic.Bool   // the schema is known to be current; set in the writer's turn
	writes   atomic.Int64  // how many writer's turns have begun, and one more once closed
	tried    atomic.Uint64 // how often a statement was tried again
}

// dialect is SQLite's. It needs no Lock, because a transaction has the write lock from its start.
var dialect = engine.Dialect{
	Now:  `CAST(unixepoch('subsec') * 1000000 AS INTEGER)`,
	True: `json_extract(%s, '$.%s')`,
}

// Open opens a database with the driver.
func Open(ctx context.Context, u databases.URL, cfg engine.Config, schema engine.Schema) (*Database, error) {
	connector, err := sqlite.NewConnector(dataSource(u))
	if err != nil {
		return nil, err
	}
	d := On(sql.OpenDB(connector), u, cfg, schema)
	for _, l := range d.lanes() {
		if err := l.acquire(ctx); err != nil {
			return nil, errors.Join(err, d.Close())
		}
		l.release()
	}
	return d, nil
}

// On makes the lanes to the database that db opens. It does not connect.
func On(db *sql.DB, u databases.URL, cfg engine.Config, schema engine.Schema) *Database {
	d := &Database{url: u, schema: schema, db: db, closing: make(chan struct{})}
	newLane := func(verify func(context.Context, *lane) error, setup ...string) *lane {
		return &lane{
			url: u, db: db, setup: setup, verify: verify, patience: cfg.BusyTimeout, tried: &d.tried,
			slot: make(chan struct{}, 1), closing: d.closing,
		}
	}
	synchronous := "PRAGMA synchronous = FULL"
	if cfg.RelaxedDurability {
		synchronous = "PRAGMA synchronous = NORMAL"
	}
	d.writer = newLane(d.remigrate, "PRAGMA journal_mode = WAL", synchronous, "PRAGMA foreign_keys = ON")
	d.reader = d.writer
	if !u.InMemory() {
		d.reader = newLane(d.requireSchema, "PRAGMA query_only = ON")
		d.prover = newLane(d.requireSchema, "PRAGMA query_only = ON")
	}
	connections := len(d.lanes())
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return d
}

// dataSource returns the driver's name for a database.
func dataSource(u databases.URL) string {
	if u.InMemory() {
		return databases.InMemory
	}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(u.Path)}).String()
}

// lanes returns the distinct lanes, the writer first.
func (d *Database) lanes() []*lane {
	if d.reader == d.writer {
		return []*lane{d.writer}
	}
	return []*lane{d.writer, d.reader, d.prover}
}

// Read runs f in a reader's turn.
func (d *Database) Read(ctx context.Context, f func(context.Context, engine.Session) error) error {
	if err := d.reader.acquire(ctx); err != nil {
		return err
	}
	defer d.reader.release()
	return f(ctx, d.reader)
}

// turn runs f in a writer's turn. If the file is no longer at its path afterwards, what f has
// committed may be lost.
func (d *Database) turn(ctx context.Context, f func(*lane) error) error {
	if err := d.writer.acquire(ctx); err != nil {
		return err
	}
	defer d.writer.release()
	d.writes.Add(1)
	if err := f(d.writer); err != nil {
		return err
	}
	if err := d.writer.inPlace(); err != nil {
		return fmt.Errorf("lifecycle: after the commit: %w", d.url.Failed(faults.ErrOutcomeUnknown, err))
	}
	return nil
}

// Statement runs f without a transaction: SQLite makes one for each statement.
func (d *Database) Statement(ctx context.Context, f func(context.Context, engine.Session) error) error {
	return d.turn(ctx, func(l *lane) error { return f(ctx, l) })
}

// Write is the same as Alone: a SQLite writer is always alone.
func (d *Database) Write(ctx context.Context, f func(context.Context, engine.Session) error) error {
	return d.Alone(ctx, false, f)
}

// Alone takes the write lock before it runs f, so there is never a reason to run f again.
func (d *Database) Alone(ctx context.Context, _ bool, f func(context.Context, engine.Session) error) error {
	return d.turn(ctx, func(l *lane) error {
		return l.transaction(ctx, func(ctx context.Context) error { return f(ctx, l) })
	})
}

// Retries implements engine.Database.
func (d *Database) Retries() uint64 { return d.tried.Load() }

// Close closes the statements, then the connections, the writer's last, then the pool. It also
// counts a write, so that cached values are no longer current and reads learn that the database is
// closed.
func (d *Database) Close() error {
	close(d.closing)
	lanes := d.lanes()
	for i := len(lanes) - 1; i >= 0; i-- {
		lanes[i].close()
	}
	d.writes.Add(1)
	return d.db.Close()
}
