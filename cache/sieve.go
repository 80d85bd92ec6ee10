package cache

import (
	"math"
	"sync"
)

// order keeps the values in their order of insertion, which serves both limits: the oldest value expires first,
// because all have the same TTL, and eviction walks the same list.
//
// Eviction is SIEVE (Zhang, Yang, Yue, Vigfusson, Rashmi: "SIEVE is Simpler than LRU: an Efficient Turn-Key Eviction
// Algorithm for Web Caches", NSDI 2024, section 3.1). A hit sets a bit and moves nothing, so it needs no lock. A hand
// walks from the oldest value to the youngest and round again. It spares a value that was hit since its last visit and
// clears the bit, and evicts the first value that was not. The hand keeps its position between evictions. Hence a scan
// of keys that are asked for once evicts its own keys, not the ones in use. Departures from the paper: expired values
// are evicted first, and the visited bit shares a word with the rest of the entry's state.
//
// S3-FIFO (SOSP 2023) was rejected: it needs three queues and a ghost list for about the same hit ratios on the
// paper's traces. LRU was rejected because each hit would write to a shared list.
type order[K comparable, V any] struct {
	on        bool
	limited   bool  // max or maxWeight is set, so values are evicted
	max       int   // 0: no limit
	maxWeight int64 // 0: no limit
	ttl       int64 // in ns; 0: no expiry
	mu        sync.Mutex
	oldest    *entry[K, V]
	newest    *entry[K, V]
	hand      *entry[K, V] // the next candidate; nil: start at the oldest
	n         int
	weight    int64 // sum over the list
}

// links are an entry's neighbours. listed says whether the entry is in the list.
type links[K comparable, V any] struct {
	older, younger *entry[K, V]
	listed         bool
}

// add appends a value that has just been published, and returns the values to remove for it: the expired ones, and those
// evicted by the limits (only e itself if it is heavier than maxWeight). They have left the list, but not the map.
//
// A value that was removed between its publication and this call is not added: entry.remove marks it before forget
// takes the lock, so one of the two sees the other.
func (o *order[K, V]) add(e *entry[K, V], now int64) (expired, evicted []*entry[K, V]) {
	o.mu.Lock()
	defer o.mu.Unlock()
	expired = o.overdue(now)
	if e.state.Load()&removed != 0 {
		return expired, nil
	}
	if o.maxWeight > 0 && e.weight > o.maxWeight {
		return expired, []*entry[K, V]{e}
	}
	for o.max > 0 && o.n >= o.max || o.maxWeight > 0 && o.weight > o.maxWeight-e.weight {
		evicted = append(evicted, o.victim())
	}
	o.push(e)
	return expired, evicted
}

// deadline returns when a value that is published now expires; 0 means never.
func (o *order[K, V]) deadline(now int64) int64 {
	if o.ttl == 0 {
		return 0
	}
	return after(now, o.ttl)
}

// after returns now+while in ns, or the greatest int64 if that overflows, and never 0; while must be positive.
func after(now, while int64) int64 {
	if at := now + min(while, math.MaxInt64-max(now, 0)); at != 0 {
		return at
	}
	return -1 // 0 would mean never
}

// sweep removes all expired values from the list and returns them.
func (o *order[K, V]) sweep(now int64) []*entry[K, V] {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.overdue(now)
}

// forget removes e from the list if it is there.
func (o *order[K, V]) forget(e *entry[K, V]) {
	if !o.on || e == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if e.node.listed {
		o.take(e)
	}
}

func (o *order[K, V]) overdue(now int64) (expired []*entry[K, V]) {
	for o.ttl > 0 && o.oldest != nil && o.oldest.expired(now) {
		expired = append(expired, o.oldest)
		o.take(o.oldest)
	}
	return expired
}

// victim removes and returns the value that SIEVE evicts. The list must not be empty.
func (o *order[K, V]) victim() *entry[K, V] {
	e := o.hand
	for {
		if e == nil {
			e = o.oldest
		}
		if e.state.And(^uint64(visited))&visited == 0 {
			break
		}
		e = e.node.younger
	}
	o.hand = e
	o.take(e) // moves the hand to the next younger value
	return e
}

func (o *order[K, V]) push(e *entry[K, V]) {
	e.node = links[K, V]{older: o.newest, listed: true}
	if o.newest != nil {
		o.newest.node.younger = e
	} else {
		o.oldest = e
	}
	o.newest = e
	o.n++
	o.weight += e.weight
}

func (o *order[K, V]) take(e *entry[K, V]) {
	l := e.node
	e.node = links[K, V]{}
	if o.hand == e {
		o.hand = l.younger
	}
	if l.older != nil {
		l.older.node.younger = l.younger
	} else {
		o.oldest = l.younger
	}
	if l.younger != nil {
		l.younger.node.older = l.older
	} else {
		o.newest = l.older
	}
	o.n--
	o.weight -= e.weight
}
