package assuggested

import (
	"sync"

	"github.com/jacquard-go/jacquard/lifecycle/reported"
)

// EngineCache is MEMORY_ENGINES (#3950, engine_cache.py line 15): the dictionary in which the unit of work and the migration runner
// look for the engine of an in-memory URL. The original is a global of its module; here both callers are handed the same one.
type EngineCache struct {
	create  func(url string) (*reported.Engine, error)
	mu      sync.Mutex // _MEMORY_ENGINES_LOCK
	engines map[string]*reported.Engine
}

// NewEngineCache returns an empty cache whose callers make their engines with create.
func NewEngineCache(create func(url string) (*reported.Engine, error)) *EngineCache {
	return &EngineCache{create: create, engines: make(map[string]*reported.Engine)}
}
