// Package engine holds the databases that a process has open, one engine for each. It knows neither
// how to drive a kind of database, which an [Opener] brings, nor what is stored in it.
package engine

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
)

// Engine is the one connection of a process to a database. [Engines.Engine] makes it, and closing
// its Engines closes it.
//
// An Engine is safe for concurrent use.
type Engine struct {
	url      databases.URL
	logger   *slog.Logger
	database Database
	shut     atomic.Bool // set by the first Close
	bell     Bell
}

// Opener opens a database. It connects, so that a path that cannot be opened, a server that cannot
// be reached or a file that is not a database is detected now.
type Opener func(ctx context.Context, u databases.URL, cfg Config) (Database, error)

// open opens a database and returns an engine for it.
func (o Opener) open(ctx context.Context, u databases.URL, cfg Config) (*Engine, error) {
	db, err := o(ctx, u, cfg)
	if err != nil {
		return nil, fmt.Errorf("lifecycle: open: %w", u.Failed(nil, err))
	}
	cfg.Logger.InfoContext(ctx, "database engine opened", "url", u.Redacted())
	return &Engine{url: u, logger: cfg.Logger, database: db}, nil
}

// URL returns the normalised URL of the database, with the password if it has
// one.
func (e *Engine) URL() string { return e.url.String() }

// On returns an engine's database. It is not a method, because users of lifecycle have the engine
// too.
func On(e *Engine) Database { return e.database }

// BellOf returns the bell that rings when a plan of the engine's database was changed through the
// engine, and when the engine is closed.
func BellOf(e *Engine) *Bell { return &e.bell }

// Migrate brings the schema up to date, once per engine: callers that come meanwhile wait, and
// later ones return at once. After a failure the next caller tries again.
//
// It holds a lock from before it reads the schema's version until the migrations have run, so of
// several processes that start together one migrates while the others wait and then find nothing to
// do. On SQLite all missing migrations are one transaction, on PostgreSQL each is one.
//
// The error matches [faults.ErrClosed] or the context's, or is a
// [*faults.DatabaseError].
func (e *Engine) Migrate(ctx context.Context) error {
	version, err := e.database.Migrate(ctx)
	if err != nil {
		return fmt.Errorf("lifecycle: migrate: %w", e.url.Failed(nil, err))
	}
	if version != 0 {
		e.logger.InfoContext(ctx, "database schema migrated", "url", e.url.Redacted(), "version", version)
	}
	return nil
}

// Close closes the database: its statements, then its connections. It waits for calls under way,
// which then no longer wait for locks; later calls get [faults.ErrClosed]. A second Close does
// nothing.
func (e *Engine) Close() error {
	if !e.shut.CompareAndSwap(false, true) {
		return nil
	}
	err := e.database.Close()
	e.bell.Ring()
	e.logger.Info("database engine closed", "url", e.url.Redacted())
	if err != nil {
		return fmt.Errorf("lifecycle: close: %w", e.url.Failed(nil, err))
	}
	return nil
}
