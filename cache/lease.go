package cache

import (
	"context"
	"sync/atomic"
)

// Lease is a value together with the right to use it until Release. It may be passed between goroutines.
type Lease[V any] struct {
	value    V
	released atomic.Bool
	release  func()
}

// Value returns the value. It must not be used after Release.
func (l *Lease[V]) Value() V { return l.value }

// Release gives the value back. If the value has left the cache and this was its last lease, Release closes it on the
// caller's goroutine. Later calls do nothing.
func (l *Lease[V]) Release() {
	if l.release != nil && l.released.CompareAndSwap(false, true) {
		l.release()
	}
}

// Acquire is [Cache.GetOrCreate] with a lease: the value is not closed before the lease is released, not even by Close.
// Once the value has left the cache, its last Release closes it, if no caller got it without a lease. The lease must be
// released. It costs one allocation.
func (c *Cache[K, V]) Acquire(
	ctx context.Context, key K, create func(ctx context.Context) (V, error),
) (*Lease[V], error) {
	it, err := c.lookOrObtain(ctx, key, create, touch|lease, true)
	if err != nil {
		return nil, err
	}
	l := &Lease[V]{value: it.value}
	if e := it.entry; e != nil && e.state.Load()&closer != 0 {
		l.release = func() { c.giveBack(e) }
	}
	return l, nil
}

// giveBack drops the reference of a lease, and closes the value if it was the last one of a removed entry.
func (c *Cache[K, V]) giveBack(e *entry[K, V]) {
	if _, after := e.leave(); ownerless(after) {
		c.dispose(e.value)
	}
}
