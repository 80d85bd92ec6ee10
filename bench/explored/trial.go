package explored

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/explore"
)

// errCreate is the error of creators that fail.
var errCreate = errors.New("creator failed")

// open returns a new cache.
func open[K comparable, V any](t *explore.T, cfg cache.Config[K, V]) *cache.Cache[K, V] {
	c, err := cache.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The cache has two ways to run a creator: for a caller whose context can end another goroutine creates, so that the caller
// may leave; a caller whose context cannot end creates itself. The schedule decides which of them comes first, so most
// bodies have callers of both kinds.

// leaving returns a context that can end, but does not.
func leaving(t *explore.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return ctx
}

// either returns a context that can end for odd numbers, and one that cannot for even ones.
func either(t *explore.T, i int) context.Context {
	if i%2 == 1 {
		return leaving(t)
	}
	return t.Context()
}

// plain returns a creator of v.
func plain[V any](v V) func(context.Context) (V, error) {
	return func(context.Context) (V, error) { return v, nil }
}

// An object is a value that counts how often it is closed.
type object struct {
	id     int // number within its execution, from 1
	closed atomic.Int32
	leased atomic.Bool // a caller had a lease of it
	given  bool        // the cache took it; matters only where the cache can refuse
}

// Close implements io.Closer.
func (o *object) Close() error {
	o.closed.Add(1)
	return nil
}

// maxObjects is more than any execution makes.
const maxObjects = 512

// A trial is an execution with a cache of objects.
type trial struct {
	*explore.T
	c    *cache.Cache[string, *object]
	made atomic.Int32
	all  [maxObjects]atomic.Pointer[object] // by id
}

func try(t *explore.T, cfg cache.Config[string, *object]) *trial {
	return &trial{T: t, c: open(t, cfg)}
}

// object makes an object.
func (x *trial) object() *object {
	o := &object{id: int(x.made.Add(1)), given: true}
	x.all[o.id].Store(o)
	return o
}

// objects returns the objects made so far.
func (x *trial) objects() (all []*object) {
	for id := range int(x.made.Load()) {
		if o := x.all[id+1].Load(); o != nil {
			all = append(all, o)
		}
	}
	return all
}

// create is a creator. It does not look at its context.
func (x *trial) create(context.Context) (*object, error) { return x.object(), nil }

// get asks for the key and returns the object, which must come.
func (x *trial) get(ctx context.Context, key string) *object {
	o, err := x.c.GetOrCreate(ctx, key, x.create)
	if err != nil {
		x.Fatalf("%s: got %v, want an object", key, err)
	}
	return o
}

// set makes a new object the key's value.
func (x *trial) set(key string) *object {
	o := x.object()
	if err := x.c.Set(key, o); err != nil {
		o.given = false
	}
	return o
}

// end closes the cache, if it is still open, and checks that each object was closed exactly once.
func (x *trial) end() {
	if err := x.c.Close(); err != nil && !errors.Is(err, cache.ErrClosed) {
		x.Errorf("Close: got %v, want nothing to fail", err)
	}
	for _, o := range x.objects() {
		switch {
		case o.given && o.closed.Load() != 1:
			x.Errorf("object %d was closed %d times, want once", o.id, o.closed.Load())
		case !o.given && o.closed.Load() != 0:
			x.Errorf("object %d was refused, and closed all the same", o.id)
		}
	}
}
