package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
)

// Engine is the one way of a process to one database. It is made by
// [Engines.Engine] and closed with its Engines.
//
// A SQLite file gets three connections, in WAL mode: one that writes, one that
// reads, also during a write and then the state before it, and one that only
// asks whether anything was committed. An
// in-memory database gets one connection, which is the database; a private
// ":memory:" one, so that nothing can share it by accident, and every user of
// the engine shares it on purpose. PostgreSQL gets a pool. Each connection is
// used by one goroutine at a time; the others wait for as long as their
// contexts let them.
//
// An Engine is safe for any number of goroutines.
type Engine struct {
	url      databases.URL
	logger   *slog.Logger
	database database
	shut     atomic.Bool // set by the first Close
}

// database is what an engine drives: SQLite in sqlite_database.go, PostgreSQL
// in postgres_database.go. It is safe for any number of goroutines. The
// functions must use the context that they are given.
type database interface {
	// read runs f, which changes nothing; each of its statements sees the
	// latest committed state. f may be run again from its beginning.
	read(ctx context.Context, f func(context.Context, session) error) error
	// statement runs f, which changes what it changes in one statement.
	// f may be run again from its beginning.
	statement(ctx context.Context, f func(context.Context, session) error) error
	// write runs f in a transaction. f may be run again from its beginning,
	// after what it did was rolled back.
	write(ctx context.Context, f func(context.Context, session) error) error
	// alone runs f in a transaction that no other one that writes overlaps:
	// at most once, or again from its beginning if it may be.
	alone(ctx context.Context, again bool, f func(context.Context, session) error) error
	// migrate brings the schema up to date, once, and says whether this call ran
	// migrations.
	migrate(ctx context.Context) (ran bool, err error)
	// openStore returns a store on the database that counts its reads.
	openStore(*counters) (store, error)
	// retries is how often something was tried again.
	retries() uint64
	// close is called once, and calls may be under way.
	close() error
}

// openEngine opens a database. It connects, so that a path that cannot be
// opened, a server that cannot be reached or a file that is no database is
// found out now.
func openEngine(ctx context.Context, u databases.URL, cfg EnginesConfig) (*Engine, error) {
	open := openSQLite
	if u.Server != "" {
		open = openPostgres
	}
	db, err := open(ctx, u, cfg)
	if err != nil {
		return nil, fmt.Errorf("lifecycle: open: %w", u.Failed(nil, err))
	}
	cfg.Logger.InfoContext(ctx, "database engine opened", "url", u.Redacted())
	return &Engine{url: u, logger: cfg.Logger, database: db}, nil
}

// URL returns the normalised URL of the database, with the password if it has
// one.
func (e *Engine) URL() string { return e.url.String() }

// Close closes the database: its statements, then its connections. It waits
// for calls under way, which wait for no lock any longer; later ones get
// [ErrClosed]. A second Close does nothing.
func (e *Engine) Close() error {
	if !e.shut.CompareAndSwap(false, true) {
		return nil
	}
	err := e.database.close()
	e.logger.Info("database engine closed", "url", e.url.Redacted())
	if err != nil {
		return fmt.Errorf("lifecycle: close: %w", e.url.Failed(nil, err))
	}
	return nil
}

// errNested is what a transaction gets that would wait for itself.
var errNested = errors.New("lifecycle: a transaction is open already; use its repositories")
