package cache_test

import (
	"context"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/jacquard-go/jacquard/cache"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// object is a value that counts how often it is closed.
type object struct {
	name   string
	closed atomic.Int32
	err    error
	onShut func()
}

func (o *object) Close() error {
	o.closed.Add(1)
	if o.onShut != nil {
		o.onShut()
	}
	return o.err
}

func (o *object) wantClosed(t *testing.T, n int32) {
	t.Helper()
	if got := o.closed.Load(); got != n {
		t.Errorf("%s was closed %d times, want %d", o.name, got, n)
	}
}

// open returns a cache that is closed at the end of the test, if it is not before.
func open[K comparable, V any](t *testing.T, cfg cache.Config[K, V]) *cache.Cache[K, V] {
	t.Helper()
	c, err := cache.New(cfg)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// plain returns a creator that returns v.
func plain[V any](v V) func(context.Context) (V, error) {
	return func(context.Context) (V, error) { return v, nil }
}

// failing returns a creator that returns err.
func failing[V any](err error) func(context.Context) (V, error) {
	return func(context.Context) (v V, _ error) { return v, err }
}

// must returns v and fails the test if there is an error.
func must[V any](t *testing.T) func(v V, err error) V {
	return func(v V, err error) V {
		t.Helper()
		if err != nil {
			t.Errorf("error %v, want none", err)
		}
		return v
	}
}

// answer is the result of one asynchronous call.
type answer[V any] struct {
	v   V
	err error
}

// ask calls GetOrCreate on a goroutine of its own.
func ask[K comparable, V any](
	ctx context.Context, c *cache.Cache[K, V], key K, create func(context.Context) (V, error),
) <-chan answer[V] {
	ch := make(chan answer[V], 1)
	go func() {
		v, err := c.GetOrCreate(ctx, key, create)
		ch <- answer[V]{v, err}
	}()
	return ch
}

// gate is a creator that blocks until it is opened, and records when it was started and how its context ended.
type gate[V any] struct {
	value   V
	err     error
	started atomic.Int32
	ended   atomic.Pointer[error] // cause of the context's end, as seen by the creator
	release chan struct{}
	deaf    bool // ignores the end of its context
}

func newGate[V any](v V) *gate[V] { return &gate[V]{value: v, release: make(chan struct{})} }

func (g *gate[V]) create(ctx context.Context) (V, error) {
	g.started.Add(1)
	done := ctx.Done()
	if g.deaf {
		done = nil
	}
	select {
	case <-g.release:
	case <-done:
		cause := context.Cause(ctx)
		g.ended.Store(&cause)
		var zero V
		return zero, cause
	}
	return g.value, g.err
}

func (g *gate[V]) cause() error {
	if p := g.ended.Load(); p != nil {
		return *p
	}
	return nil
}
