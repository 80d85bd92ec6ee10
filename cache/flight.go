package cache

import (
	"context"
	"sync"

	"golang.org/x/sync/singleflight"
)

// flight is one creation: the part of an entry that is needed until the creation is decided.
type flight[K comparable, V any] struct {
	// group runs the creation, once. Every waiter calls DoChan on it, so whoever comes first starts the creation: nobody
	// waits for the publisher of the entry to be scheduled again. It is a group per entry, so that no two keys share
	// its lock and keys need not be strings.
	group singleflight.Group
	// ran is set by the first run. The group never runs two functions at a time, which orders every access to it.
	ran bool
	// ctx ends when the creation is decided, however it is decided; that is what waiters wait for. They cannot wait for
	// the group's channel: it says nothing when a creation is superseded, and nothing ever after a Goexit.
	ctx context.Context
	end context.CancelCauseFunc
	// err is the creator's; written before the phase becomes failed, read only after that was seen.
	err error

	cache *Cache[K, V]
	key   K
	// parent is the creation whose creator started this one, or nil; written before create is called.
	parent node
	// waits lists the creations that this one's creator waits for at present; the edges of the graph in cycle.go.
	mu    sync.Mutex
	waits []node
}

// pending returns a new entry with one waiter, the caller. It runs under a bucket lock: if the cache is closed, the
// entry is born dead and has no flight, because LoadOrCompute leaves no way to refuse; otherwise Close is bound to find
// it. The caller must see that the flight runs: Close waits for that.
func (c *Cache[K, V]) pending(key K) (*entry[K, V], *flight[K, V]) {
	e := &entry[K, V]{key: key}
	if !c.table.isOpen() {
		e.state.Store(phaseClosed)
		return e, nil
	}
	c.creations.Add(1)
	f := &flight[K, V]{cache: c, key: key}
	f.ctx, f.end = context.WithCancelCause(context.Background())
	e.flight.Store(f)
	e.state.Store(oneRef)
	return e, f
}

// run is the function given to singleflight: the first call creates, a later one (of a waiter that was slow to come)
// finds that there is nothing left to do. It never panics. After a Goexit in create the goroutine ends behind it, which
// leaves singleflight's channels silent for ever; nobody listens to them.
func (c *Cache[K, V]) run(e *entry[K, V], f *flight[K, V], r *request[V]) {
	if f.ran {
		return
	}
	f.ran = true
	defer c.creations.Done()
	if phase(e.state.Load()) != phasePending {
		return
	}
	c.counters.creation()
	f.parent = r.asker
	returned := false
	defer func() {
		if !returned { // a panic or a Goexit
			c.fail(e, f, caught(recover()))
		}
	}()
	v, err := r.create(creation[K, V]{Context: f.ctx, values: r.ctx, flight: f})
	now := c.now()
	returned = true
	if err != nil {
		c.fail(e, f, err)
		return
	}
	c.deliver(e, f, v, now)
}

// fail tells everyone who waits for e about the error. The entry leaves the map first, so that whoever learns of the
// error and tries again starts afresh.
func (c *Cache[K, V]) fail(e *entry[K, V], f *flight[K, V], err error) {
	c.counters.failure()
	f.err = err
	c.table.unlink(e)
	e.settle(phaseFailed)
	e.flight.Store(nil)
	f.end(errFinished)
}

// deliver makes v the value of e's key, or closes it if the creation has been superseded, abandoned or closed over.
func (c *Cache[K, V]) deliver(e *entry[K, V], f *flight[K, V], v V, now int64) {
	e.value, e.expires = v, c.order.deadline(now)
	flags := c.adopt(v)
	published := c.publish(e, flags)
	var gone []removal[K, V]
	if published {
		gone = c.admit(e, now, nil)
	} else {
		e.settle(phaseSuperseded)
	}
	e.flight.Store(nil)
	f.end(errFinished)
	if published {
		c.release(gone...)
	} else {
		c.discard(e.key, v)
	}
}

// publish puts e's value in the map if e is still what its key stands for and its creation is wanted. That and the end of
// the pending phase are one step under the bucket lock.
func (c *Cache[K, V]) publish(e *entry[K, V], flags uint64) bool {
	m := c.table.shard(e.key)
	if m == nil {
		return false
	}
	_, did := c.table.swap(m, e.key, func(cur item[K, V], _ bool) (item[K, V], change) {
		if cur.entry != e {
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

// creation is the context of a creator: it ends with the flight and has the values of the caller that started it.
type creation[K comparable, V any] struct {
	context.Context                 // the flight's
	values          context.Context // the caller's; never asked for anything but values
	flight          *flight[K, V]
}

// Value answers from the flight first: the context package finds its own cancellation there and must not find the
// caller's.
func (c creation[K, V]) Value(key any) any {
	if key == (flightKey{}) {
		return node(c.flight)
	}
	if v := c.Context.Value(key); v != nil {
		return v
	}
	return c.values.Value(key)
}
