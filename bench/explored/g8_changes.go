package explored

import (
	"context"
	"errors"
	"runtime"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/explore"
)

func changes() []Row {
	return []Row{
		{ID: "G8a", What: "a Set during a creation wins", Body: func(t *explore.T) {
			overwritten(t, func(x *trial) *object { return x.set("k") })
		}},
		{ID: "G8b", What: "a CompareAndSwap of nothing during a creation wins", Body: func(t *explore.T) {
			overwritten(t, func(x *trial) *object {
				o := x.object()
				if _, ok := x.c.CompareAndSwap("k", 0, o); !ok {
					o.given = false
					return nil
				}
				return o
			})
		}},
		{ID: "G8c", What: "a Delete during a creation wins", Body: func(t *explore.T) {
			removed(t, func(x *trial) { x.c.Delete("k") })
		}},
		{ID: "G8d", What: "an Invalidate during a creation wins", Body: func(t *explore.T) {
			removed(t, func(x *trial) { x.c.Invalidate("k") })
		}},
		{ID: "G8e", What: "an InvalidateAll during a creation wins", Body: func(t *explore.T) {
			removed(t, func(x *trial) { x.c.InvalidateAll() })
		}},
		{ID: "G8k", What: "an InvalidateAll wins over values and creations of several keys", Body: removedAll},
		{ID: "G8f", What: "who waited looks again, and does not wait for the creator", Body: looksAgain},
		{ID: "G8g", What: "the creator is told", Body: func(t *explore.T) { creatorTold(t, leaving) }},
		{ID: "G8j", What: "also one that runs in its caller", Body: func(t *explore.T) {
			creatorTold(t, func(t *explore.T) context.Context { return t.Context() })
		}},
		{ID: "G8h", What: "a change that fails leaves the creation alone", Body: failedChange},
		{ID: "G8i", What: "the hook is told of each object once", Body: hookOnce},
		{ID: "G8l", What: "a creator that changes its own key comes to an end", Body: futile},
	}
}

// futile: a creator that deletes its own key is not called for ever, and its waiting callers get an error.
func futile(t *explore.T) {
	x := try(t, cache.Config[string, *object]{})
	for i := range 2 {
		t.Go("caller", func() {
			_, err := x.c.GetOrCreate(either(t, i), "k", func(context.Context) (*object, error) {
				x.c.Delete("k")
				return x.object(), nil
			})
			if !errors.Is(err, cache.ErrFutile) {
				t.Errorf("got %v, want ErrFutile", err)
			}
		})
	}
	t.Wait()
	x.end()
}

// overwritten: once the change has returned, the key has the object that was set, whatever creations do.
func overwritten(t *explore.T, change func(*trial) *object) {
	x := try(t, cache.Config[string, *object]{})
	for i := range 2 {
		t.Go("caller", func() {
			o, err := x.c.GetOrCreate(either(t, i), "k", func(context.Context) (*object, error) {
				o := x.object()
				runtime.Gosched()
				return o, nil
			})
			if err != nil {
				t.Errorf("got %v, want an object", err)
			} else if o.closed.Load() != 0 {
				t.Errorf("got object %d, which is closed", o.id)
			}
		})
	}
	t.Go("writer", func() {
		set := change(x)
		if got, ok := x.c.Get("k"); set != nil && got != set {
			t.Errorf("after the change the key has %v, %v, want what was set", got, ok)
		}
	})
	t.Wait()
	x.end()
}

// removed: a value under creation when the change began is never seen after it.
func removed(t *explore.T, change func(*trial)) {
	x := try(t, cache.Config[string, *object]{})
	for i := range 2 {
		t.Go("caller", func() {
			if o := x.get(either(t, i), "k"); o.closed.Load() != 0 {
				t.Errorf("got object %d, which is closed", o.id)
			}
		})
	}
	t.Go("writer", func() {
		before := int(x.made.Load())
		change(x)
		if o, ok := x.c.Get("k"); ok && o.id <= before {
			t.Errorf("object %d was made before the change began and is seen after it", o.id)
		}
		if o := x.get(t.Context(), "k"); o.id <= before {
			t.Errorf("object %d was made before the change began and given out after it", o.id)
		}
	})
	t.Wait()
	x.end()
}

