package cache

import (
	"container/heap"
	"sync"
	"time"
)

// failures holds the errors remembered under Config.ErrorTTL. Each stays in the map as an entry without a value, and here
// in a heap ordered by expiry: errors have different lifetimes, so order, which is a queue, cannot hold them.
type failures[K comparable, V any] struct {
	ttl func(K, error) time.Duration // nil: errors are not remembered
	max int                          // 0: no limit
	mu  sync.Mutex
	end ending[K, V]
}

// failure is an error and its place in the heap. The lock of failures guards place and listed.
type failure struct {
	err    error
	place  int
	listed bool
}

// until returns when a remembered error of key expires, as the user's ttl says; 0 means that it is not remembered.
func (fs *failures[K, V]) until(key K, err error, now func() int64) int64 {
	life := fs.ttl(key, err)
	if life <= 0 {
		return 0
	}
	return after(now(), int64(life))
}

// add enters an error that has just been remembered, and returns those that must be dropped: the expired ones, and those
// beyond the limit, the first to expire first. As in order.add, an error that was removed meanwhile is not added.
func (fs *failures[K, V]) add(e *entry[K, V], now int64) (gone []*entry[K, V]) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if e.state.Load()&removed == 0 {
		e.failure.listed = true
		heap.Push(&fs.end, e)
	}
	for len(fs.end) > 0 && (fs.end[0].expired(now) || fs.max > 0 && len(fs.end) > fs.max) {
		gone = append(gone, fs.take(0))
	}
	return gone
}

// forget drops an error that has left the map.
func (fs *failures[K, V]) forget(e *entry[K, V]) {
	e.state.Or(removed)
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if e.failure.listed {
		fs.take(e.failure.place)
	}
}

func (fs *failures[K, V]) take(place int) *entry[K, V] {
	e := heap.Remove(&fs.end, place).(*entry[K, V])
	e.failure.listed = false
	return e
}

// sweep takes out the expired errors.
func (fs *failures[K, V]) sweep(now int64) (gone []*entry[K, V]) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for len(fs.end) > 0 && fs.end[0].expired(now) {
		gone = append(gone, fs.take(0))
	}
	return gone
}

func (fs *failures[K, V]) count() int {
	if fs.ttl == nil {
		return 0
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return len(fs.end)
}

// refuse gives err to everyone who waits for e, and remembers it for as long as Config.ErrorTTL says. ErrorTTL is user
// code: if it panics, the waiters get that panic instead.
func (c *Cache[K, V]) refuse(e *entry[K, V], f *flight[K, V], err error) {
	if f.old != nil {
		c.unrefreshed(f, err)
		return
	}
	if _, panicked := err.(*PanicError); panicked || c.failures.ttl == nil {
		c.reject(e, f, err)
		return
	}
	var until int64
	guarded(func() error {
		until = c.failures.until(e.key, err, c.now)
		return nil
	}, func(panicked error) {
		switch {
		case panicked != nil:
			c.reject(e, f, panicked)
		case until == 0:
			c.reject(e, f, err)
		default:
			c.remember(e, f, err, until)
		}
	})
}

// reject removes the entry from the map before it wakes the waiters, so that a caller that tries again starts afresh.
func (c *Cache[K, V]) reject(e *entry[K, V], f *flight[K, V], err error) {
	f.err = err
	c.table.unlink(e)
	e.settle(phaseFailed)
	f.land()
}

// remember leaves the entry in the map. If a change removes it from there after it was settled, the change finds it
// remembered and calls failures.forget.
func (c *Cache[K, V]) remember(e *entry[K, V], f *flight[K, V], err error, until int64) {
	e.failure, e.expires = &failure{err: err}, until
	if e.settle(phaseRemembered) {
		c.unlist(nil, c.failures.add(e, c.now()), Expired)
	}
	f.land()
}

// recall returns the error remembered in a decided entry, or nil.
func (c *Cache[K, V]) recall(e *entry[K, V]) error {
	if phase(e.state.Load()) != phaseRemembered {
		return nil
	}
	if e.expired(c.now()) {
		c.failures.forget(e)
		return nil
	}
	return e.failure.err
}

// ending is a heap of errors; its root expires first.
type ending[K comparable, V any] []*entry[K, V]

func (h ending[K, V]) Len() int           { return len(h) }
func (h ending[K, V]) Less(i, j int) bool { return h[i].expires < h[j].expires }
func (h ending[K, V]) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].failure.place, h[j].failure.place = i, j
}

// Push implements heap.Interface.
func (h *ending[K, V]) Push(x any) {
	e := x.(*entry[K, V])
	e.failure.place = len(*h)
	*h = append(*h, e)
}

// Pop implements heap.Interface.
func (h *ending[K, V]) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return e
}
