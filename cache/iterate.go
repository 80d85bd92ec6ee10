package cache

import "iter"

// All iterates over the keys and values, in no order. It is weakly consistent, not a snapshot: a key that has a value
// during the whole iteration comes exactly once; one that gets or loses its value meanwhile comes once or not at all;
// each value was its key's current one at some moment of the iteration. Creations under way are left out. Nothing
// comes after Close.
//
// The loop body runs under no lock and may call any method of the cache. The iteration briefly locks one bucket of
// five keys after another, and buffers no more than that.
func (c *Cache[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for _, m := range c.table.shards() {
			more := true
			m.Range(func(key K, _ item[K, V]) bool {
				// The bucket may belong to a table that has been replaced since: look the key up again.
				if it, ok := c.look(key, 0); ok {
					more = yield(key, it.value)
				}
				return more
			})
			if !more {
				return
			}
		}
	}
}

// Range calls f for each key and value until it returns false, with the consistency of [Cache.All].
func (c *Cache[K, V]) Range(f func(key K, value V) bool) { c.All()(f) }
