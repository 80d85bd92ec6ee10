package peers

import (
	"context"

	"github.com/jacquard-go/jacquard/cache"
)

// Jacquard is the cache of this repository.
type Jacquard[K comparable, V any] struct{ *cache.Cache[K, V] }

// NewJacquard returns an unbounded cache with room for capacity entries.
func NewJacquard[K comparable, V any](capacity int) (*Jacquard[K, V], error) {
	c, err := cache.New(cache.Config[K, V]{Capacity: capacity})
	if err != nil {
		return nil, err
	}
	return &Jacquard[K, V]{c}, nil
}

// Set implements [Cache].
func (c *Jacquard[K, V]) Set(key K, v V) bool { return c.Cache.Set(key, v) == nil }

// Delete implements [Cache].
func (c *Jacquard[K, V]) Delete(key K) { c.Cache.Delete(key) }

// GetVersion implements [Versioner].
func (c *Jacquard[K, V]) GetVersion(key K) (V, uint64, bool) {
	v, ok := c.Cache.GetVersion(key)
	return v.Value, v.Version, ok
}

// CompareAndSwap implements [Versioner].
func (c *Jacquard[K, V]) CompareAndSwap(key K, version uint64, v V) bool {
	_, ok := c.Cache.CompareAndSwap(key, version, v)
	return ok
}

// Acquire implements [Leaser].
func (c *Jacquard[K, V]) Acquire(
	ctx context.Context, key K, create func(context.Context) (V, error),
) (v V, release func(), err error) {
	l, err := c.Cache.Acquire(ctx, key, create)
	if err != nil {
		return v, nil, err
	}
	return l.Value(), l.Release, nil
}

// Stamp implements [Stamper].
func (c *Jacquard[K, V]) Stamp(key K) func(V) bool {
	stamp := c.Cache.Stamp(key)
	return func(v V) bool { return c.Fill(key, v, stamp) }
}
