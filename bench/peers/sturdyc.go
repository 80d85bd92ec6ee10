package peers

import (
	"context"
	"time"

	"github.com/viccon/sturdyc"
)

// Sturdyc is a cache of sturdyc. Its keys are strings, and its values expire, here after a year.
type Sturdyc[V any] struct{ *sturdyc.Client[V] }

// NewSturdyc returns a cache for at least capacity entries. Its goroutine that removes expired entries is off, because it
// would never end.
func NewSturdyc[V any](capacity int) *Sturdyc[V] {
	const shards, year = 64, 365 * 24 * time.Hour
	// A full shard evicts, even if the others are not full.
	return &Sturdyc[V]{sturdyc.New[V](2*capacity+100*shards, shards, year, 10, sturdyc.WithNoContinuousEvictions())}
}

// GetOrCreate implements [Cache].
func (c *Sturdyc[V]) GetOrCreate(ctx context.Context, key string, create func(context.Context) (V, error)) (V, error) {
	return c.GetOrFetch(ctx, key, create)
}

// Set implements [Cache].
func (c *Sturdyc[V]) Set(key string, v V) bool {
	c.Client.Set(key, v)
	return true
}

// Range implements [Ranger]: a copy of the keys, each looked up.
func (c *Sturdyc[V]) Range(f func(string, V) bool) {
	for _, key := range c.ScanKeys() {
		if v, ok := c.Get(key); ok && !f(key, v) {
			return
		}
	}
}
