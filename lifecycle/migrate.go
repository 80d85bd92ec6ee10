package lifecycle

import (
	"context"
	"embed"
	"fmt"
)

// The migrations of each kind of database. A new one is a new file with the
// next number, which is then the newest version; a file that has been released
// is never changed.
//
//go:embed migrations
var migrations embed.FS

// newestSchema is the number of the newest migration.
const newestSchema = 5

// Migrate brings the schema of a database up to date, through the engine of
// its URL, and returns that engine.
//
// The error is one of [Engines.Engine] or [Engine.Migrate].
func Migrate(ctx context.Context, engines *Engines, url string) (*Engine, error) {
	engine, err := engines.Engine(ctx, url)
	if err != nil {
		return nil, err
	}
	return engine, engine.Migrate(ctx)
}

// Migrate brings the schema up to date. It does so once per engine: callers
// that come meanwhile wait, later ones return at once. After a failure the
// next caller tries again.
//
// A lock is held from before the schema's version is read until the migrations
// have run, so of several processes that start together one migrates while the
// others wait and then find nothing to do. On SQLite all missing migrations are
// one transaction, on PostgreSQL each is.
//
// The error matches [ErrClosed] or the context's, or is a [*DatabaseError].
func (e *Engine) Migrate(ctx context.Context) error {
	ran, err := e.database.migrate(ctx)
	if err != nil {
		return fmt.Errorf("lifecycle: migrate: %w", e.url.Failed(nil, err))
	}
	if ran {
		e.logger.InfoContext(ctx, "database schema migrated", "url", e.url.Redacted(), "version", newestSchema)
	}
	return nil
}

// comparedSchema says whether a schema of this version is current.
func comparedSchema(version int64) (bool, error) {
	if version > newestSchema {
		return false, fmt.Errorf("it is at version %d, this program knows %d", version, newestSchema)
	}
	return version == newestSchema, nil
}
