package cache

// Versioned is a value together with the version under which it was read.
type Versioned[V any] struct {
	Value V
	// Version identifies this object under its key. It is never 0 and never used twice in a cache; later objects of
	// a key have greater versions.
	Version uint64
}

// GetVersion is [Cache.Get] with the version, for a later [Cache.CompareAndSwap] or [Cache.CompareAndDelete].
func (c *Cache[K, V]) GetVersion(key K) (Versioned[V], bool) {
	it, ok := c.find(key)
	return Versioned[V]{Value: it.value, Version: it.version}, ok
}

// CompareAndSwap makes v the value of key if the key still has the version given, and returns the new version. Version 0
// means "no value": then it succeeds only if there is none, and supersedes a creation under way. ok is false if the key
// has another version or is not equal to itself, or the cache is closed; then v is not taken. A call that fails because
// of the version usually costs one lock-free read.
func (c *Cache[K, V]) CompareAndSwap(key K, version uint64, v V) (newVersion uint64, ok bool) {
	if !c.hasNow(key, version) {
		return 0, false
	}
	newVersion, err := c.store(key, v, hasVersion[K, V](version))
	return newVersion, err == nil && newVersion != 0
}

// CompareAndDelete removes the value of key if it still has the version given, and reports whether it did.
func (c *Cache[K, V]) CompareAndDelete(key K, version uint64) bool {
	return version != 0 && c.hasNow(key, version) && c.drop(key, Deleted, hasVersion[K, V](version))
}

// hasNow checks hasVersion with a lock-free read.
func (c *Cache[K, V]) hasNow(key K, version uint64) bool {
	m := c.table.shard(key)
	if m == nil {
		return false
	}
	it, ok := m.Load(key)
	is := it.standing(ok, c.now())
	if is == valued && it.entry != nil {
		it = it.entry.item() // the item loaded may date from before the creation was decided
	}
	return hasVersion[K, V](version)(it, is)
}
