package assuggested

import (
	"context"

	"github.com/jacquard-go/jacquard/lifecycle/reported"
)

// MigrationRunner is the second of the two callers of the engine cache (#3950, migration_runner.py lines 248-253).
type MigrationRunner struct {
	cache *EngineCache
	url   string
}

// NewMigrationRunner returns a runner for the database at url.
func NewMigrationRunner(cache *EngineCache, url string) *MigrationRunner {
	return &MigrationRunner{cache: cache, url: url}
}

// Run brings the schema of the engine of the runner's URL up to date and returns that engine.
func (r *MigrationRunner) Run(ctx context.Context) (*reported.Engine, error) {
	engine, err := r.Engine()
	if err != nil {
		return nil, err
	}
	return engine, upgrade(ctx, engine)
}

// Engine is the first half of Run: it returns the engine of the runner's URL, and makes it if the cache has none.
func (r *MigrationRunner) Engine() (*reported.Engine, error) {
	r.cache.mu.Lock()
	defer r.cache.mu.Unlock()
	if _, ok := r.cache.engines[r.url]; !ok {
		engine, err := r.cache.create(r.url)
		if err != nil {
			return nil, err
		}
		r.cache.engines[r.url] = engine
	}
	return r.cache.engines[r.url], nil
}

// upgrade runs the migrations that the schema of engine lacks: it asks for the version, and acts on the answer.
func upgrade(ctx context.Context, engine *reported.Engine) error {
	version, err := engine.SchemaVersion(ctx)
	if err != nil || version == reported.NewestSchema {
		return err
	}
	return engine.Upgrade(ctx)
}
