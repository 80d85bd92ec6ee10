package cache

import "fmt"

// Cause says why a value left the cache.
type Cause int

// The causes of removal.
const (
	Deleted     Cause = iota // by Delete or CompareAndDelete
	Invalidated              // by Invalidate, InvalidateAll or a message of the Bus
	Replaced                 // by Set or CompareAndSwap
	Evicted                  // to keep to Config.MaxEntries or MaxWeight
	Expired                  // after Config.TTL
	Closed                   // by Close
	// Superseded is the cause for an object that never was in the cache: when its creator returned it, the key had been
	// set, deleted or invalidated, the last waiter had left, or the cache was closed.
	Superseded
	Refreshed // by a newer value, under Config.RefreshAfter

	causes = iota
)

// String returns the cause in lower case.
func (c Cause) String() string {
	names := [...]string{"deleted", "invalidated", "replaced", "evicted", "expired", "closed", "superseded", "refreshed"}
	if c < 0 || int(c) >= len(names) {
		return fmt.Sprintf("cause(%d)", int(c))
	}
	return names[c]
}

// Removal is the argument of Config.OnRemoval.
type Removal[K comparable, V any] struct {
	Key     K
	Value   V
	Version uint64 // 0 if Cause is Superseded
	Cause   Cause
}

// removal is an item that has been taken out of the map, and the cause.
type removal[K comparable, V any] struct {
	item[K, V]
	key   K
	cause Cause
	told  bool // the hook and the counters have been told already
}

// release completes removals: it calls the hook and closes the values that the cache must close. It runs user code.
func (c *Cache[K, V]) release(gone ...removal[K, V]) {
	each(gone, func(r removal[K, V]) {
		dispose := r.entry != nil && c.letGo(r)
		c.order.forget(r.entry) // after letGo has marked it
		c.tell(r, func() {
			if dispose {
				c.dispose(r.value)
			}
		})
	})
}

// discard does what release does, for an object that never was in the cache.
func (c *Cache[K, V]) discard(key K, v V) {
	c.tell(removal[K, V]{item: item[K, V]{value: v}, key: key, cause: Superseded}, func() { c.dispose(v) })
}

// letGo marks a removed entry and reports whether the cache must close its value now. A value that callers hold
// without a lease is retired until Close; Close itself does not wait for those callers.
func (c *Cache[K, V]) letGo(r removal[K, V]) bool {
	before, after := r.entry.remove(r.cause == Closed)
	if r.cause != Closed && before&(closer|unpinned) == closer {
		c.retire(r.entry)
	}
	return ownerless(after) && !ownerless(before)
}

// tell counts a removal, calls the hook, if there is one, and then calls next, even if the hook panicked.
func (c *Cache[K, V]) tell(r removal[K, V], next func()) {
	if !r.told {
		c.counters.remove(r.cause)
	}
	if r.told || c.onRemoval == nil {
		next()
		return
	}
	guarded(func() error {
		c.onRemoval(Removal[K, V]{Key: r.key, Value: r.value, Version: r.version, Cause: r.cause})
		return nil
	}, func(err error) {
		if err != nil {
			c.disposal.note(fmt.Errorf("cache: removal hook for %v: %w", r.key, err))
		}
		next()
	})
}

// each calls f, which may run user code, for each item. If f ends the goroutine, a deferred call handles the
// remaining items.
func each[T any](items []T, f func(T)) {
	i, done := 0, false
	defer func() {
		if !done {
			each(items[i+1:], f)
		}
	}()
	for ; i < len(items); i++ {
		f(items[i])
	}
	done = true
}
