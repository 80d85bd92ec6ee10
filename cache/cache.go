package cache

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Cache maps keys to values that are created on demand, one creation and one object per key however many goroutines
// ask. See the package documentation for its guarantees.
//
// All methods are safe for any number of goroutines. Reads take no lock. A Cache must not be copied; create it with
// [New] and end it with [Cache.Close].
type Cache[K comparable, V any] struct {
	table        table[K, V]
	versions     atomic.Uint64  // the last version handed out
	creations    sync.WaitGroup // creations that were published and have not ended
	pilots       sync.Pool      // of *pilot[K, V], reused by launch
	disposal     disposal[K, V] // closes values
	order        order[K, V]    // expiry and eviction, if order.on
	failures     failures[K, V] // remembered errors, if Config.ErrorTTL is set
	counters     *counters      // nil if off
	refreshAfter int64          // in ns; 0 means never
	onRemoval    func(Removal[K, V])
	weigher      func(K, V) int64 // nil if there is no MaxWeight
	clock        func() time.Time
}

// New returns an empty cache. An error means that cfg is invalid and names the invalid field.
func New[K comparable, V any](cfg Config[K, V]) (*Cache[K, V], error) {
	cfg, err := cfg.checked()
	if err != nil {
		return nil, err
	}
	c := &Cache[K, V]{onRemoval: cfg.OnRemoval, weigher: cfg.Weigher, clock: cfg.Now, refreshAfter: int64(cfg.RefreshAfter)}
	c.order.limited = cfg.MaxEntries > 0 || cfg.MaxWeight > 0
	c.order.on = c.order.limited || cfg.TTL > 0
	c.order.max, c.order.maxWeight, c.order.ttl = cfg.MaxEntries, cfg.MaxWeight, int64(cfg.TTL)
	c.failures.ttl, c.failures.max = cfg.ErrorTTL, cfg.MaxEntries
	if cfg.Count {
		c.counters = new(counters)
	}
	c.disposal.mayClose = canClose[V]()
	c.table.open(cfg.Shards, cfg.Capacity, !cfg.Count)
	return c, nil
}

// GetOrCreate returns the value of key and, if there is none, creates it.
//
// A hit takes no lock, does not allocate and does not look at ctx or create. On a miss create is called once, and every
// caller that asks for key meanwhile waits for that call. Its context carries the values of one caller's ctx but neither
// its deadline nor its cancellation: it ends when create returns, when the last waiter has left, when the key is set,
// deleted or invalidated, and when the cache closes ([context.Cause] says which). A creator that asks a cache for another
// key must pass on its context; otherwise the cache cannot detect a cycle of keys.
//
// create runs on a goroutine of its own, so that any caller can leave. But a caller whose ctx.Done is nil cannot leave,
// and so runs create itself. It stays until create returns, whatever happens to the key meanwhile, and a [runtime.Goexit]
// in create ends the caller too.
//
// The error is create's own (every waiter gets it, and later callers if Config.ErrorTTL says so), a *[PanicError], a
// *[CycleError], a *[FutileError], [ErrClosed], [ErrKey] or [ErrNoCreator], or wraps ctx's error.
//
// A value that is a closer stays open at least until Close; use [Cache.Acquire] for closers that should be closed
// sooner.
func (c *Cache[K, V]) GetOrCreate(
	ctx context.Context, key K, create func(ctx context.Context) (V, error),
) (V, error) {
	m := c.table.single.Load()
	if m == nil {
		return c.getOrCreate(ctx, key, create, true)
	}
	it, ok := m.Load(key)
	if !ok || it.entry != nil {
		return c.getOrCreate(ctx, key, create, ok)
	}
	return it.value, nil
}

// getOrCreate is GetOrCreate for everything but hits on plain values.
func (c *Cache[K, V]) getOrCreate(
	ctx context.Context, key K, create func(ctx context.Context) (V, error), look bool,
) (V, error) {
	it, err := c.lookOrObtain(ctx, key, create, touch, look)
	return it.value, err
}

// Get returns the value of key if there is one. It never waits: a value under creation does not exist yet. After
// Close there are no values. Get takes no lock and does not allocate.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	if m := c.table.single.Load(); m != nil {
		if it, ok := m.Load(key); ok && it.entry == nil {
			return it.value, true
		}
	}
	it, ok := c.find(key)
	return it.value, ok
}

// Set makes v the value of key, in place of the current value or of a creation under way. If that creation still returns
// an object, the object is closed. The cache owns a v that is a closer from then on. The error is [ErrClosed] or
// [ErrKey]; in that case the cache has not taken v.
func (c *Cache[K, V]) Set(key K, v V) error {
	_, err := c.store(key, v, always[K, V])
	return err
}

// Delete removes the value of key and reports whether there was one. It supersedes a creation under way: the
// creation's context ends, its waiters look the key up again, and an object that it still returns is closed.
func (c *Cache[K, V]) Delete(key K) bool { return c.drop(key, Deleted, always[K, V]) }

// Invalidate is Delete with another [Cause], and reports nothing. It tells only this cache; [Member.Invalidate] tells
// the other caches on a [Bus] too.
func (c *Cache[K, V]) Invalidate(key K) { c.drop(key, Invalidated, always[K, V]) }

// InvalidateAll invalidates every key that has a value or a creation under way when it is called.
func (c *Cache[K, V]) InvalidateAll() {
	for i := range c.table.generations {
		c.table.generations[i].Add(1)
	}
	for _, m := range c.table.shards() {
		m.Range(func(key K, _ item[K, V]) bool {
			c.Invalidate(key)
			return true
		})
	}
}

// Len returns the number of values, expired ones that are still in memory included, and of creations under way, without
// remembered errors. It reads a few counters and is not a snapshot. It can exceed Config.MaxEntries: by each creation
// under way, and by one for each call that has just published its value and not yet evicted another.
func (c *Cache[K, V]) Len() int {
	n := 0
	for _, m := range c.table.shards() {
		n += m.Size()
	}
	return max(0, n-c.failures.count())
}

// Sweep removes the expired values and the expired errors, and returns the number of values. It is only of use with
// Config.TTL or ErrorTTL, to give memory back while nothing is being added.
func (c *Cache[K, V]) Sweep() int {
	now := c.now()
	c.unlist(nil, c.failures.sweep(now), Expired)
	gone := c.unlist(nil, c.order.sweep(now), Expired)
	c.release(gone...)
	return len(gone)
}

// now is the Unix time in ns, or 0 if neither expiry, refresh nor remembered errors need the time.
func (c *Cache[K, V]) now() int64 {
	if c.order.ttl == 0 && c.failures.ttl == nil && c.refreshAfter == 0 {
		return 0
	}
	return c.clock().UnixNano()
}
