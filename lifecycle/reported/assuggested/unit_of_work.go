package assuggested

import (
	"context"

	"github.com/jacquard-go/jacquard/lifecycle/reported"
)

// UnitOfWork is the first of the two callers of the engine cache (#3950, unit_of_work.py lines 76-84). It knows of
// itself whether it has brought the schema up to date (#7420). It is for one goroutine at a time.
type UnitOfWork struct {
	engine   *reported.Engine
	migrated bool
}

// NewUnitOfWork opens a unit of work on the engine of url, and makes that engine if the cache has none.
func NewUnitOfWork(cache *EngineCache, url string) (*UnitOfWork, error) {
	cache.mu.Lock()
	defer cache.mu.Unlock()
	if _, ok := cache.engines[url]; !ok {
		engine, err := cache.create(url)
		if err != nil {
			return nil, err
		}
		cache.engines[url] = engine
	}
	return &UnitOfWork{engine: cache.engines[url]}, nil
}

// Engine returns the engine that this unit of work holds on to.
func (u *UnitOfWork) Engine() *reported.Engine { return u.engine }

// EnsureMigrated brings the schema of the engine up to date, unless this unit of work has done so before (#7420).
func (u *UnitOfWork) EnsureMigrated(ctx context.Context) error {
	if u.migrated {
		return nil
	}
	if err := upgrade(ctx, u.engine); err != nil {
		return err
	}
	u.migrated = true
	return nil
}

// CountPlans counts the plans in the database of this unit of work's engine.
func (u *UnitOfWork) CountPlans(ctx context.Context) (int, error) { return u.engine.CountPlans(ctx) }
