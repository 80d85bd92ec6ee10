package lifecycle

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
)

// sqliteDatabase is a database file or one in memory. Writers take turns, and
// so do readers; in memory there is one turn for both.
type sqliteDatabase struct {
	url databases.URL
	db  *sql.DB

	writer *lane
	reader *lane // the writer too, if the database is in memory
	prover *lane // see latest; nil if the database is in memory

	closing  chan struct{} // closed by close, to end waits for locks
	migrated atomic.Bool   // the schema is known to be current; set in the writer's turn
	writes   atomic.Int64  // turns of the writer that have begun, and one more once closed
	tried    atomic.Uint64 // see retries
}

// sqliteDialect is SQLite's. A transaction has the write lock from its start.
var sqliteDialect = dialect{
	reusable: `json_extract(document, '$.reusable')`,
	now:      `CAST(unixepoch('subsec') * 1000000 AS INTEGER)`,
}

func openSQLite(ctx context.Context, u databases.URL, cfg EnginesConfig) (database, error) {
	connector, err := sqlite.NewConnector(dataSource(u))
	if err != nil {
		return nil, err
	}
	d := newSQLiteDatabase(u, sql.OpenDB(connector), cfg)
	for _, l := range d.lanes() {
		if err := l.acquire(ctx); err != nil {
			return nil, errors.Join(err, d.close())
		}
		l.release()
	}
	return d, nil
}

// newSQLiteDatabase lays the lanes. It does not connect.
func newSQLiteDatabase(u databases.URL, db *sql.DB, cfg EnginesConfig) *sqliteDatabase {
	d := &sqliteDatabase{url: u, db: db, closing: make(chan struct{})}
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
func (d *sqliteDatabase) lanes() []*lane {
	if d.reader == d.writer {
		return []*lane{d.writer}
	}
	return []*lane{d.writer, d.reader, d.prover}
}

// read runs f in the reader's turn.
func (d *sqliteDatabase) read(ctx context.Context, f func(context.Context, session) error) error {
	if err := d.reader.acquire(ctx); err != nil {
		return err
	}
	defer d.reader.release()
	return f(ctx, d.reader)
}

// turn runs f in the writer's turn. What f has committed to a file that is not
// at its path any more may be lost.
func (d *sqliteDatabase) turn(ctx context.Context, f func(*lane) error) error {
	if err := d.writer.acquire(ctx); err != nil {
		return err
	}
	defer d.writer.release()
	d.writes.Add(1)
	if err := f(d.writer); err != nil {
		return err
	}
	if err := d.writer.inPlace(); err != nil {
		return fmt.Errorf("lifecycle: after the commit: %w", d.url.Failed(ErrOutcomeUnknown, err))
	}
	return nil
}

// statement needs no transaction: SQLite gives each statement one.
func (d *sqliteDatabase) statement(ctx context.Context, f func(context.Context, session) error) error {
	return d.turn(ctx, func(l *lane) error { return f(ctx, l) })
}

// write and alone are the same here: whoever writes is alone.
func (d *sqliteDatabase) write(ctx context.Context, f func(context.Context, session) error) error {
	return d.alone(ctx, false, f)
}

// alone waits for the write lock before f is run, so there is no reason to run
// it again.
func (d *sqliteDatabase) alone(ctx context.Context, _ bool, f func(context.Context, session) error) error {
	return d.turn(ctx, func(l *lane) error {
		return l.transaction(ctx, func(ctx context.Context) error { return f(ctx, l) })
	})
}

func (d *sqliteDatabase) retries() uint64 { return d.tried.Load() }

// close closes the statements, then the writer's connection after the others,
// then the pool. What is cached is not current any longer, so that reads are
// told too.
func (d *sqliteDatabase) close() error {
	close(d.closing)
	lanes := d.lanes()
	for i := len(lanes) - 1; i >= 0; i-- {
		lanes[i].close()
	}
	d.writes.Add(1)
	return d.db.Close()
}
