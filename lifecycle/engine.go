package lifecycle

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"sync/atomic"

	"modernc.org/sqlite"
)

// Engine is the one way of a process to one database. It is made by
// [Engines.Engine] and closed with its Engines.
//
// A database file gets two connections, one that writes and one that reads, in
// WAL mode: readers go on during a write and see the state before it. An
// in-memory database gets one connection, which is the database; a private
// ":memory:" one, so that nothing can share it by accident, and every user of
// the engine shares it on purpose. Each connection is used by one goroutine at
// a time; the others wait for as long as their contexts let them.
//
// An Engine is safe for any number of goroutines.
type Engine struct {
	url    databaseURL
	logger *slog.Logger
	db     *sql.DB

	writer *lane
	reader *lane // the writer too, if the database is in memory

	closing chan struct{} // closed by Close, to end waits for locks
	shut    atomic.Bool   // set by the first Close

	migrated atomic.Bool // the schema is known to be current; set in the writer's turn
	writes   int64       // turns of the writer so far; guarded by its slot
}

// openEngine opens a database. It connects, so that a path that cannot be
// opened or a file that is no database is found out now.
func openEngine(ctx context.Context, u databaseURL, cfg EnginesConfig) (*Engine, error) {
	connector, err := sqlite.NewConnector(dataSource(u))
	if err != nil {
		return nil, fmt.Errorf("lifecycle: open %s: %w", u, err)
	}
	e := newEngine(u, sql.OpenDB(connector), cfg)
	for _, l := range e.lanes() {
		if err := l.acquire(ctx); err != nil {
			return nil, fmt.Errorf("lifecycle: open %s: %w", u, errors.Join(err, e.Close()))
		}
		l.release()
	}
	e.logger.InfoContext(ctx, "database engine opened", "url", u.String())
	return e, nil
}

// newEngine lays the lanes. It does not connect.
func newEngine(u databaseURL, db *sql.DB, cfg EnginesConfig) *Engine {
	e := &Engine{url: u, logger: cfg.Logger, db: db, closing: make(chan struct{})}
	newLane := func(setup ...string) *lane {
		return &lane{
			db: db, setup: setup, keep: u.inMemory(), patience: cfg.BusyTimeout,
			slot: make(chan struct{}, 1), closing: e.closing,
		}
	}
	synchronous := "PRAGMA synchronous = FULL"
	if cfg.RelaxedDurability {
		synchronous = "PRAGMA synchronous = NORMAL"
	}
	e.writer = newLane("PRAGMA journal_mode = WAL", synchronous, "PRAGMA foreign_keys = ON")
	e.reader = e.writer
	if !u.inMemory() {
		e.reader = newLane("PRAGMA query_only = ON")
	}
	connections := len(e.lanes())
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return e
}

// dataSource returns the driver's name for a database.
func dataSource(u databaseURL) string {
	if u.inMemory() {
		return memoryPath
	}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(u.path)}).String()
}

// lanes returns the distinct lanes, the writer first.
func (e *Engine) lanes() []*lane {
	if e.reader == e.writer {
		return []*lane{e.writer}
	}
	return []*lane{e.writer, e.reader}
}

// URL returns the normalised URL of the database.
func (e *Engine) URL() string { return e.url.String() }

// read runs f in the reader's turn.
func (e *Engine) read(ctx context.Context, f func(*lane) error) error {
	if err := e.reader.acquire(ctx); err != nil {
		return err
	}
	defer e.reader.release()
	return f(e.reader)
}

// write runs f in the writer's turn.
func (e *Engine) write(ctx context.Context, f func(*lane) error) error {
	if err := e.writer.acquire(ctx); err != nil {
		return err
	}
	defer e.writer.release()
	e.writes++
	return f(e.writer)
}

// stamp identifies a state of the database as the reader sees it: while two
// stamps are equal, nothing was committed between them.
type stamp struct {
	epoch   int64 // of the reader's connection: versions of two connections cannot be compared
	version int64
}

// stamp returns the stamp of the latest committed state. For a file that is
// SQLite's own count, as one connection sees it, of the commits of all others,
// in this process and elsewhere. In memory there are no others, so the
// writer's turns are counted instead. The caller has the reader's turn.
func (e *Engine) stamp(ctx context.Context) (stamp, error) {
	s := stamp{epoch: e.reader.epoch}
	if e.url.inMemory() {
		s.version = e.writes
		return s, nil
	}
	err := e.reader.query(ctx, "PRAGMA data_version", nil, func(r row) error { return r.Scan(&s.version) })
	if err != nil {
		return stamp{}, fmt.Errorf("lifecycle: read the data version: %w", err)
	}
	return s, nil
}

// Close closes the database: the statements, then the reader, then the writer,
// then the pool. It waits for calls under way, which wait for no lock any
// longer; later ones get [ErrClosed]. A second Close does nothing.
func (e *Engine) Close() error {
	if !e.shut.CompareAndSwap(false, true) {
		return nil
	}
	close(e.closing)
	lanes := e.lanes()
	for i := len(lanes) - 1; i >= 0; i-- {
		lanes[i].close()
	}
	err := e.db.Close()
	e.logger.Info("database engine closed", "url", e.url.String())
	if err != nil {
		return fmt.Errorf("lifecycle: close %s: %w", e.url, err)
	}
	return nil
}
