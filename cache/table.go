package cache

import (
	"hash/maphash"
	"math/bits"
	"sync/atomic"

	"github.com/puzpuzpuz/xsync/v3"
)

// item is what the map holds for a key. It is immutable: a change replaces the item in one atomic store of the map, so a
// reader needs only the map's lock-free Load and never sees half of a change.
type item[K comparable, V any] struct {
	value   V
	version uint64
	// entry is nil for a plain value, which any reader may take as it is. It is set while the value is being created,
	// for closers, and for values that expire, are evicted or are refreshed.
	entry *entry[K, V]
}

// shard is one map. Only code of this package runs under its bucket locks, never the user's: the functions given to
// LoadOrCompute and Compute compare, count and allocate; they do not panic, and wait for nothing but the lock of disposal,
// which is held for a few instructions.
type shard[K comparable, V any] = xsync.MapOf[K, item[K, V]]

// table spreads the keys over shards. A cache is open as long as its table is reachable: closing it stores nil, which
// readers notice without a further check.
type table[K comparable, V any] struct {
	// single is the only shard of a cache whose hits only read; many holds the shards of all other caches. One of
	// them is nil from the start, and both are nil after close.
	single atomic.Pointer[shard[K, V]]
	many   atomic.Pointer[[]*shard[K, V]]
	hasher func(key K, seed uint64) uint64 // nil: table.hash uses maphash, and the maps use xsync's default
	seed   maphash.Seed
	shift  uint // a key's shard is its hash >> shift

	// generations count the changes of keys, striped by hash (stamp.go); changed under the key's bucket lock.
	generations [generationStripes]atomic.Uint64
}

// open makes the shards: n of them, with room for capacity entries together.
func (t *table[K, V]) open(n, capacity int, plainHits bool) {
	t.seed = maphash.MakeSeed()
	t.shift = uint(64 - bits.Len(uint(n-1)))
	t.hasher = hasher[K]()
	shards := make([]*shard[K, V], n)
	for i := range shards {
		room := xsync.WithPresize((capacity + n - 1) / n)
		if t.hasher != nil {
			shards[i] = xsync.NewMapOfWithHasher[K, item[K, V]](t.hasher, room)
		} else {
			shards[i] = xsync.NewMapOf[K, item[K, V]](room)
		}
	}
	if n == 1 && plainHits {
		t.single.Store(shards[0])
	} else {
		t.many.Store(&shards)
	}
}

// isOpen reports whether close has not been called.
func (t *table[K, V]) isOpen() bool { return t.single.Load() != nil || t.many.Load() != nil }

// close makes the table unreachable and returns its shards, or nil if it was closed already.
func (t *table[K, V]) close() []*shard[K, V] {
	if m := t.single.Swap(nil); m != nil {
		return []*shard[K, V]{m}
	}
	if many := t.many.Swap(nil); many != nil {
		return *many
	}
	return nil
}

// shards returns the shards, or nil after close.
func (t *table[K, V]) shards() []*shard[K, V] {
	if m := t.single.Load(); m != nil {
		return []*shard[K, V]{m}
	}
	if many := t.many.Load(); many != nil {
		return *many
	}
	return nil
}

// shard returns the shard of a key, or nil after close.
func (t *table[K, V]) shard(key K) *shard[K, V] {
	if m := t.single.Load(); m != nil {
		return m
	}
	many := t.many.Load()
	if many == nil {
		return nil
	}
	if len(*many) == 1 {
		return (*many)[0]
	}
	return (*many)[t.hash(key)>>t.shift]
}

// hash chooses a key's shard and stripe. The maps hash with seeds of their own.
func (t *table[K, V]) hash(key K) uint64 {
	if t.hasher != nil {
		return t.hasher(key, hashSeed)
	}
	return maphash.Comparable(t.seed, key)
}

// change is the decision of a function given to swap.
type change int

const (
	keep change = iota
	put
	remove
)

// swap changes the item of a key under its bucket lock. next gets the current item and whether there is one; with put,
// the item that next returns replaces it. swap returns the item from before. After close swap does not call next and
// changes nothing; it checks that under the lock too, so close can rely on it.
func (t *table[K, V]) swap(
	m *shard[K, V], key K, next func(cur item[K, V], ok bool) (item[K, V], change),
) (before item[K, V], done change) {
	m.Compute(key, func(cur item[K, V], ok bool) (item[K, V], bool) {
		if !t.isOpen() {
			return cur, !ok
		}
		var fresh item[K, V]
		before = cur
		fresh, done = next(cur, ok)
		switch done {
		case put:
			return fresh, false
		case remove:
			return cur, true
		}
		return cur, !ok // Compute cannot leave an item alone: an existing one is stored again, a missing one is "deleted"
	})
	return before, done
}

// unlink removes e's item if e is still the entry of its key.
func (t *table[K, V]) unlink(e *entry[K, V]) bool {
	m := t.shard(e.key)
	if m == nil {
		return false
	}
	if it, _ := m.Load(e.key); it.entry != e {
		return false
	}
	_, done := t.swap(m, e.key, func(cur item[K, V], _ bool) (item[K, V], change) {
		if cur.entry == e {
			return cur, remove
		}
		return cur, keep
	})
	return done == remove
}
