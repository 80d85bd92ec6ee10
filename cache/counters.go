package cache

import "sync/atomic"

// Stats are counts since the cache was created. They are read one after another, not as a snapshot.
type Stats struct {
	Hits      uint64 // calls that returned a value already in the cache
	Misses    uint64 // calls that found no value; GetOrCreateAll counts each key once
	Creations uint64 // calls of creators
	Failures  uint64 // creators that returned an error, panicked or called Goexit
	// Removals is the number of removals by Cause.
	Removals map[Cause]uint64
}

// counters is nil if counting is off.
type counters struct {
	hits, misses, creations, failures atomic.Uint64
	removals                          [causes]atomic.Uint64
}

// Stats returns the counts, all zero unless Config.Count is on.
func (c *Cache[K, V]) Stats() Stats {
	s := Stats{Removals: map[Cause]uint64{}}
	n := c.counters
	if n == nil {
		return s
	}
	s.Hits, s.Misses = n.hits.Load(), n.misses.Load()
	s.Creations, s.Failures = n.creations.Load(), n.failures.Load()
	for i := range n.removals {
		if k := n.removals[i].Load(); k > 0 {
			s.Removals[Cause(i)] = k
		}
	}
	return s
}

func (n *counters) hit() {
	if n != nil {
		n.hits.Add(1)
	}
}

func (n *counters) miss() {
	if n != nil {
		n.misses.Add(1)
	}
}

func (n *counters) creation() {
	if n != nil {
		n.creations.Add(1)
	}
}

func (n *counters) failure() {
	if n != nil {
		n.failures.Add(1)
	}
}

func (n *counters) remove(cause Cause) {
	if n != nil {
		n.removals[cause].Add(1)
	}
}
