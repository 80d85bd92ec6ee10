package cache_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/cache"
)

func TestSieve(t *testing.T) {
	var gone recorder
	c := open(t, cache.Config[string, int]{MaxEntries: 3, OnRemoval: gone.hook})
	for i, k := range []string{"a", "b", "c"} {
		_ = c.Set(k, i)
	}
	c.Get("a")
	_ = c.Set("d", 3) // the hand spares a and evicts b
	gone.want(t, "b=1 evicted")
	c.Get("d")
	_ = c.Set("e", 4) // the hand moves on to c
	gone.want(t, "c=2 evicted")
	_ = c.Set("f", 5) // the hand spares d, evicts e, and is at the end
	gone.want(t, "e=4 evicted")
	_ = c.Set("g", 6) // the hand wraps to the oldest, which was not hit again
	gone.want(t, "a=0 evicted")
	c.Delete("d")     // the entry at the hand
	_ = c.Set("h", 7) // evicts nothing
	gone.want(t, "d=3 deleted")
	c.Get("f")
	c.Get("g")
	c.Get("h")
	_ = c.Set("i", 8) // all were hit: one round clears the bits, and f is first again
	gone.want(t, "f=5 evicted")
	if n := c.Len(); n != 3 {
		t.Errorf("Len is %d, want 3", n)
	}
}

// A scan does not evict the keys in use.
func TestSieveResistsAScan(t *testing.T) {
	const hot = 50
	c := open(t, cache.Config[int, int]{MaxEntries: 100})
	for range 3 {
		for k := range hot {
			must[int](t)(c.GetOrCreate(t.Context(), k, plain(k)))
		}
	}
	for k := range 10_000 {
		must[int](t)(c.GetOrCreate(t.Context(), 1_000+k, plain(k)))
	}
	kept := 0
	for k := range hot {
		if _, ok := c.Get(k); ok {
			kept++
		}
	}
	if kept != hot {
		t.Errorf("%d of %d values in use survived the scan", kept, hot)
	}
	if n := c.Len(); n != 100 {
		t.Errorf("Len is %d, want 100", n)
	}
}

// The limit holds under stress, and every object is closed exactly once.
func TestLimitAndClosingUnderStress(t *testing.T) {
	const limit, workers, calls = 16, 8, 2_000
	var now clock
	c := open(t, cache.Config[int, *object]{MaxEntries: limit, TTL: time.Minute, Now: now.now, Shards: 2, Count: true})
	var all sync.Map
	make1 := func(context.Context) (*object, error) {
		o := &object{name: "made"}
		all.Store(o, true)
		return o, nil
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range calls {
				k := (i*7 + w*13) % 40
				switch i % 10 {
				case 0:
					o, _ := make1(t.Context())
					_ = c.Set(k, o)
				case 1:
					c.Delete(k)
				case 2:
					o, err := c.GetOrCreate(t.Context(), k, make1)
					if err == nil && o.closed.Load() != 0 || err != nil && err != errCreate {
						t.Errorf("got a closed object or %v", err)
					}
				case 3:
					now.advance(time.Second)
				case 4: // a caller that leaves, perhaps as the last
					ctx, cancel := context.WithCancel(t.Context())
					go cancel()
					if l, err := c.Acquire(ctx, k, make1); err == nil {
						l.Value().wantClosed(t, 0)
						l.Release()
					}
					cancel()
				case 5:
					_, _ = c.GetOrCreate(t.Context(), k, failing[*object](errCreate))
				default:
					l, err := c.Acquire(t.Context(), k, make1)
					if err == errCreate { // of another caller's creator
						continue
					}
					if err != nil {
						t.Error(err)
						return
					}
					runtime.Gosched()
					l.Value().wantClosed(t, 0)
					l.Release()
				}
			}
		})
	}
	wg.Wait()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for c.Len() > limit && ctx.Err() == nil { // abandoned creations may still be under way
		runtime.Gosched()
	}
	if n := c.Len(); n > limit {
		t.Errorf("Len is %d, want at most %d", n, limit)
	}
	must[any](t)(nil, c.Close())
	n := 0
	all.Range(func(o, _ any) bool {
		n++
		o.(*object).wantClosed(t, 1)
		return true
	})
	removals := uint64(0)
	for _, k := range c.Stats().Removals {
		removals += k
	}
	if removals != uint64(n) {
		t.Errorf("%d objects were made, %d were removed", n, removals)
	}
}
