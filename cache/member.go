package cache

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

// KeyCodec converts keys to the strings that travel on a [Bus], and back. Encode must map different keys to
// different strings; Decode gets every string that was published on the bus, and no other. Any number of goroutines may
// call the functions at once; the cache calls them under no lock.
type KeyCodec[K comparable] struct {
	Encode func(K) string
	Decode func(string) (K, error)
}

// Member connects a cache with a [Bus]. It is safe for concurrent use.
type Member[K comparable, V any] struct {
	cache *Cache[K, V]
	bus   Bus
	codec KeyCodec[K]
	stop  func()
	left  atomic.Bool // set before stop is called: from then on Publish may not reach this cache
	// applied is the greatest generation received; invalidated is the same for each stripe of keys. Both only grow,
	// and are raised before the cache is changed.
	applied     atomic.Uint64
	invalidated [generationStripes]atomic.Uint64
}

// Join makes c follow the invalidations on bus until [Member.Leave]. It fails without an argument, or if the bus fails.
func Join[K comparable, V any](c *Cache[K, V], bus Bus, codec KeyCodec[K]) (*Member[K, V], error) {
	if c == nil || bus == nil || codec.Encode == nil || codec.Decode == nil {
		return nil, errors.New("cache: Join needs a cache, a bus, and both functions of the codec")
	}
	m := &Member[K, V]{cache: c, bus: bus, codec: codec}
	stop, err := bus.Subscribe(m.receive)
	if err != nil {
		return nil, fmt.Errorf("cache: subscribing to the bus: %w", err)
	}
	m.stop = stop
	return m, nil
}

// Leave ends the membership. The cache stays open and receives no more messages; so Fill takes nothing any more, and
// Generation stays as it is.
func (m *Member[K, V]) Leave() {
	m.left.Store(true)
	m.stop()
}

// Invalidate invalidates key here and tells the other members. Call it after the change of the underlying data has been
// committed, because a creation that starts afterwards must read the new state. After an error the key is invalid here,
// but other members may not know.
func (m *Member[K, V]) Invalidate(ctx context.Context, key K) error {
	_, err := m.bus.Publish(ctx, m.codec.Encode(key))
	if err != nil || m.left.Load() {
		m.cache.Invalidate(key)
	}
	if err != nil {
		return fmt.Errorf("cache: publishing the invalidation of %v: %w", key, err)
	}
	return nil
}

// Generation returns the greatest generation received so far. A value read from the underlying data after this call may
// be filled in with it.
func (m *Member[K, V]) Generation() uint64 { return m.applied.Load() }

// Fill makes v, which was read at the generation given, the value of key, unless the key has a value or a creation under
// way, or a later message invalidated it. It reports whether v was taken; false can also come from a message about
// another key. A [Stamp] does the same for changes in this instance; use [Cache.Fill] if there can be any.
func (m *Member[K, V]) Fill(key K, v V, generation uint64) bool {
	i := m.cache.table.stripe(key)
	version, err := m.cache.store(key, v, func(_ item[K, V], is standing) bool {
		return is != underWay && is != valued && m.invalidated[i].Load() <= generation && !m.left.Load()
	})
	return err == nil && version != 0
}

// receive applies a message. It raises the generations first: a Fill that misses them is undone by the Invalidate below.
func (m *Member[K, V]) receive(msg Message) {
	raise(&m.applied, msg.Generation)
	var key K
	all := msg.All
	if !all {
		var err error
		key, err = m.codec.Decode(msg.Key)
		all = err != nil // a key that cannot be decoded may be any key
	}
	if all {
		for i := range m.invalidated {
			raise(&m.invalidated[i], msg.Generation)
		}
		m.cache.InvalidateAll()
		return
	}
	raise(&m.invalidated[m.cache.table.stripe(key)], msg.Generation)
	m.cache.Invalidate(key)
}

// raise makes x at least v.
func raise(x *atomic.Uint64, v uint64) {
	for {
		old := x.Load()
		if old >= v || x.CompareAndSwap(old, v) {
			return
		}
	}
}
