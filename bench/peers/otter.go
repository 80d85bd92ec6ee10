package peers

import (
	"context"

	"github.com/maypok86/otter/v2"
)

// Otter is an unbounded cache of otter.
type Otter[K comparable, V any] struct{ *otter.Cache[K, V] }

// NewOtter returns a cache with room for capacity entries.
func NewOtter[K comparable, V any](capacity int) (*Otter[K, V], error) {
	c, err := otter.New(&otter.Options[K, V]{InitialCapacity: capacity})
	if err != nil {
		return nil, err
	}
	return &Otter[K, V]{c}, nil
}

// GetOrCreate implements [Cache]. The creator is a LoaderFunc.
func (c *Otter[K, V]) GetOrCreate(ctx context.Context, key K, create func(context.Context) (V, error)) (V, error) {
	return c.Cache.Get(ctx, key, otter.LoaderFunc[K, V](func(ctx context.Context, _ K) (V, error) { return create(ctx) }))
}

// Get implements [Cache].
func (c *Otter[K, V]) Get(key K) (V, bool) { return c.GetIfPresent(key) }

// Set implements [Cache].
func (c *Otter[K, V]) Set(key K, v V) bool {
	c.Cache.Set(key, v)
	return true
}

// Delete implements [Cache] by Invalidate, which is otter's only call of the kind.
func (c *Otter[K, V]) Delete(key K) { c.Cache.Invalidate(key) }

// Invalidate implements [Invalidator].
func (c *Otter[K, V]) Invalidate(key K) { c.Cache.Invalidate(key) }

// Range implements [Ranger].
func (c *Otter[K, V]) Range(f func(K, V) bool) { c.All()(f) }
