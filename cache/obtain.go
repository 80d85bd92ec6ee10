package cache

import (
	"context"
	"fmt"
)

// request is one caller's request for a key.
type request[V any] struct {
	ctx    context.Context
	create func(context.Context) (V, error) // nil for GetOrCreateAll, which has a bulk creator
	how    access
	// done and asker are read from ctx before the caller joins a creation: a context is user code and may panic.
	done  <-chan struct{}
	asker node // the creation whose creator makes the request, or nil
}

// lookOrObtain returns the item of a key, which it creates if it is missing. It looks for an existing value only if
// look is set.
func (c *Cache[K, V]) lookOrObtain(
	ctx context.Context, key K, create func(context.Context) (V, error), how access, look bool,
) (item[K, V], error) {
	if look {
		if it, ok := c.look(key, how); ok {
			if c.refreshAfter > 0 && it.entry != nil {
				c.refresh(ctx, it.entry, create)
			}
			return it, nil
		}
	}
	c.counters.miss()
	makeRoom(false)
	if c.table.shard(key) == nil {
		return item[K, V]{}, ErrClosed
	}
	if err := admissible(ctx, key, create != nil); err != nil {
		return item[K, V]{}, err
	}
	return c.obtain(key, &request[V]{
		ctx: ctx, create: create, how: how &^ touch, done: ctx.Done(), asker: flightOf(ctx),
	})
}

// maxSuperseded is how many creations of its key one call may see superseded. A creator that changes its own key reaches
// it, and so could others that change the key a hundred times in a row; only this call fails, not the changes.
const maxSuperseded = 100

// obtain loops until an entry yields its value or an error, or maxSuperseded creations were superseded.
func (c *Cache[K, V]) obtain(key K, r *request[V]) (none item[K, V], err error) {
	for superseded := 0; ; {
		m := c.table.shard(key)
		if m == nil {
			return none, ErrClosed
		}
		var e *entry[K, V]
		var f *flight[K, V]
		it, loaded := m.LoadOrCompute(key, func() item[K, V] {
			e, f = c.pending(key, r.done != nil)
			return item[K, V]{entry: e}
		})
		if loaded {
			if e = it.entry; e == nil {
				return it, nil
			}
			f = e.flight.Load() // before joining: a decided entry has no flight
		}
		if f != nil && (!loaded || e.join()) {
			done, err := c.attend(f, r, !loaded)
			switch {
			case err != nil:
				return none, err
			case done:
				return e.item(), nil
			case r.ctx.Err() != nil:
				return none, stopped(r.ctx, key)
			}
			if superseded++; superseded == maxSuperseded {
				return none, &FutileError{key, superseded}
			}
			continue
		}
		if c.offer(e, r.how) == taken {
			return e.item(), nil // not it, which may have been loaded before the creation was decided
		}
		if err := c.recall(e); err != nil {
			return none, err
		}
		c.clear(e)
	}
}

// admissible reports why a missing key cannot be created for this caller.
func admissible[K comparable](ctx context.Context, key K, creator bool) error {
	switch {
	case unequal(key):
		return fmt.Errorf("%w: %v", ErrKey, key)
	case !creator:
		return fmt.Errorf("%w for %v", ErrNoCreator, key)
	case ctx.Err() != nil:
		return stopped(ctx, key)
	}
	return nil
}

// stopped returns the error of a caller whose own context ended.
func stopped[K comparable](ctx context.Context, key K) error {
	return fmt.Errorf("cache: waiting for %v: %w", key, ctx.Err())
}

// clear removes an entry whose creation ended without a value from the map, in case its decider has not done so yet.
func (c *Cache[K, V]) clear(e *entry[K, V]) {
	if phase(e.state.Load()) > phaseReady {
		c.table.unlink(e)
	}
}

// attend waits for the decision about f's entry, which the caller has joined or, if elected, published. If it returns
// neither done nor an error, the key must be looked up again.
func (c *Cache[K, V]) attend(f *flight[K, V], r *request[V], elected bool) (done bool, err error) {
	e := f.entry
	if r.asker != nil {
		if err := waitFor(r.asker, f); err != nil {
			// Even the publisher may leave here without having started f: f is part of a cycle, so it is running.
			c.leave(e, f)
			return false, err
		}
		defer r.asker.forget(f)
	}
	switch {
	case f.waiters == nil && elected:
		c.runHere(f, r)
		return c.outcome(f, r)
	case f.waiters != nil && r.create != nil && f.start(r):
		c.launch(f)
	}
	select {
	case <-f.decision():
		return c.outcome(f, r)
	case <-r.done:
		c.leave(e, f)
		return false, stopped(r.ctx, e.key)
	}
}

// runHere creates on the goroutine of the caller, whose context cannot end: it would wait until the creator returns in
// any case. A goroutine and the means to wait for it cost twice as much as all the rest. The price is that nothing can
// stop the caller early: if the creation is superseded or the cache is closed, the caller learns of it only when the
// creator returns, and a Goexit ends the caller. All other waiters learn of these at once.
func (c *Cache[K, V]) runHere(f *flight[K, V], r *request[V]) {
	returned := false
	defer func() {
		if !returned { // a Goexit in the creator, or later in a hook: the caller will not use the entry that it joined
			c.leave(f.entry, f)
		}
	}()
	f.start(r)
	c.run(f)
	returned = true
}

// outcome returns attend's result for a decided entry.
func (c *Cache[K, V]) outcome(f *flight[K, V], r *request[V]) (done bool, err error) {
	switch s := f.entry.state.Load(); phase(s) {
	case phaseReady:
		return s&closer == 0 || c.take(f.entry, oneRef, r.how), nil
	case phaseFailed:
		return false, f.err
	case phaseRemembered:
		return false, f.entry.failure.err
	case phaseClosed:
		return false, ErrClosed
	}
	return false, nil
}

// leave drops one waiter's reference. The last waiter of a creation abandons it, in the same step that keeps others
// from joining; the entry leaves the map before the creator's context ends.
func (c *Cache[K, V]) leave(e *entry[K, V], f *flight[K, V]) {
	before, after := e.leave()
	if phase(before) == phasePending && phase(after) == phaseAbandoned {
		c.table.unlink(e)
		f.end()
	}
	if ownerless(after) {
		c.dispose(e.value)
	}
}
