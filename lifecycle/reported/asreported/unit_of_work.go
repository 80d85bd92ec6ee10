package asreported

import (
	"context"

	"github.com/jacquard-go/jacquard/lifecycle/reported"
)

// UnitOfWork is the first of the two callers of the engine cache (#3950, unit_of_work.py lines 76-84).
type UnitOfWork struct {
	engine *reported.Engine
}

// NewUnitOfWork opens a unit of work on the engine of url, and makes that engine if the cache has none.
func NewUnitOfWork(cache *EngineCache, url string) (*UnitOfWork, error) {
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

// CountPlans counts the plans in the database of this unit of work's engine.
func (u *UnitOfWork) CountPlans(ctx context.Context) (int, error) { return u.engine.CountPlans(ctx) }
