package cache

import (
	"context"
	"errors"
	"fmt"
	"sort"
)

// Close ends the cache. From its first moment every other call gets [ErrClosed] or finds nothing. Then, in this order:
// creations under way are cancelled and their waiters get ErrClosed; Close waits until the creators have returned; the
// values that are closers are closed one after the other, the youngest object first, as deferred calls are, because an
// object can depend on older ones. Each is closed exactly once, including those that were removed earlier and may have
// been in use since. A value under a lease is closed when its last lease is released instead.
//
// The error joins all errors of closing values, now and earlier. A second Close returns ErrClosed at once.
//
// A creator that does not return keeps Close waiting; [Cache.Shutdown] has a bound. A creator must not call Close, which
// would wait for it; Shutdown with the creator's context notices and refuses.
func (c *Cache[K, V]) Close() error { return c.Shutdown(context.Background()) }

// Shutdown is [Cache.Close] with a bound: when ctx ends it waits for creators no longer, and its error wraps ctx's.
// Whatever such a creator returns is closed on its own goroutine. In a creator of this cache, with the creator's
// context, it returns an error that wraps [ErrCycle] and does nothing.
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
	sort.Slice(ready, func(i, j int) bool { return ready[i].version > ready[j].version }) // not generic: compiled once, for all K and V
	c.release(ready...)
	return errors.Join(err, c.disposal.report())
}

// seize cancels the creations under way and returns the values in the shards.
//
// It misses none: whoever adds one looks, under the bucket's lock, whether the table is open, and seize takes that lock
// after it was closed; and a table that grows copies what is in it under the same locks.
func (c *Cache[K, V]) seize(shards []*shard[K, V]) (ready []removal[K, V]) {
	for _, m := range shards {
		m.Range(func(key K, it item[K, V]) bool {
			e := it.entry
			if e == nil {
				if c.onRemoval != nil || c.counters != nil { // else nobody has to know
					ready = append(ready, removal[K, V]{item: it, key: key, cause: Closed})
				}
				return true
			}
			f := e.flight.Load() // before settling: a decided entry has none
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

// settleAll waits for the creators to return.
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
