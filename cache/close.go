package cache

import (
	"context"
	"errors"
	"fmt"
	"sort"
)

// Close ends the cache. From its first moment every other call gets [ErrClosed] or finds nothing. Then, in this order:
// Close cancels the creations under way, whose waiters get ErrClosed; waits until the creators have returned; and
// closes the values that are closers one after another, the youngest object first, as deferred calls do, because an
// object can depend on older ones. Each is closed exactly once, including those that were removed earlier and may have
// been in use since. A value under a lease is closed when its last lease is released instead.
//
// The error joins all errors of closing values, now and earlier. A second Close returns ErrClosed at once.
//
// A creator that does not return keeps Close waiting; [Cache.Shutdown] has a bound. A creator must not call Close, which
// would wait for that creator; Shutdown with the creator's context detects this and returns an error. Nor must Weigher,
// ErrorTTL, OnRemoval or a value's Close method where the creator's goroutine calls them, as for an object that was
// superseded, or for a value that a created one has evicted.
func (c *Cache[K, V]) Close() error { return c.Shutdown(context.Background()) }

// Shutdown is [Cache.Close] with a bound: when ctx ends, Shutdown stops waiting for creators, and its error wraps
// ctx's. What such a creator returns later is closed on the creator's goroutine. Called by a creator of this cache
// with the creator's context, Shutdown returns an error that wraps [ErrCycle] and does nothing.
func (c *Cache[K, V]) Shutdown(ctx context.Context) error {
	if f := flightOf(ctx); f != nil {
		if own := f.within(c); own != nil {
			name, _ := own.name()
			return fmt.Errorf("cache: Shutdown would wait for its caller, the creator of %v: %w", name, ErrCycle)
		}
	}
	shards := c.table.close()
	if shards == nil {
		return ErrClosed
	}
	ready := c.seize(shards)
	err := c.settleAll(ctx)
	ready = append(ready, c.disposal.drain()...)
	sort.Slice(ready, func(i, j int) bool { return ready[i].version > ready[j].version }) // not slices.SortFunc, which would be compiled again for each K and V
	c.release(ready...)
	return errors.Join(err, c.disposal.report())
}

// seize cancels the creations under way and returns the values in the shards.
//
// It misses none: a call that adds one checks under the bucket's lock that the table is open, and seize takes that lock
// after the table was closed. A growing table copies its contents under the same locks.
func (c *Cache[K, V]) seize(shards []*shard[K, V]) (ready []removal[K, V]) {
	for _, m := range shards {
		m.Range(func(key K, it item[K, V]) bool {
			e := it.entry
			if e == nil {
				if c.onRemoval != nil || c.counters != nil { // otherwise neither a hook nor a counter needs to know
					ready = append(ready, removal[K, V]{item: it, key: key, cause: Closed})
				}
				return true
			}
			f := e.flight.Load() // before settling: a decided entry has no flight
			if e.settle(phaseClosed) {
				f.end()
			} else if phase(e.state.Load()) == phaseReady {
				e.stopRefresh(phaseClosed)
				ready = append(ready, removal[K, V]{item: e.item(), key: key, cause: Closed})
			}
			return true
		})
	}
	return ready
}

// settleAll waits until all creators have returned or ctx ends.
func (c *Cache[K, V]) settleAll(ctx context.Context) error {
	if ctx.Done() == nil {
		c.creations.Wait()
		return nil
	}
	all := make(chan struct{})
	go func() {
		c.creations.Wait()
		close(all)
	}()
	select {
	case <-all:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("cache: waiting for creators to return: %w", ctx.Err())
	}
}
