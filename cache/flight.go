package cache

import (
	"context"
	"sync/atomic"
)

// flight is one creation: the part of an entry that is needed until the creation is decided. It is also the creator's
// context; see scope.go.
type flight[K comparable, V any] struct {
	cache *Cache[K, V]
	entry *entry[K, V]
	// waiters is closed to wake the waiters. It is nil for a creator on the caller's goroutine and for a batch, whose
	// waiters wait for the scope, and for a refresh, which has no waiters.
	waiters chan struct{}
	woken   atomic.Bool  // waiters has been closed
	started atomic.Bool  // set by the caller that starts the creation
	batch   *batch[K, V] // the batch that creates the value, or nil
	old     *entry[K, V] // the entry whose value this flight refreshes, or nil
	// The following fields are written by the caller that starts the creation, before the creator is called.
	create func(context.Context) (V, error)
	values context.Context // that caller's context; used only for its values
	parent node            // the creation whose creator started this one, or nil
	// err is the creator's error; written before the phase becomes failed, read only after that was seen.
	err error
	// scope and asking are created on first use. Many creations need neither.
	scope  atomic.Pointer[scope]
	asking atomic.Pointer[asking]
}

// takeoff allocates an entry and its flight together, for caches that keep no entry once it is decided.
type takeoff[K comparable, V any] struct {
	entry  entry[K, V]
	flight flight[K, V]
}

// pending returns a new entry with one waiter, the caller. It runs under a bucket lock. If the cache is closed, it
// returns a decided entry without a flight, because LoadOrCompute cannot refuse; otherwise Close will find the entry.
// The caller must make the flight run: Close waits for it. apart is for a creator on its own goroutine.
func (c *Cache[K, V]) pending(key K, apart bool) (*entry[K, V], *flight[K, V]) {
	if !c.table.isOpen() {
		e := &entry[K, V]{key: key}
		e.state.Store(phaseClosed)
		return e, nil
	}
	c.creations.Add(1)
	var e *entry[K, V]
	var f *flight[K, V]
	if c.order.on || c.disposal.mayClose || c.failures.ttl != nil || c.refreshAfter > 0 {
		e, f = new(entry[K, V]), new(flight[K, V])
	} else {
		both := new(takeoff[K, V])
		e, f = &both.entry, &both.flight
	}
	e.key = key
	f.cache, f.entry = c, e
	if apart {
		f.waiters = make(chan struct{})
	}
	e.flight.Store(f)
	e.state.Store(oneRef)
	return e, f
}

// start reports whether the caller is the first to start f, and then records its creator and contexts in f.
func (f *flight[K, V]) start(r *request[V]) bool {
	if f.started.Load() || f.started.Swap(true) {
		return false
	}
	f.create, f.values, f.parent = r.create, r.ctx, r.asker
	return true
}

// run calls the creator and decides the flight, if nothing else has decided it yet. It never panics. A Goexit in
// create ends the goroutine after the flight is decided.
func (c *Cache[K, V]) run(f *flight[K, V]) {
	defer c.creations.Done()
	e := f.entry
	if phase(e.state.Load()) != phasePending {
		return
	}
	c.counters.creation()
	returned := false
	defer func() {
		if !returned { // a panic or a Goexit
			c.fail(e, f, caught(recover()))
		}
	}()
	v, err := f.create(f)
	now := c.now()
	returned = true
	if err != nil {
		c.fail(e, f, err)
		return
	}
	c.deliver(e, f, v, now)
}

// fail counts a failure and calls refuse.
func (c *Cache[K, V]) fail(e *entry[K, V], f *flight[K, V], err error) {
	c.counters.failure()
	c.refuse(e, f, err)
}

// deliver makes v the value of e's key, unless the weigher panics.
func (c *Cache[K, V]) deliver(e *entry[K, V], f *flight[K, V], v V, now int64) {
	if c.weigher == nil {
		c.place(e, f, v, now)
		return
	}
	guarded(func() error {
		e.weight = c.weigh(e.key, v)
		return nil
	}, func(err error) {
		if err == nil {
			c.place(e, f, v, now)
			return
		}
		c.fail(e, f, err)
		c.adopt(v)
		c.discard(e.key, v)
	})
}

// weigh returns v's weight, 0 without a weigher. The weigher is user code and may panic.
func (c *Cache[K, V]) weigh(key K, v V) int64 {
	if c.weigher == nil {
		return 0
	}
	return max(0, c.weigher(key, v))
}

// place makes v the value of e's key, or closes v if the creation was superseded, abandoned or cut off by Close.
func (c *Cache[K, V]) place(e *entry[K, V], f *flight[K, V], v V, now int64) {
	e.value, e.expires = v, c.order.deadline(now)
	e.refreshAt.Store(c.refreshAt(now))
	flags := c.adopt(v)
	if !c.publish(e, f, flags) {
		e.settle(phaseSuperseded)
		f.land()
		c.discard(e.key, v)
		return
	}
	var gone []removal[K, V]
	if f.old != nil {
		gone = c.displaced(e.key, f.old.item(), Refreshed, now)
	}
	gone = c.admit(e, now, gone)
	f.land()
	c.release(gone...)
}

// land completes a flight whose entry has been decided: it detaches the flight from the entry and wakes all waiters.
func (f *flight[K, V]) land() {
	f.entry.flight.Store(nil)
	f.end()
}

// publish puts e's value in the map if e, or the entry that it refreshes, is still the item of its key and the creation
// is still wanted. The check and the end of the pending phase are one step under the bucket lock.
func (c *Cache[K, V]) publish(e *entry[K, V], f *flight[K, V], flags uint64) bool {
	stands := e
	if f.old != nil {
		stands = f.old
	}
	m := c.table.shard(e.key)
	if m == nil {
		return false
	}
	_, did := c.table.swap(m, e.key, func(cur item[K, V], _ bool) (item[K, V], change) {
		if cur.entry != stands {
			return cur, keep
		}
		e.version = c.versions.Add(1)
		if !e.settle(phaseReady | flags) {
			return cur, remove
		}
		fresh := e.item()
		if !c.keepsEntry(flags) {
			fresh.entry = nil
		}
		return fresh, put
	})
	return did == put
}
