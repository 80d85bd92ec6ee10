package guarantees_test

import (
	"context"
	"sync"

	"github.com/jacquard-go/jacquard/bench/guarantees"
	"github.com/jacquard-go/jacquard/bench/peers"
)

// careless is a cache that gets everything wrong, which the suite must notice: it creates under one lock for all keys, after a
// lookup without the lock, remembers failures, lets creations win over everything, and closes values in use.
type careless struct {
	creating sync.Mutex // held while a creator runs
	mu       sync.Mutex
	m        map[string]result
	version  uint64
}

type result struct {
	o   *guarantees.Object
	err error
}

const carelessName peers.Name = "careless"

func newCareless() *careless { return &careless{m: map[string]result{}} }

var _ interface {
	peers.Cache[string, *guarantees.Object]
	peers.Invalidator[string]
	peers.Ranger[string, *guarantees.Object]
	peers.Closer
	peers.Versioner[string, *guarantees.Object]
	peers.Leaser[string, *guarantees.Object]
	peers.Stamper[string, *guarantees.Object]
} = (*careless)(nil)

func (c *careless) look(key string) (result, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.m[key]
	return r, ok
}

func (c *careless) put(key string, r result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[key] = r
}

func (c *careless) GetOrCreate(
	ctx context.Context, key string, create func(context.Context) (*guarantees.Object, error),
) (*guarantees.Object, error) {
	if r, ok := c.look(key); ok {
		return r.o, r.err
	}
	c.creating.Lock()
	var r result
	// The end of the caller's context has no effect, and after a panic the lock stays held.
	r.o, r.err = create(context.WithoutCancel(ctx))
	c.put(key, r)
	c.creating.Unlock()
	return r.o, r.err
}

func (c *careless) Get(key string) (*guarantees.Object, bool) {
	c.creating.Lock()
	defer c.creating.Unlock()
	r, ok := c.look(key)
	return r.o, ok && r.err == nil
}

func (c *careless) Set(key string, o *guarantees.Object) bool {
	c.put(key, result{o: o})
	return true
}

func (c *careless) Delete(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := c.m[key]; r.o != nil {
		_ = r.o.Close()
	}
	delete(c.m, key)
}

func (c *careless) Invalidate(key string) { c.Delete(key) }

func (c *careless) Range(f func(string, *guarantees.Object) bool) {
	c.creating.Lock()
	defer c.creating.Unlock()
	for key, r := range c.m {
		if !f(key, r.o) {
			return
		}
	}
}

func (c *careless) Close() error {
	c.creating.Lock()
	defer c.creating.Unlock()
	for _, r := range c.m {
		_ = r.o.Close()
	}
	return nil
}

func (c *careless) GetVersion(key string) (*guarantees.Object, uint64, bool) {
	o, ok := c.Get(key)
	c.version++
	return o, c.version, ok
}

func (c *careless) CompareAndSwap(key string, _ uint64, o *guarantees.Object) bool {
	return c.Set(key, o)
}

func (c *careless) CompareAndDelete(key string, _ uint64) bool {
	c.Delete(key)
	return true
}

func (c *careless) Acquire(
	ctx context.Context, key string, create func(context.Context) (*guarantees.Object, error),
) (*guarantees.Object, func(), error) {
	o, err := c.GetOrCreate(ctx, key, create)
	return o, func() {}, err
}

func (c *careless) Stamp(key string) func(*guarantees.Object) bool {
	return func(o *guarantees.Object) bool { return c.Set(key, o) }
}
