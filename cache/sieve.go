package cache

import (
	"math"
	"sync"
)

// order keeps the values in the order in which they came, which serves both limits: the oldest expires first, because
// all live equally long, and eviction walks the same list.
//
// Eviction is SIEVE (Zhang, Yang, Yue, Vigfusson, Rashmi: "SIEVE is Simpler than LRU: an Efficient Turn-Key Eviction
// Algorithm for Web Caches", NSDI 2024, section 3.1). A hit sets a bit and moves nothing, so it needs no lock. A hand
// walks from the oldest value to the youngest and round again; it spares a value that was hit since it last came by and
// clears its bit, and evicts the first that was not. The hand stays where it is between evictions. Hence a scan of keys
// that are asked for once pushes out its own keys, not the ones in use. Departures from the paper: expired values go
// first, and the visited bit is shared with the rest of the entry's state in one word.
//
// S3-FIFO (SOSP 2023) was the other candidate: three queues and a ghost list for hit ratios that are about the same on
// the paper's traces. LRU was not: each hit would write to a shared list.
type order[K comparable, V any] struct {
	on        bool
	limited   bool  // there is a limit, and so values are evicted
	max       int   // 0: no limit
	maxWeight int64 // 0: no limit
	ttl       int64 // ns; 0: for ever
	mu        sync.Mutex
	oldest    *entry[K, V]
	newest    *entry[K, V]
	hand      *entry[K, V] // the next candidate; nil: start at the oldest
	n         int
	weight    int64 // of all in the list
}

// links are an entry's neighbours. listed says whether it is in the list at all.
type links[K comparable, V any] struct {
	older, younger *entry[K, V]
	listed         bool
}

// add appends a value that has just been published, and returns those that have to go for it: expired ones, and as
// many evicted as are beyond the limits, or the value itself if it is too heavy. They are out of the list, but not out of the map yet.
//
// A value that was removed between its publication and here is not added: remove marks the entry before it takes the
// lock in forget, so one of the two sees the other.
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

// deadline is when a value that is published now expires; 0 means never.
func (o *order[K, V]) deadline(now int64) int64 {
	if o.ttl == 0 {
		return 0
	}
	return after(now, o.ttl)
}

// after is the time a positive while after now, both in nanoseconds; it stays at the last there is.
func after(now, while int64) int64 {
	return now + min(while, math.MaxInt64-max(now, 0))
}

// sweep takes out all expired values.
func (o *order[K, V]) sweep(now int64) []*entry[K, V] {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.overdue(now)
}

// forget takes e out if it is listed.
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

// victim takes out what SIEVE evicts. The list is not empty.
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
	o.take(e) // moves the hand on
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
