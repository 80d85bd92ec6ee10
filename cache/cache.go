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
	versions     atomic.Uint64  // the last version given
	creations    sync.WaitGroup // creations that were published and have not ended
	pilots       sync.Pool      // of *pilot[K, V]
	disposal     disposal[K, V] // closing of values
	order        order[K, V]    // expiry and eviction, if on
	failures     failures[K, V] // errors that are remembered, if any are
	counters     *counters      // nil if off
	refreshAfter int64          // in ns; 0: never
	onRemoval    func(Removal[K, V])
	weigher      func(K, V) int64 // nil if there is no limit to the weight
	clock        func() time.Time
}

// New returns an empty cache. An error means that cfg is invalid, and says where.
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
// A hit takes no lock, does not allocate and does not look at ctx or create. Otherwise create is called once, and everyone
// who asks for key meanwhile waits for that call. Its context carries the values of one caller's ctx but neither its
// deadline nor its cancellation: it ends when create returns, when the last waiter has left, when the key is set, deleted
// or invalidated, and when the cache closes ([context.Cause] says which). A creator that asks a cache for another key must
// hand on its context, or a cycle of keys cannot be seen.
//
// create runs on a goroutine of its own, so that any caller can leave. But if ctx.Done is nil, the caller cannot leave, and
// runs its create itself. Then it stays until create returns, whatever happens to the key meanwhile, and a
// [runtime.Goexit] in create ends it too.
//
// The error is create's own (every waiter gets it, and later callers if Config.ErrorTTL says so), a *[PanicError], a *[CycleError], a
// *[FutileError], [ErrClosed], [ErrKey], [ErrNoCreator], or wraps ctx's error if the caller stopped waiting first.
//
// A value that is a closer stays open at least until Close; use [Cache.Acquire] for closers that are to be closed
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

// getOrCreate is GetOrCreate for all but the plainest hits.
func (c *Cache[K, V]) getOrCreate(
	ctx context.Context, key K, create func(ctx context.Context) (V, error), look bool,
) (V, error) {
	it, err := c.lookOrObtain(ctx, key, create, touch, look)
	return it.value, err
}

// Get returns the value of key if there is one. It never waits: a value under creation is none yet. After Close there
// are none. It takes no lock and does not allocate.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	if m := c.table.single.Load(); m != nil {
		if it, ok := m.Load(key); ok && it.entry == nil {
			return it.value, true
		}
	}
	it, ok := c.find(key)
	return it.value, ok
}

// Set makes v the value of key, in place of a value or of a creation under way; the creation's object is closed if it
// comes after all. A value that is a closer belongs to the cache from then on. The error is [ErrClosed] or [ErrKey]; then
// v is not taken.
func (c *Cache[K, V]) Set(key K, v V) error {
	_, err := c.store(key, v, always[K, V])
	return err
}

// Delete removes the value of key and reports whether there was one. A creation under way is superseded: its context
// ends, its waiters look the key up again, its object is closed if it comes after all.
func (c *Cache[K, V]) Delete(key K) bool { return c.drop(key, Deleted, always[K, V]) }

// Invalidate is Delete under another name and cause: what the cache knows of key is out of date. Together with [Join]
// other instances are told; see [Member.Invalidate].
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

// Len returns the number of values and of creations under way, expired values that are still in memory included. It
// reads a few counters and is no snapshot. Errors that are remembered do not count. With Config.MaxEntries it can be above that: by each creation under way, and by
// one for each call that has just published its value and has yet to evict another.
func (c *Cache[K, V]) Len() int {
	n := 0
	for _, m := range c.table.shards() {
		n += m.Size()
	}
	return max(0, n-c.failures.count())
}

// Sweep removes the expired values and returns how many there were, and expired errors. It is only of use with Config.TTL
// or ErrorTTL, and when memory is to be given back while nothing is being added.
func (c *Cache[K, V]) Sweep() int {
	now := c.now()
	if now == 0 {
		return 0
	}
	c.unlist(nil, c.failures.sweep(now), Expired)
	gone := c.unlist(nil, c.order.sweep(now), Expired)
	c.release(gone...)
	return len(gone)
}

// now is the time in ns, or 0 if nothing expires, nor is refreshed.
func (c *Cache[K, V]) now() int64 {
	if c.order.ttl == 0 && c.failures.ttl == nil && c.refreshAfter == 0 {
		return 0
	}
	return c.clock().UnixNano()
}
