package peers

import (
	"context"
	"fmt"

	"github.com/Yiling-J/theine-go"
)

// Theine is a loading cache of theine.
type Theine[K comparable, V any] struct{ *theine.LoadingCache[K, V] }

// creatorKey is the context key of the creator of one call: theine takes its loader when the cache is built, and
// only the context distinguishes one call from another.
type creatorKey struct{}

// NewTheine returns a cache for at least capacity entries.
func NewTheine[K comparable, V any](capacity int) (*Theine[K, V], error) {
	// Below some size the policy evicts much earlier than at its maximum.
	c, err := theine.NewBuilder[K, V](int64(2*capacity + 1000)).BuildWithLoader(
		func(ctx context.Context, key K) (theine.Loaded[V], error) {
			create, ok := ctx.Value(creatorKey{}).(func(context.Context) (V, error))
			if !ok {
				return theine.Loaded[V]{}, fmt.Errorf("theine: no creator for %v: %w", key, ErrNoValue)
			}
			v, err := create(ctx)
			return theine.Loaded[V]{Value: v, Cost: 1}, err
		})
	if err != nil {
		return nil, err
	}
	return &Theine[K, V]{c}, nil
}

// GetOrCreate implements [Cache]. The context carries the creator.
func (c *Theine[K, V]) GetOrCreate(ctx context.Context, key K, create func(context.Context) (V, error)) (V, error) {
	return c.LoadingCache.Get(context.WithValue(ctx, creatorKey{}, create), key)
}

// Get implements [Cache] by a load that fails: a loading cache has no other way to ask.
func (c *Theine[K, V]) Get(key K) (V, bool) {
	v, err := c.LoadingCache.Get(context.Background(), key)
	return v, err == nil
}

// Set implements [Cache].
func (c *Theine[K, V]) Set(key K, v V) bool { return c.LoadingCache.Set(key, v, 1) }

// Close implements [Closer].
func (c *Theine[K, V]) Close() error {
	c.LoadingCache.Close()
	return nil
}
