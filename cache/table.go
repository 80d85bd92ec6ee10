package cache

import (
	"hash/maphash"
	"math/bits"
	"sync/atomic"

	"github.com/puzpuzpuz/xsync/v3"
)

// item is what a key stands for in the map. It is immutable: a change puts another item in its place, which the map does
// in one atomic store, so a reader needs nothing but the map's lock-free Load and never sees half of a change.
type item[K comparable, V any] struct {
	value   V
	version uint64
	// entry is nil for a plain value, which any reader may take as it is. It is set while the value is under creation,
	// for closers, and for values that an option has to keep an eye on.
	entry *entry[K, V]
}

// shard is one map. Only code of this package runs under its bucket locks, never the user's: the functions given to
// LoadOrCompute and Compute compare, count and allocate; they neither block nor panic.
type shard[K comparable, V any] = xsync.MapOf[K, item[K, V]]

// table spreads the keys over shards. That it can be reached is what makes a cache open: closing it is one store of nil,
// which readers notice without a further check.
type table[K comparable, V any] struct {
	// single is the only shard of a cache whose hits have to do nothing but read; many has the shards of all others.
	// One of them is nil from the beginning and both are after close.
	single atomic.Pointer[shard[K, V]]
	many   atomic.Pointer[[]*shard[K, V]]
	hasher func(key K, seed uint64) uint64 // nil: maphash, and in the maps what xsync has
	seed   maphash.Seed
	shift  uint // a key's shard is its hash >> shift

	// generations count the changes of keys, striped by hash; see stamp.go. Changed under the bucket lock of the key.
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

// isOpen reports whether close has not come yet.
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

// hash is what shards and stripes are chosen by. The maps hash with seeds of their own.
func (t *table[K, V]) hash(key K) uint64 {
	if t.hasher != nil {
		return t.hasher(key, hashSeed)
	}
	return maphash.Comparable(t.seed, key)
}

// change is what a function given to swap decides.
type change int

const (
	keep change = iota
	put
	remove
)

// swap changes the item of a key under its bucket lock. next gets the item and whether there is one; with put, the item
// becomes the one that it returns. swap returns what was there before. After close next is not called and nothing
// changes: that is decided under the lock too, so close can rely on it.
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
		return cur, !ok // Compute has no "leave it": what is there is stored again, what is not is "deleted"
	})
	return before, done
}

// unlink removes e's item if e is still what its key stands for.
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
