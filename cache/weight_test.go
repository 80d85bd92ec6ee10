package cache_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/jacquard-go/jacquard/cache"
)

// weighing returns a cache in which each value is its own weight.
func weighing(t *testing.T, limit int64, gone *recorder) *cache.Cache[string, int] {
	return open(t, cache.Config[string, int]{
		MaxWeight: limit, Weigher: func(_ string, v int) int64 { return int64(v) }, OnRemoval: gone.hook,
	})
}

// G13: the cache evicts as many values as it must, and spares those that were hit.
func TestG13Weight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var gone recorder
		c := weighing(t, 10, &gone)
		_ = c.Set("a", 3)
		_ = c.Set("b", 3)
		must[int](t)(c.GetOrCreate(t.Context(), "c", plain(4)))
		gone.want(t)
		c.Get("a")
		_ = c.Set("d", 6) // c comes and goes, as b does; a was hit
		gone.want(t, "b=3 evicted", "c=4 evicted")
		_ = c.Set("a", 4)
		gone.want(t, "a=3 replaced")
		_ = c.Set("z", -5)
		gone.want(t)
		must[map[string]int](t)(c.GetOrCreateAll(t.Context(), []string{"e", "f"}, all(func(string) int { return 5 })))
		synctest.Wait() // for the creating goroutines, which call the removal hook
		if got := fmt.Sprint(c.Len()); got != "3" || len(gone.take()) != 2 {
			t.Errorf("Len is %s, want e, f and z, which weighs nothing", got)
		}
		c.Delete("e")
		_ = c.Set("g", 5)
		gone.want(t, "e=5 deleted")
	})
}

// G13: a value heavier than the limit is given to its waiters and evicts no others.
func TestG13TooHeavy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var gone recorder
		c := weighing(t, math.MaxInt64-1, &gone)
		_ = c.Set("a", 1)
		if v := must[int](t)(c.GetOrCreate(t.Context(), "b", plain(math.MaxInt64))); v != math.MaxInt64 {
			t.Errorf("got %d, want what was created", v)
		}
		synctest.Wait() // for the creating goroutine, which calls the removal hook
		gone.want(t, fmt.Sprintf("b=%d evicted", math.MaxInt64))
		_ = c.Set("c", math.MaxInt64-2)
		gone.want(t)
		_ = c.Set("a", math.MaxInt64)
		gone.want(t, "a=1 replaced", fmt.Sprintf("a=%d evicted", math.MaxInt64))
		if v, ok := c.Get("c"); !ok || c.Len() != 1 {
			t.Errorf("c is %d, %v among %d, want it alone", v, ok, c.Len())
		}
	})
}

// G13: with both limits set the cache keeps both.
func TestG13BothLimits(t *testing.T) {
	c := open(t, cache.Config[int, int]{MaxEntries: 3, MaxWeight: 10, Weigher: func(_, v int) int64 { return int64(v) }})
	for k := range 100 {
		_ = c.Set(k, k%7)
		sum := 0
		for _, v := range c.All() {
			sum += v
		}
		if c.Len() > 3 || sum > 10 {
			t.Fatalf("after %d there are %d that weigh %d, want at most 3 and 10", k, c.Len(), sum)
		}
	}
}

// G13: when a weigher panics or ends the goroutine, the cache does not take the value.
func TestG13WeigherFails(t *testing.T) {
	bad := errors.New("no scales")
	for name, fail := range map[string]func(){"panic": func() { panic(bad) }, "goexit": runtime.Goexit} {
		synctest.Test(t, func(t *testing.T) {
			c := open(t, cache.Config[string, *object]{MaxWeight: 1, Weigher: func(key string, _ *object) int64 {
				if key != "good" {
					fail()
				}
				return 1
			}})
			o := &object{name: name}
			var panicked *cache.PanicError
			for where, ctx := range map[string]context.Context{"in place": context.Background(), "beside": t.Context()} {
				call := ask(ctx, c, "k", func(context.Context) (*object, error) { return o, nil })
				synctest.Wait()
				if where == "in place" && name == "goexit" {
					continue // the caller's goroutine has ended
				}
				if a := <-call; !errors.As(a.err, &panicked) {
					t.Errorf("%s, %s: got %v, %v", name, where, a.v, a.err)
				}
			}
			o.wantClosed(t, 2)
			bulk := <-askAll(t.Context(), c, all(func(string) *object { return &object{} }), "good", "k")
			if !errors.As(bulk.err, &panicked) || bulk.v["good"] == nil {
				t.Errorf("%s: the batch got %v, %v, want the good one and the error", name, bulk.v, bulk.err)
			}
			mine := &object{name: "mine"}
			done := make(chan any, 1)
			go func() {
				defer func() { done <- recover() }()
				_ = c.Set("k", mine)
			}()
			if r := <-done; name == "panic" && r != bad {
				t.Errorf("Set panicked with %v, want what the weigher did", r)
			}
			mine.wantClosed(t, 0)
			if c.Len() != 1 {
				t.Errorf("Len is %d, want the good one", c.Len())
			}
		})
	}
}
