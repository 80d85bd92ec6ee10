package asreported

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

// Run makes the schema on the engine of the runner's URL and returns that engine.
func (r *MigrationRunner) Run(ctx context.Context) (*reported.Engine, error) {
	engine, err := r.Engine()
	if err != nil {
		return nil, err
	}
	return engine, engine.Migrate(ctx)
}

// Engine is the first half of Run: it returns the engine of the runner's URL, and makes it if the cache has none.
func (r *MigrationRunner) Engine() (*reported.Engine, error) {
	if _, ok := r.cache.engines[r.url]; !ok {
		engine, err := r.cache.create(r.url)
		if err != nil {
			return nil, err
		}
		r.cache.engines[r.url] = engine
	}
	return r.cache.engines[r.url], nil
}
