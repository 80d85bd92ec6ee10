package cache

import (
	"context"
	"fmt"
)

// Refresh ahead: a value older than Config.RefreshAfter is created anew while callers still get the old one. The flight
// hangs on the old value's entry and not in the map, so no caller waits for it. Its own entry replaces the old one, if
// that is still in the map.

// refreshAt returns when a value that is published now is to be refreshed; 0 means never.
func (c *Cache[K, V]) refreshAt(now int64) int64 {
	if c.refreshAfter == 0 {
		return 0
	}
	return after(now, c.refreshAfter)
}

// refresh starts a refresh of e's value, if it is due and none has started. Under the bucket lock, as for every creation,
// it checks that the cache is open and that e is still its key's entry, so that Close is sure to find the refresh.
func (c *Cache[K, V]) refresh(ctx context.Context, e *entry[K, V], create func(context.Context) (V, error)) {
	at := e.refreshAt.Load()
	if at == 0 || create == nil || c.now() < at || !e.refreshAt.CompareAndSwap(at, 0) {
		return
	}
	m := c.table.shard(e.key)
	if m == nil {
		return
	}
	f := &flight[K, V]{cache: c, entry: &entry[K, V]{key: e.key}, old: e, create: create, values: ctx}
	f.started.Store(true)
	f.entry.flight.Store(f)
	begun := false
	c.table.swap(m, e.key, func(cur item[K, V], _ bool) (item[K, V], change) {
		if begun = cur.entry == e; begun {
			c.creations.Add(1)
			e.refresh.Store(f)
		}
		return cur, keep
	})
	if begun {
		c.launch(f)
	}
}

// unrefreshed ends a refresh that failed. The old value stays, and a hit after another RefreshAfter tries again.
func (c *Cache[K, V]) unrefreshed(f *flight[K, V], err error) {
	f.entry.settle(phaseFailed)
	f.land()
	f.old.refresh.Store(nil)
	f.old.refreshAt.Store(c.refreshAt(c.now()))
	if panicked, ok := err.(*PanicError); ok {
		c.disposal.note(fmt.Errorf("cache: refreshing %v: %w", f.entry.key, panicked))
	}
}

// stopRefresh cancels the refresh under way, if any, of a value that has left the cache.
func (e *entry[K, V]) stopRefresh(phase uint64) {
	if f := e.refresh.Load(); f != nil && f.entry.settle(phase) {
		f.end()
	}
}
