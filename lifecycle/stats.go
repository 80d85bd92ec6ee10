package lifecycle

import (
	"sync/atomic"

	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
)

// Stats are counts since the service was opened. They are read one after another, not as a
// snapshot. All but Retries are zero without Config.Count.
type Stats struct {
	// Reads of plans, actions and listings of them on a database.
	Hits      uint64 // the cached value was proved current
	Refreshes uint64 // the cached value was out of date, and was read again
	Misses    uint64 // nothing was cached

	RecentHits    uint64 // reads of the Reader that were answered from its cache
	Invalidations uint64 // plans and actions that the Reader had to forget
	Conflicts     uint64 // transitions that lost to a concurrent one

	// Retries is how often a statement or a transaction was tried again because the database was
	// locked or could not be reached, since its engine was opened and by all users of the engine.
	Retries uint64
}

// The indices of the counters of a service.
const (
	hits = iota
	refreshes
	misses
	recentHits
	invalidations
	conflicts
	counted
)

// counters is nil if counting is off.
type counters [counted]atomic.Uint64

func (c *counters) add(which int) {
	if c != nil {
		c[which].Add(1)
	}
}

// looked counts a read: whether something was cached, and whether it was current.
func (c *counters) looked(cached, current bool) {
	switch {
	case !cached:
		c.add(misses)
	case current:
		c.add(hits)
	default:
		c.add(refreshes)
	}
}

// Stats returns the counts. It may be called at any time, also after Close.
func (s *Service) Stats() Stats {
	var all Stats
	if s.engine != nil {
		all.Retries = engine.On(s.engine).Retries()
	}
	if c := s.counters; c != nil {
		all.Hits, all.Refreshes, all.Misses = c[hits].Load(), c[refreshes].Load(), c[misses].Load()
		all.RecentHits, all.Invalidations = c[recentHits].Load(), c[invalidations].Load()
		all.Conflicts = c[conflicts].Load()
	}
	return all
}
