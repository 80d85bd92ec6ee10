package peers

import (
	"context"

	"github.com/jellydator/ttlcache/v3"
	"golang.org/x/sync/singleflight"
)

// TTLCache is a cache of ttlcache without a time to live, with its suppressing loader. Its cleaner, which only removes
// expired entries, is not started.
type TTLCache[K comparable, V any] struct {
	*ttlcache.Cache[K, V]
	flights singleflight.Group
}

// NewTTLCache returns an empty cache.
func NewTTLCache[K comparable, V any]() *TTLCache[K, V] {
	return &TTLCache[K, V]{Cache: ttlcache.New(ttlcache.WithDisableTouchOnHit[K, V]())}
}

// GetOrCreate implements [Cache]. The creator is the loader of this one call. A loader has no context and returns no
// error: a failure reaches the caller whose loader ran, past the library, and the others get ErrNoValue.
func (c *TTLCache[K, V]) GetOrCreate(
	ctx context.Context, key K, create func(context.Context) (V, error),
) (v V, err error) {
	load := ttlcache.LoaderFunc[K, V](func(into *ttlcache.Cache[K, V], key K) *ttlcache.Item[K, V] {
		made, failed := create(ctx)
		if failed != nil {
			err = failed
			return nil
		}
		return into.Set(key, made, ttlcache.NoTTL)
	})
	item := c.Cache.Get(key, ttlcache.WithLoader[K, V](ttlcache.NewSuppressedLoader[K, V](load, &c.flights)))
	switch {
	case item != nil:
		return item.Value(), nil
	case err == nil:
		err = ErrNoValue
	}
	return v, err
}

// Get implements [Cache].
func (c *TTLCache[K, V]) Get(key K) (v V, ok bool) {
	item := c.Cache.Get(key)
	if item == nil {
		return v, false
	}
	return item.Value(), true
}

// Set implements [Cache].
func (c *TTLCache[K, V]) Set(key K, v V) bool { return c.Cache.Set(key, v, ttlcache.NoTTL) != nil }

// Range implements [Ranger].
func (c *TTLCache[K, V]) Range(f func(K, V) bool) {
	c.Cache.Range(func(item *ttlcache.Item[K, V]) bool { return f(item.Key(), item.Value()) })
}
