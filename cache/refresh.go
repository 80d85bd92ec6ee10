package cache

import (
	"context"
	"fmt"
)

// Refresh ahead: a value that is older than Config.RefreshAfter is created anew behind the back of those who get it. The
// creation hangs on the entry of the old value, and not in the map, so nobody waits for it; its own entry takes that one's
// place, if that one is still there.

// refreshAt is when a value of this moment is to be refreshed; 0 is never.
func (c *Cache[K, V]) refreshAt(now int64) int64 {
	if c.refreshAfter == 0 {
		return 0
	}
	return after(now, c.refreshAfter)
}

// refresh begins to create e's value anew, if it is time and nobody has begun. That the cache is open, and e still what
// its key stands for, is decided under the bucket lock, as for every creation: so Close is bound to find it.
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

// unrefreshed ends a refresh that has come to nothing. The old value stays, and after as long again it is refreshed again.
func (c *Cache[K, V]) unrefreshed(f *flight[K, V], err error) {
	f.entry.settle(phaseFailed)
	f.land()
	f.old.refresh.Store(nil)
	f.old.refreshAt.Store(c.refreshAt(c.now()))
	if panicked, ok := err.(*PanicError); ok {
		c.disposal.note(fmt.Errorf("cache: refreshing %v: %w", f.entry.key, panicked))
	}
}

// stopRefresh ends a refresh of a value that has left the cache, if there is one.
func (e *entry[K, V]) stopRefresh(phase uint64) {
	if f := e.refresh.Load(); f != nil && f.entry.settle(phase) {
		f.end()
	}
}
