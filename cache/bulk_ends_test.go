package cache_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/jacquard-go/jacquard/cache"
)

// G12: a cycle through a batch is an error that names the keys.
func TestG12Cycles(t *testing.T) {
	c := open(t, cache.Config[string, int]{})
	wantCycle := func(err error, keys string) {
		t.Helper()
		var cycle *cache.CycleError
		if !errors.As(err, &cycle) || !strings.HasSuffix(err.Error(), keys) {
			t.Errorf("got %v, want the cycle %s", err, keys)
		}
	}
	_, err := c.GetOrCreateAll(t.Context(), []string{"a", "b"}, func(ctx context.Context, _ []string) (map[string]int, error) {
		_, err := c.GetOrCreate(ctx, "b", plain(1))
		return nil, err
	})
	wantCycle(err, ": b → b")
	_, err = c.GetOrCreateAll(t.Context(), []string{"a", "b"}, func(ctx context.Context, _ []string) (map[string]int, error) {
		return c.GetOrCreateAll(ctx, []string{"c"}, func(ctx context.Context, _ []string) (map[string]int, error) {
			return c.GetOrCreateAll(ctx, []string{"d", "a"}, all(length))
		})
	})
	wantCycle(err, ": c → a → c")
	d := open(t, cache.Config[int, int]{})
	_, err = c.GetOrCreate(t.Context(), "a", func(ctx context.Context) (int, error) {
		m, err := d.GetOrCreateAll(ctx, []int{1, 2}, func(ctx context.Context, _ []int) (map[int]int, error) {
			return nil, c.Shutdown(ctx)
		})
		return len(m), err
	})
	if !errors.Is(err, cache.ErrCycle) {
		t.Errorf("Shutdown in a batch that its creator asked for: got %v, want %v", err, cache.ErrCycle)
	}
	_, err = c.GetOrCreateAll(t.Context(), []string{"a", "b"}, func(ctx context.Context, _ []string) (map[string]int, error) {
		if err := d.Shutdown(ctx); err != nil { // d's creation was not started by a creator of another cache
			return nil, err
		}
		return nil, c.Shutdown(ctx)
	})
	if !errors.Is(err, cache.ErrCycle) || !strings.Contains(err.Error(), "[a b]") {
		t.Errorf("Shutdown in a batch: got %v, want %v for a and b", err, cache.ErrCycle)
	}
}

func TestG12Close(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, shards := range []int{1, 4} {
			c := open(t, cache.Config[string, int]{Shards: shards})
			bulk := askAll(t.Context(), c, func(ctx context.Context, _ []string) (map[string]int, error) {
				<-ctx.Done()
				return nil, context.Cause(ctx)
			}, "a", "b")
			synctest.Wait()
			if err := c.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
			wantAll(t, <-bulk, nil, cache.ErrClosed)
			wantAll(t, <-askAll(t.Context(), c, all(length), "a"), nil, cache.ErrClosed)
		}
	})
}

func TestG12BadKeys(t *testing.T) {
	c := open(t, cache.Config[float64, int]{})
	if _, err := c.GetOrCreateAll(t.Context(), []float64{1, math.NaN()}, all(func(float64) int { return 1 })); !errors.Is(err, cache.ErrKey) {
		t.Errorf("got %v, want %v", err, cache.ErrKey)
	}
	d := open(t, cache.Config[any, int]{})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a key that cannot be hashed was taken")
			}
		}()
		_, _ = d.GetOrCreateAll(t.Context(), []any{1, []int{2}}, all(func(any) int { return 1 }))
	}()
	if d.Len() != 0 || c.Len() != 0 {
		t.Error("something was published for bad keys")
	}
}

// A removal hook that ends the caller's goroutine while its keys are being published leaves nothing behind.
func TestG12GoexitOfTheCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now clock
		now.advance(1)
		exit := false
		c := open(t, cache.Config[string, int]{TTL: 10, Now: now.now, OnRemoval: func(cache.Removal[string, int]) {
			if exit {
				runtime.Goexit()
			}
		}})
		// b is there again, and has expired, when its turn comes
		go func() {
			_, _ = c.GetOrCreateAll(expiring{t.Context(), func() {
				_ = c.Set("b", 1)
				now.advance(10)
				exit = true
			}}, []string{"a", "b"}, all(length))
			t.Error("the goroutine was not ended")
		}()
		synctest.Wait()
		exit = false
		if err := c.Close(); err != nil && !strings.Contains(err.Error(), "Goexit") {
			t.Errorf("Close: %v", err)
		}
	})
}

// expiring runs code when its Done is called, which GetOrCreateAll does after it has looked for values.
type expiring struct {
	context.Context
	do func()
}

func (c expiring) Done() <-chan struct{} { c.do(); return c.Context.Done() }

// G9: one object for several keys of a batch is closed when the last of them lets go of it, and once.
func TestG12SharedObject(t *testing.T) {
	for name, superseded := range map[string][]string{"one superseded": {"a"}, "all superseded": {"a", "b"}} {
		t.Run(name, func(t *testing.T) {
			c := open(t, cache.Config[string, *object]{})
			shared, later := &object{name: "shared"}, &object{name: "later"}
			var calls atomic.Int32 // the second may begin when all keys are superseded, while the first still runs
			got, err := c.GetOrCreateAll(t.Context(), []string{"a", "b"}, func(_ context.Context, keys []string) (map[string]*object, error) {
				o := later
				if calls.Add(1) == 1 {
					o = shared
					for _, key := range superseded {
						c.Delete(key)
					}
				}
				return map[string]*object{"a": o, "b": o, "not asked for": o}, nil
			})
			kept := len(superseded) == 1
			if err != nil || got["a"] != later || (got["b"] == shared) != kept {
				t.Errorf("got %v, %v, want b to have the first object: %t", got, err, kept)
			}
			if kept {
				shared.wantClosed(t, 0)
			}
			later.wantClosed(t, 0)
			must[any](t)(nil, c.Close())
			shared.wantClosed(t, 1)
			later.wantClosed(t, 1)
		})
	}
}

// A creator's ErrClosed, from another cache, is an error like others: the call waits for its other keys.
func TestG12ErrClosedOfAnotherCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, int]{})
		g := newGate(2)
		other := ask(t.Context(), c, "b", g.create)
		synctest.Wait()
		bulk := askAll(t.Context(), c, func(context.Context, []string) (map[string]int, error) { return nil, cache.ErrClosed }, "a", "b")
		synctest.Wait()
		close(g.release)
		wantAll(t, <-bulk, map[string]int{"b": 2}, cache.ErrClosed)
		<-other
	})
}

// A creator's ErrNoValue, from another cache, is an error of the call. That a key was left out is none.
func TestG12ErrNoValueOfAnotherCache(t *testing.T) {
	c := open(t, cache.Config[string, int]{})
	no := func(context.Context, []string) (map[string]int, error) { return nil, cache.ErrNoValue }
	wantAll(t, <-askAll(t.Context(), c, no, "a"), nil, cache.ErrNoValue)
	none := func(context.Context, []string) (map[string]int, error) { return nil, nil }
	if got, err := c.GetOrCreateAll(t.Context(), []string{"a"}, none); len(got) != 0 || err != nil {
		t.Errorf("got %v, %v, want nothing, and no error", got, err)
	}
}
