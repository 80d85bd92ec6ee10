package cache

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

// KeyCodec turns keys into the strings that travel on a [Bus] and back. Encode must give different keys different
// strings. The functions are called by any number of goroutines, under no lock.
type KeyCodec[K comparable] struct {
	Encode func(K) string
	Decode func(string) (K, error)
}

// Member connects a cache with a [Bus]. It is safe for any number of goroutines.
type Member[K comparable, V any] struct {
	cache *Cache[K, V]
	bus   Bus
	codec KeyCodec[K]
	stop  func()
	// applied is the greatest generation received; invalidated the same for each stripe of keys. Both only grow, and
	// before the cache is changed.
	applied     atomic.Uint64
	invalidated [generationStripes]atomic.Uint64
}

// Join makes c follow the invalidations on a bus until [Member.Leave]. The error says what is missing, or is the bus's.
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

// Leave ends the membership. The cache stays open, and hears of nothing any more.
func (m *Member[K, V]) Leave() { m.stop() }

// Invalidate invalidates key here and tells the other members. Call it after the change of the truth has been committed:
// whoever creates the value anew afterwards must read the new state. After an error the key is invalid here, but others
// may not know.
func (m *Member[K, V]) Invalidate(ctx context.Context, key K) error {
	if _, err := m.bus.Publish(ctx, m.codec.Encode(key)); err != nil {
		m.cache.Invalidate(key)
		return fmt.Errorf("cache: publishing the invalidation of %v: %w", key, err)
	}
	return nil
}

// Generation returns the greatest generation received so far. A value that is read from the truth after that call may be
// filled in with it.
func (m *Member[K, V]) Generation() uint64 { return m.applied.Load() }

// Fill makes v, which was read at the generation given, the value of key, unless the key has a value or a creation under
// way, or was invalidated by a later message. It reports whether v was taken; false can also come from a message about
// another key. A [Stamp] does the same for changes in this instance; use [Cache.Fill] if there can be any.
func (m *Member[K, V]) Fill(key K, v V, generation uint64) bool {
	i := m.cache.table.stripe(key)
	version, err := m.cache.store(key, v, func(_ item[K, V], is standing) bool {
		return is != underWay && is != valued && m.invalidated[i].Load() <= generation
	})
	return err == nil && version != 0
}

// receive applies a message. The stamps come first: a Fill that has missed them is undone by what follows.
func (m *Member[K, V]) receive(msg Message) {
	raise(&m.applied, msg.Generation)
	key, err := m.codec.Decode(msg.Key)
	if msg.All || err != nil { // a key that cannot be read may be any
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
