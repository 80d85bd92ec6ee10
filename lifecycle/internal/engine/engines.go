package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// Config configures [Engines]. The zero value is ready to use.
type Config struct {
	// BusyTimeout is how long one statement waits, in all, for a lock that another process holds on
	// the database. Zero means five seconds; a negative value means no waiting.
	BusyTimeout time.Duration

	// RelaxedDurability lets a commit return before it is on the disk: the commit then survives the
	// end of the process in any manner, but neither a power failure nor a crash of a PostgreSQL
	// server.
	// False means that a commit that has returned is on the disk.
	RelaxedDurability bool

	// Logger logs when engines are opened, migrated and closed. Nil means no logging.
	Logger *slog.Logger
}

// defaultBusyTimeout is the busy timeout of the zero Config.
const defaultBusyTimeout = 5 * time.Second

// Engines holds engines, one per database URL.
//
// Engines are safe for concurrent use. An existing engine is found without a lock.
type Engines struct {
	cfg   Config
	open  Opener
	cache *cache.Cache[location, *Engine]
}

// location is a normalised URL. Errors of the cache name it, without a password.
type location string

// String returns the URL without a password.
func (l location) String() string {
	u, _ := databases.ParseURL(string(l)) // it was parsed before
	return u.Redacted()
}

// New returns an empty set of engines. It opens nothing.
func New(cfg Config, open Opener) (*Engines, error) {
	switch {
	case cfg.BusyTimeout == 0:
		cfg.BusyTimeout = defaultBusyTimeout
	case cfg.BusyTimeout < 0:
		cfg.BusyTimeout = 0
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	engines, err := cache.New(cache.Config[location, *Engine]{Shards: 1})
	return &Engines{cfg: cfg, open: open, cache: engines}, err
}

// Engine returns the engine of a database URL, such as sqlite:///plans.db
// (relative), sqlite:////var/plans.db (absolute) or sqlite:///:memory:. URLs
// are the same if they name the same absolute path; a symbolic link is another
// path.
//
// The first caller creates the engine; callers that come meanwhile wait for that creation, and all
// get the same pointer. A failed creation returns its error to all who waited for it and is not
// remembered.
//
// ctx bounds the wait. The error matches [faults.ErrUnsupportedURL],
// [faults.ErrInvalid], [faults.ErrClosed] or the context's, or is a
// [*faults.DatabaseError].
func (e *Engines) Engine(ctx context.Context, url string) (*Engine, error) {
	switch {
	case e == nil:
		return nil, faults.Invalid("engines", "", "are nil; use NewEngines, or Service.UnitOfWork")
	case ctx == nil:
		return nil, faults.Invalid("context", "", "is nil")
	}
	u, err := databases.ParseURL(url)
	if err != nil {
		return nil, err
	}
	engine, err := e.cache.GetOrCreate(ctx, location(u.String()), func(ctx context.Context) (*Engine, error) {
		return e.open.open(ctx, u, e.cfg)
	})
	if err != nil {
		return nil, closed(err)
	}
	return engine, nil
}

// Close closes the engines, the youngest first, and waits for calls under way on them. Later calls
// get [faults.ErrClosed], and so does a second Close.
func (e *Engines) Close() error { return closed(e.cache.Close()) }

// closed translates the cache's error for a closed cache.
func closed(err error) error {
	if errors.Is(err, cache.ErrClosed) {
		return fmt.Errorf("lifecycle: engines are %w", faults.ErrClosed)
	}
	return err
}

// Migrated returns the engine of a URL, with its schema up to date.
//
// The error is one of [Engines.Engine] or [Engine.Migrate].
func Migrated(ctx context.Context, engines *Engines, url string) (*Engine, error) {
	engine, err := engines.Engine(ctx, url)
	if err != nil {
		return nil, err
	}
	return engine, engine.Migrate(ctx)
}
