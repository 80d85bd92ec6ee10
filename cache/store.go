package cache

import "fmt"

// standing says what a key has, as far as a writer is concerned.
type standing int

const (
	vacant   standing = iota // nothing, an error that is remembered, or what is left of a creation that came to nothing
	underWay                 // a creation
	valued                   // a value that has not expired
	lapsed                   // an expired value
)

// standing judges an item at a time.
func (it item[K, V]) standing(ok bool, now int64) standing {
	if !ok {
		return vacant
	}
	if it.entry == nil {
		return valued
	}
	switch phase(it.entry.state.Load()) {
	case phasePending:
		return underWay
	case phaseReady:
		if it.entry.expired(now) {
			return lapsed
		}
		return valued
	}
	return vacant
}

// condition decides, under a bucket lock, whether a key's item may be changed.
type condition[K comparable, V any] func(cur item[K, V], is standing) bool

// always is the condition of Set, Delete and Invalidate.
func always[K comparable, V any](item[K, V], standing) bool { return true }

// hasVersion is the condition that the key has that version; 0 stands for no value.
func hasVersion[K comparable, V any](version uint64) condition[K, V] {
	return func(cur item[K, V], is standing) bool {
		if is != valued {
			return version == 0
		}
		return cur.version == version
	}
}

// store puts v in the place of the key's item if the condition is met. It returns the new version, or 0 if it was not.
func (c *Cache[K, V]) store(key K, v V, when condition[K, V]) (uint64, error) {
	m := c.table.shard(key)
	if m == nil {
		return 0, ErrClosed
	}
	if unequal(key) {
		return 0, fmt.Errorf("%w: %v", ErrKey, key)
	}
	stripe, now := c.table.stripe(key), c.now()
	weight := c.weigh(key, v) // before v is taken: it may panic
	flags := c.adopt(v)
	fresh := item[K, V]{value: v}
	if c.keepsEntry(flags) {
		fresh.entry = &entry[K, V]{key: key, value: v, expires: c.order.deadline(now), weight: weight}
		fresh.entry.refreshAt.Store(c.refreshAt(now))
	}
	before, did := c.table.swap(m, key, func(cur item[K, V], ok bool) (item[K, V], change) {
		if !when(cur, cur.standing(ok, now)) {
			return cur, keep
		}
		c.table.generations[stripe].Add(1)
		fresh.version = c.versions.Add(1)
		if e := fresh.entry; e != nil {
			e.version = fresh.version
			e.state.Store(phaseReady | flags)
		}
		return fresh, put
	})
	if did != put {
		c.disown(v)
		if !c.table.isOpen() {
			return 0, ErrClosed
		}
		return 0, nil
	}
	c.release(c.admit(fresh.entry, now, c.displaced(key, before, Replaced, now))...)
	return fresh.version, nil
}

// drop removes the key's item if the condition is met, and reports whether that was a value.
func (c *Cache[K, V]) drop(key K, cause Cause, when condition[K, V]) bool {
	m := c.table.shard(key)
	if m == nil {
		return false
	}
	stripe, now := c.table.stripe(key), c.now()
	var is standing
	before, did := c.table.swap(m, key, func(cur item[K, V], ok bool) (item[K, V], change) {
		if is = cur.standing(ok, now); !when(cur, is) {
			return cur, keep
		}
		c.table.generations[stripe].Add(1)
		if !ok {
			return cur, keep
		}
		return cur, remove
	})
	if did != remove {
		return false
	}
	c.release(c.displaced(key, before, cause, now)...)
	return is == valued
}

// keepsEntry reports whether a value with these state flags stays connected with its entry once it is published.
func (c *Cache[K, V]) keepsEntry(flags uint64) bool {
	return flags != 0 || c.order.on || c.refreshAfter > 0
}

// displaced ends an item that the caller has just taken out of the map, and returns it if it was a value: the caller
// then owes it a call of release. It runs no user code.
func (c *Cache[K, V]) displaced(key K, it item[K, V], cause Cause, now int64) []removal[K, V] {
	if it.version == 0 && it.entry == nil {
		return nil // there was none
	}
	if e := it.entry; e != nil {
		f := e.flight.Load() // before settling: a decided entry has none
		if e.settle(phaseSuperseded) {
			f.end()
			return nil
		}
		switch phase(e.state.Load()) {
		case phaseReady:
			e.stopRefresh(phaseSuperseded)
		case phaseRemembered:
			c.failures.forget(e)
			return nil
		default:
			return nil
		}
		if e.expired(now) {
			cause = Expired
		}
	} else if c.onRemoval == nil { // a plain value, of which nobody is told: that is all
		c.counters.remove(cause)
		return nil
	}
	return []removal[K, V]{{item: it, key: key, cause: cause}}
}

// admit enters a published value in the order, takes those that have to go for it out of the map, and appends them to
// gone. It runs no user code.
func (c *Cache[K, V]) admit(e *entry[K, V], now int64, gone []removal[K, V]) []removal[K, V] {
	if !c.order.on {
		return gone
	}
	expired, evicted := c.order.add(e, now)
	return c.unlist(c.unlist(gone, expired, Expired), evicted, Evicted)
}

// unequal reports whether a key differs from itself.
func unequal[K comparable](key K) bool {
	same := key
	return key != same
}