// removedAll is removed for several keys at once, in two shards: two have a value, which callers may ask for, and one is
// being created.
func removedAll(t *explore.T) {
	x := try(t, cache.Config[string, *object]{Shards: 2})
	keys := []string{"a", "b", "c"}
	x.set("a")
	x.set("b")
	for i, key := range keys[1:] {
		t.Go("caller", func() { x.get(either(t, i), key) })
	}
	t.Go("writer", func() {
		before := int(x.made.Load())
		x.c.InvalidateAll()
		for _, key := range keys {
			if o, ok := x.c.Get(key); ok && o.id <= before {
				t.Errorf("%s: object %d was made before InvalidateAll began and is seen after it", key, o.id)
			}
		}
	})
	t.Wait()
	x.end()
}

// looksAgain: the first creator continues only when its caller has its value, so the caller, which can leave, must not wait
// for it.
func looksAgain(t *explore.T) {
	x := try(t, cache.Config[string, *object]{})
	started, over := make(chan struct{}), make(chan struct{})
	var calls counter
	late := x.object()
	t.Go("caller", func() {
		_, err := x.c.GetOrCreate(leaving(t), "k", func(context.Context) (*object, error) {
			if calls.add() == 1 {
				close(started)
				<-over
				return late, nil
			}
			return x.object(), nil
		})
		if err != nil {
			t.Errorf("got %v, want an object", err)
		}
		close(over)
	})
	<-started
	t.Go("writer", func() { x.set("k") })
	t.Go("deleter", func() { x.c.Delete("k") })
	t.Wait()
	if o := x.get(t.Context(), "k"); o == late {
		t.Error("the superseded object was given out")
	}
	x.end()
	if late.closed.Load() != 1 {
		t.Errorf("the superseded object was closed %d times, want once", late.closed.Load())
	}
}

func creatorTold(t *explore.T, caller func(*explore.T) context.Context) {
	c := open(t, cache.Config[string, int]{})
	started := make(chan struct{})
	var calls counter
	t.Go("caller", func() {
		v, err := c.GetOrCreate(caller(t), "k", func(ctx context.Context) (int, error) {
			if calls.add() > 1 {
				return 3, nil
			}
			close(started)
			<-ctx.Done()
			if cause := context.Cause(ctx); !errors.Is(cause, cache.ErrSuperseded) {
				t.Errorf("the creator's context ended with %v, want %v", cause, cache.ErrSuperseded)
			}
			return 1, nil
		})
		if v == 1 || err != nil {
			t.Errorf("got %d, %v, want a later value", v, err)
		}
	})
	<-started
	t.Go("writer", func() { _ = c.Set("k", 2) })
	t.Go("invalidator", func() { c.Invalidate("k") })
	t.Wait()
	_ = c.Close()
}

func failedChange(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	started := make(chan struct{})
	var calls counter
	t.Go("caller", func() {
		v, err := c.GetOrCreate(t.Context(), "k", func(context.Context) (int, error) {
			calls.add()
			close(started)
			runtime.Gosched()
			return 1, nil
		})
		if v != 1 || err != nil {
			t.Errorf("got %d, %v, want 1", v, err)
		}
	})
	<-started
	t.Go("writer", func() {
		if _, ok := c.CompareAndSwap("k", 1<<40, 2); ok {
			t.Error("a swap of a version that never was has succeeded")
		}
		if c.CompareAndDelete("k", 1<<40) {
			t.Error("a deletion of a version that never was has succeeded")
		}
		if stamp := (cache.Stamp{}); c.Fill("k", 3, stamp) {
			t.Error("a fill with no stamp has succeeded")
		}
	})
	t.Wait()
	if v, ok := c.Get("k"); v != 1 || !ok || calls.get() != 1 {
		t.Errorf("the key has %d, %v after %d creations, want 1 after one", v, ok, calls.get())
	}
	_ = c.Close()
}

func hookOnce(t *explore.T) {
	var told [maxObjects]counter
	x := try(t, cache.Config[string, *object]{OnRemoval: func(r cache.Removal[string, *object]) {
		told[r.Value.id].add()
		if r.Value.closed.Load() != 0 {
			t.Errorf("object %d was closed before the hook was told", r.Value.id)
		}
	}})
	t.Go("caller", func() { x.get(t.Context(), "k") })
	t.Go("caller", func() { x.get(leaving(t), "k") })
	t.Go("writer", func() { x.set("k") })
	t.Go("deleter", func() { x.c.Delete("k") })
	t.Wait()
	x.end()
	for id := range x.made.Load() {
		if n := told[id+1].get(); n != 1 {
			t.Errorf("the hook was told of object %d %d times, want once", id+1, n)
		}
	}
}
