package cache

// Stamp marks a moment in the history of a key; see [Cache.Stamp]. The zero Stamp is never current.
type Stamp struct{ stripe, next uint64 }

// generationStripes is the number of change counters that all keys share. A change of one key makes a Fill of another
// key of its stripe fail, which costs a read. Counters per key could never be freed.
const generationStripes = 64

// Stamp returns the present moment for a later [Cache.Fill]. Take it before reading what will be filled in. It costs
// one atomic load.
func (c *Cache[K, V]) Stamp(key K) Stamp {
	i := c.table.stripe(key)
	return Stamp{i, c.table.generations[i].Load() + 1}
}

// Fill makes v the value of key, unless the key has a value or a creation under way, or was set, deleted or invalidated
// since the stamp was taken, here or through a [Bus]. So data read before an invalidation can never be stored after it,
// however late the reader is. It reports whether v was taken; false can also come from a change of another key.
func (c *Cache[K, V]) Fill(key K, v V, stamp Stamp) bool {
	i := c.table.stripe(key)
	version, err := c.store(key, v, func(_ item[K, V], is standing) bool {
		return is != underWay && is != valued && stamp == Stamp{i, c.table.generations[i].Load() + 1}
	})
	return err == nil && version != 0
}

func (t *table[K, V]) stripe(key K) uint64 {
	return t.hash(key) % generationStripes
}
