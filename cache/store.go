package cache

import "fmt"

// standing says what a key has, from a writer's point of view.
type standing int

const (
	vacant   standing = iota // nothing, a remembered error, or the entry of a creation that ended without a value
	underWay                 // a creation
	valued                   // a value that has not expired
	lapsed                   // an expired value
)

// standing classifies an item at the time now.
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

// hasVersion is the condition that the key's value has that version; 0 means that the key has no value.
func hasVersion[K comparable, V any](version uint64) condition[K, V] {
	return func(cur item[K, V], is standing) bool {
		if is != valued {
			return version == 0
		}
		return cur.version == version
	}
}

// store puts v in place of the key's item if the condition holds. It returns the new version, or 0 if it does not hold.
func (c *Cache[K, V]) store(key K, v V, when condition[K, V]) (uint64, error) {
	m := c.table.shard(key)
	if m == nil {
		return 0, ErrClosed
	}
	if unequal(key) {
		return 0, fmt.Errorf("%w: %v", ErrKey, key)
	}
	stripe, now := c.table.stripe(key), c.now()
	weight := c.weigh(key, v) // before v is taken: the weigher may panic
	x := c.closerOf(v)
	flags := flagsOf(x)
	fresh := item[K, V]{value: v}
	if c.keepsEntry(flags) {
		fresh.entry = &entry[K, V]{key: key, value: v, expires: c.order.deadline(now), weight: weight}
		fresh.entry.refreshAt.Store(c.refreshAt(now))
	}
	before, did := c.table.swap(m, key, func(cur item[K, V], ok bool) (item[K, V], change) {
		if !when(cur, cur.standing(ok, now)) {
			return cur, keep
		}
		c.disposal.hold(x) // not before: another entry that lets go of x would leave it to a call that does not take it
		c.table.generations[stripe].Add(1)
		fresh.version = c.versions.Add(1)
		if e := fresh.entry; e != nil {
			e.version = fresh.version
			e.state.Store(phaseReady | flags)
		}
		return fresh, put
	})
	if did != put {
		if !c.table.isOpen() {
			return 0, ErrClosed
		}
		return 0, nil
	}
	c.release(c.admit(fresh.entry, now, c.displaced(key, before, Replaced, now))...)
	return fresh.version, nil
}

// drop removes the key's item if the condition holds, and reports whether it removed a value.
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

// keepsEntry reports whether the map keeps the entry of a published value with these state flags.
func (c *Cache[K, V]) keepsEntry(flags uint64) bool {
	return flags != 0 || c.order.on || c.refreshAfter > 0
}

// displaced ends an item that the caller has just taken out of the map, and returns it if it was a value: the caller
// must then call release. It runs no user code.
func (c *Cache[K, V]) displaced(key K, it item[K, V], cause Cause, now int64) []removal[K, V] {
	if it.version == 0 && it.entry == nil {
		return nil // there was no item
	}
	if e := it.entry; e != nil {
		f := e.flight.Load() // before settling: a decided entry has no flight
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
	} else if c.onRemoval == nil { // a plain value without a hook needs only the counter
		c.counters.remove(cause)
		return nil
	}
	return []removal[K, V]{{item: it, key: key, cause: cause}}
}

// admit adds a published value to order, removes the values that order drops for it from the map, and appends them to
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
