package explored

import (
	"context"
	"errors"
	"runtime"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/explore"
)

func batches() []Row {
	return []Row{
		{ID: "G12a", What: "two batches and a caller, in any order of keys: one creation each", Body: overlapping},
		{ID: "G12b", What: "batches whose creators ask for each other's keys get the cycle", Body: batchCycle},
		{ID: "G12c", What: "Close cancels a batch, and waits for nothing but its creator", Body: batchClosed},
		{ID: "G12d", What: "a change of one key wins for that key, and the others go on", Body: batchChanged},
		{ID: "G12e", What: "a batch that fails or leaves out a key tells all who wait", Body: batchFails},
		{ID: "G12f", What: "a batch is cancelled when its last key is wanted by nobody", Body: batchLeft},
		{ID: "G12g", What: "a batch whose key is set while it begins does not wait for its creator", Body: batchSet},
	}
}

type objects = map[string]*object

// createAll is a bulk creator.
func (x *trial) createAll(_ context.Context, keys []string) (objects, error) {
	made := objects{}
	for _, key := range keys {
		made[key] = x.object()
	}
	return made, nil
}

func overlapping(t *explore.T) {
	x := try(t, cache.Config[string, *object]{})
	var got [2]objects
	for i, keys := range [][]string{{"a", "b"}, {"b", "a"}} {
		t.Go("batch", func() {
			var err error
			if got[i], err = x.c.GetOrCreateAll(either(t, i), keys, x.createAll); err != nil {
				t.Errorf("got %v, want objects", err)
			}
		})
	}
	var single *object
	t.Go("caller", func() { single = x.get(leaving(t), "a") })
	t.Wait()
	if n := x.made.Load(); n != 2 {
		t.Errorf("%d creations, want one for each key", n)
	}
	if a, b := got[0], got[1]; len(a) != 2 || len(b) != 2 || a["a"] != b["a"] || a["b"] != b["b"] || a["a"] != single {
		t.Errorf("got %v, %v and %v, want the same objects", a, b, single)
	}
	x.end()
}

func batchCycle(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	var a, b func(context.Context, []string) (map[string]int, error)
	a = func(ctx context.Context, _ []string) (map[string]int, error) {
		return c.GetOrCreateAll(ctx, []string{"b"}, b)
	}
	b = func(ctx context.Context, _ []string) (map[string]int, error) {
		return c.GetOrCreateAll(ctx, []string{"other", "a"}, a)
	}
	t.Go("batch of a", func() {
		_, err := c.GetOrCreateAll(t.Context(), []string{"a", "other"}, a)
		wantCycle(t, err)
	})
	t.Go("batch of b", func() {
		_, err := c.GetOrCreateAll(leaving(t), []string{"b"}, b)
		wantCycle(t, err)
	})
	t.Wait()
	if n := c.Len(); n != 0 {
		t.Errorf("%d entries are left, want none", n)
	}
	_ = c.Close()
}

func batchClosed(t *explore.T) {
	x := try(t, cache.Config[string, *object]{})
	t.Go("batch", func() {
		_, err := x.c.GetOrCreateAll(t.Context(), []string{"a", "b"}, func(ctx context.Context, keys []string) (objects, error) {
			runtime.Gosched()
			if cause := context.Cause(ctx); cause != nil && cause != cache.ErrClosed && cause != cache.ErrAbandoned {
				t.Errorf("the creator's context ended with %v, want %v", cause, cache.ErrClosed)
			}
			return x.createAll(ctx, keys)
		})
		if err != nil && err != cache.ErrClosed {
			t.Errorf("got %v, want objects or %v", err, cache.ErrClosed)
		}
	})
	t.Go("closer", func() {
		if err := x.c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	t.Wait()
	x.end()
}

// batchChanged: a value under creation when the change began is never seen after it, and the other key is created once.
func batchChanged(t *explore.T) {
	x := try(t, cache.Config[string, *object]{})
	var others counter
	t.Go("batch", func() {
		got, err := x.c.GetOrCreateAll(t.Context(), []string{"a", "b"}, func(ctx context.Context, keys []string) (objects, error) {
			for _, key := range keys {
				if key == "b" {
					others.add()
				}
			}
			made, err := x.createAll(ctx, keys)
			if runtime.Gosched(); made["b"] != nil && ctx.Err() != nil {
				t.Errorf("the creator's context ended with %v while b is wanted", context.Cause(ctx))
			}
			return made, err
		})
		if err != nil || got["a"] == nil || got["b"] == nil {
			t.Errorf("got %v, %v, want two objects", got, err)
		}
	})
	t.Go("writer", func() {
		before := int(x.made.Load())
		x.c.Delete("a")
		if o, ok := x.c.Get("a"); ok && o.id <= before {
			t.Errorf("object %d was made before the Delete began and is seen after it", o.id)
		}
	})
	t.Wait()
	if n := others.get(); n != 1 {
		t.Errorf("b was created %d times, want once", n)
	}
	x.end()
}

func batchFails(t *explore.T) {
	x := try(t, cache.Config[string, *object]{})
	var calls counter
	for i := range 2 {
		t.Go("batch", func() {
			got, err := x.c.GetOrCreateAll(either(t, i), []string{"a", "b"}, func(context.Context, []string) (objects, error) {
				if calls.add() == 1 {
					return objects{"a": x.object(), "more": x.object()}, nil
				}
				return nil, errCreate
			})
			if err != nil && err != errCreate {
				t.Errorf("got %v, %v, want what is there or %v", got, err, errCreate)
			}
		})
	}
	t.Go("caller", func() {
		if _, err := x.c.GetOrCreate(leaving(t), "b", x.create); err != nil && err != cache.ErrNoValue && err != errCreate {
			t.Errorf("got %v, want an object, %v or %v", err, cache.ErrNoValue, errCreate)
		}
	})
	t.Wait()
	x.end()
}

func batchLeft(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	ctx, cancel := context.WithCancel(t.Context())
	t.Go("batch", func() {
		_, err := c.GetOrCreateAll(ctx, []string{"a", "b"}, func(ctx context.Context, _ []string) (map[string]int, error) {
			<-ctx.Done() // blocks for ever if the context is not cancelled
			if cause := context.Cause(ctx); cause != cache.ErrAbandoned && cause != cache.ErrSuperseded {
				t.Errorf("the creator's context ended with %v, want %v", cause, cache.ErrAbandoned)
			}
			return nil, errCreate
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want %v", err, context.Canceled)
		}
	})
	t.Go("leaver", cancel)
	t.Go("deleter", func() { c.Delete("a") })
	t.Wait()
	_ = c.Close()
}

// batchSet: the creator, and so its caller, waits for ever if its context is not cancelled.
func batchSet(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	t.Go("batch", func() {
		got, err := c.GetOrCreateAll(t.Context(), []string{"a"}, func(ctx context.Context, _ []string) (map[string]int, error) {
			<-ctx.Done()
			return nil, errCreate
		})
		if got["a"] != 1 || err != nil {
			t.Errorf("got %v, %v, want what was set", got, err)
		}
	})
	t.Go("writer", func() { _ = c.Set("a", 1) })
	t.Wait()
	_ = c.Close()
}
