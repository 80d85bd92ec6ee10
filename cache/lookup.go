package cache

// access says how a caller takes a value.
type access uint8

const (
	touch access = 1 << iota // count it as a hit, and as a use for the eviction policy
	lease                    // with a lease
)

// find is look for calls that do nothing else; it counts a miss.
func (c *Cache[K, V]) find(key K) (item[K, V], bool) {
	it, ok := c.look(key, touch)
	if !ok {
		c.counters.miss()
	}
	return it, ok
}

// look returns the item of a key if it is a value that may be handed out. It takes no lock, unless it finds an
// expired value, which it removes.
func (c *Cache[K, V]) look(key K, how access) (it item[K, V], ok bool) {
	for {
		m := c.table.shard(key)
		if m == nil {
			return item[K, V]{}, false
		}
		it, ok = m.Load(key)
		if !ok {
			return item[K, V]{}, false
		}
		if e := it.entry; e != nil {
			switch c.offer(e, how) {
			case absent:
				return item[K, V]{}, false
			case stale:
				continue
			}
			it = e.item() // the item loaded may date from before the creation was decided
		}
		if how&touch != 0 {
			c.counters.hit()
		}
		return it, true
	}
}

// offered is the result of offer.
type offered int

const (
	taken  offered = iota
	absent         // the entry has no value
	stale          // the entry has been removed since: look the key up again
)

// offer hands out the value of an entry.
func (c *Cache[K, V]) offer(e *entry[K, V], how access) offered {
	s := e.state.Load()
	if phase(s) != phaseReady {
		return absent
	}
	if e.expires != 0 && e.expired(c.now()) {
		c.release(c.unlist(nil, []*entry[K, V]{e}, Expired)...)
		return absent
	}
	if s&closer != 0 && !c.take(e, 0, how) {
		return stale
	}
	if how&touch != 0 && c.order.limited {
		e.visit()
	}
	return taken
}

// take secures a closer for a caller, and drops drop (0 or oneRef) references with it. It pins the value, or leases it,
// in which case a waiter's reference becomes the lease. False means that the entry was removed first; this cannot happen
// to a caller that holds a reference.
func (c *Cache[K, V]) take(e *entry[K, V], drop uint64, how access) bool {
	if how&lease != 0 {
		return drop != 0 || e.lease()
	}
	ok, retire := e.pin(drop)
	if retire {
		c.retire(e)
	}
	return ok
}

// unlist removes entries that order has dropped from the map, and appends those that were still there to gone.
func (c *Cache[K, V]) unlist(gone []removal[K, V], entries []*entry[K, V], cause Cause) []removal[K, V] {
	for _, e := range entries {
		if c.table.unlink(e) {
			e.stopRefresh(phaseSuperseded)
			gone = append(gone, removal[K, V]{item: e.item(), key: e.key, cause: cause})
		}
	}
	return gone
}
