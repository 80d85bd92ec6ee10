package peers

import (
	"context"
	"fmt"
	"sync"

	"github.com/puzpuzpuz/xsync/v3"
	"golang.org/x/sync/singleflight"
)

// SyncMap is a sync.Map. Every caller that misses creates, and LoadOrStore decides whose value stays.
type SyncMap[K comparable, V any] struct{ m sync.Map }

// GetOrCreate implements [Cache].
func (c *SyncMap[K, V]) GetOrCreate(ctx context.Context, key K, create func(context.Context) (V, error)) (V, error) {
	if v, ok := c.m.Load(key); ok {
		return v.(V), nil
	}
	v, err := create(ctx)
	if err != nil {
		return v, err
	}
	stays, _ := c.m.LoadOrStore(key, v)
	return stays.(V), nil
}

// Get implements [Cache].
func (c *SyncMap[K, V]) Get(key K) (v V, ok bool) {
	got, ok := c.m.Load(key)
	if !ok {
		return v, false
	}
	return got.(V), true
}

// Set implements [Cache].
func (c *SyncMap[K, V]) Set(key K, v V) bool {
	c.m.Store(key, v)
	return true
}

// Delete implements [Cache].
func (c *SyncMap[K, V]) Delete(key K) { c.m.Delete(key) }

// Range implements [Ranger].
func (c *SyncMap[K, V]) Range(f func(K, V) bool) {
	c.m.Range(func(key, v any) bool { return f(key.(K), v.(V)) })
}

// Xsync is a raw xsync.MapOf, whose LoadOrTryCompute runs the creator.
type Xsync[K comparable, V any] struct{ *xsync.MapOf[K, V] }

// NewXsync returns a map with room for capacity entries.
func NewXsync[K comparable, V any](capacity int) *Xsync[K, V] {
	return &Xsync[K, V]{xsync.NewMapOf[K, V](xsync.WithPresize(capacity))}
}

// GetOrCreate implements [Cache]. It loads first, which is the faster way to a hit. The creator runs under the lock of
// the key's bucket; that is what the library offers.
func (c *Xsync[K, V]) GetOrCreate(
	ctx context.Context, key K, create func(context.Context) (V, error),
) (v V, err error) {
	if v, ok := c.MapOf.Load(key); ok {
		return v, nil
	}
	v, _ = c.LoadOrTryCompute(key, func() (made V, cancel bool) {
		made, err = create(ctx)
		return made, err != nil
	})
	return v, err
}

// Get implements [Cache].
func (c *Xsync[K, V]) Get(key K) (V, bool) { return c.MapOf.Load(key) }

// Set implements [Cache].
func (c *Xsync[K, V]) Set(key K, v V) bool {
	c.Store(key, v)
	return true
}

// Singleflight is the usual composition: a map, here xsync.MapOf, and a singleflight.Group for keys that are not in it.
type Singleflight[K comparable, V any] struct {
	*xsync.MapOf[K, V]
	flights singleflight.Group
}

// NewSingleflight returns a map with room for capacity entries.
func NewSingleflight[K comparable, V any](capacity int) *Singleflight[K, V] {
	return &Singleflight[K, V]{MapOf: xsync.NewMapOf[K, V](xsync.WithPresize(capacity))}
}

// GetOrCreate implements [Cache] by DoChan, so that a caller can stop waiting, and looks the key up again before it
// creates, so that a late caller does not create a second time.
func (c *Singleflight[K, V]) GetOrCreate(
	ctx context.Context, key K, create func(context.Context) (V, error),
) (v V, err error) {
	if v, ok := c.MapOf.Load(key); ok {
		return v, nil
	}
	result := c.flights.DoChan(flightKey(key), func() (any, error) {
		if v, ok := c.MapOf.Load(key); ok {
			return v, nil
		}
		v, err := create(ctx)
		if err == nil {
			c.Store(key, v)
		}
		return v, err
	})
	select {
	case r := <-result:
		v, _ = r.Val.(V)
		return v, r.Err
	case <-ctx.Done():
		return v, ctx.Err()
	}
}

// flightKey is the string that stands for a key in a singleflight.Group.
func flightKey[K comparable](key K) string {
	if s, ok := any(key).(string); ok {
		return s
	}
	return fmt.Sprint(key)
}

// Get implements [Cache].
func (c *Singleflight[K, V]) Get(key K) (V, bool) { return c.MapOf.Load(key) }

// Set implements [Cache].
func (c *Singleflight[K, V]) Set(key K, v V) bool {
	c.Store(key, v)
	return true
}
