package cache_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/jacquard-go/jacquard/cache"
)

// G7: one slow creation delays no other key, hit or miss, also while the table grows.
func TestG7SlowCreationDelaysNobody(t *testing.T) {
	for _, shards := range []int{1, 8} {
		synctest.Test(t, func(t *testing.T) {
			c := open(t, cache.Config[int, int]{Shards: shards})
			_ = c.Set(-2, 2)
			g := newGate(1)
			slow := ask(t.Context(), c, -1, g.create)
			synctest.Wait()
			// Each of these calls would block for ever if it waited for the creator.
			for k := range 20_000 { // the smallest table grows when it holds 160
				if v := must[int](t)(c.GetOrCreate(t.Context(), k, plain(k))); v != k {
					t.Fatalf("key %d is %d", k, v)
				}
				if v, ok := c.Get(-2); !ok || v != 2 {
					t.Fatalf("the hit is %v, %v", v, ok)
				}
			}
			n := 0
			for range c.All() {
				n++
			}
			if n != 20_001 || c.Len() != 20_002 {
				t.Errorf("iterated over %d values and Len is %d", n, c.Len())
			}
			for k := range 20_000 {
				if !c.Delete(k) {
					t.Fatalf("key %d was not there", k)
				}
			}
			close(g.release)
			if a := <-slow; a.v != 1 || a.err != nil {
				t.Errorf("the slow one got %v, %v", a.v, a.err)
			}
		})
	}
}

// G8: a creator that changes its own key is not called for ever, and the error names the key. Other waiters and the key
// itself are not affected.
func TestG8CreatorThatChangesItsOwnKey(t *testing.T) {
	for name, change := range map[string]func(*cache.Cache[string, *object]){
		"delete":         func(c *cache.Cache[string, *object]) { c.Delete("k") },
		"invalidate":     func(c *cache.Cache[string, *object]) { c.Invalidate("k") },
		"invalidate all": func(c *cache.Cache[string, *object]) { c.InvalidateAll() },
	} {
		for where, ctx := range map[string]context.Context{"in place": context.Background(), "beside": t.Context()} {
			c := open(t, cache.Config[string, *object]{})
			created := 0
			_, err := c.GetOrCreate(ctx, "k", func(context.Context) (*object, error) {
				created++
				change(c)
				return &object{name: "futile"}, nil
			})
			var futile *cache.FutileError
			if !errors.Is(err, cache.ErrFutile) || !errors.As(err, &futile) || futile.Key != "k" || futile.Creations != created {
				t.Errorf("%s, %s: got %v after %d creations, want a FutileError that names the key and says so", name, where, err, created)
			}
			if created > 1000 {
				t.Errorf("%s, %s: got %d creations, want them bounded", name, where, created)
			}
			v, err := c.GetOrCreate(ctx, "k", plain(&object{name: "good"}))
			if err != nil || v.name != "good" {
				t.Errorf("%s, %s: got %v, %v from a good creator, want its object", name, where, v, err)
			}
		}
	}
}

// G8: Set, Delete and Invalidate during a creation win over it, and the superseded object is closed.
func TestG8ChangesWin(t *testing.T) {
	set := &object{name: "set"}
	again := &object{name: "again"}
	for name, tc := range map[string]struct {
		change func(*cache.Cache[string, *object])
		want   *object // what the waiter gets
	}{
		"set":            {func(c *cache.Cache[string, *object]) { _ = c.Set("k", set) }, set},
		"swap":           {func(c *cache.Cache[string, *object]) { c.CompareAndSwap("k", 0, set) }, set},
		"delete":         {func(c *cache.Cache[string, *object]) { c.Delete("k") }, again},
		"invalidate":     {func(c *cache.Cache[string, *object]) { c.Invalidate("k") }, again},
		"invalidate all": {func(c *cache.Cache[string, *object]) { c.InvalidateAll() }, again},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var removals []cache.Removal[string, *object]
				c := open(t, cache.Config[string, *object]{
					OnRemoval: func(r cache.Removal[string, *object]) { removals = append(removals, r) },
				})
				g := newGate(&object{name: "superseded"})
				g.deaf = true
				calls := 0
				waiter := ask(t.Context(), c, "k", func(ctx context.Context) (*object, error) {
					if calls++; calls > 1 {
						return again, nil
					}
					return g.create(ctx)
				})
				synctest.Wait()
				tc.change(c)
				// The waiter does not wait for the deaf creator: it looks the key up again.
				if a := <-waiter; a.err != nil || a.v != tc.want {
					t.Errorf("the waiter got %v, %v, want %s", a.v, a.err, tc.want.name)
				}
				close(g.release)
				synctest.Wait()
				g.value.wantClosed(t, 1)
				if v, ok := c.Get("k"); !ok || v != tc.want {
					t.Errorf("the key has %v, %v, want %s", v, ok, tc.want.name)
				}
				if len(removals) != 1 || removals[0].Cause != cache.Superseded || removals[0].Value != g.value {
					t.Errorf("the hook saw %v, want the superseded object only", removals)
				}
			})
		})
	}
}

// The creator learns why its context ended.
func TestG8CreatorIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, int]{})
		g := newGate(1)
		a := ask(t.Context(), c, "k", g.create)
		synctest.Wait()
		_ = c.Set("k", 2)
		if got := <-a; got.v != 2 || got.err != nil {
			t.Errorf("the waiter got %v, %v, want 2", got.v, got.err)
		}
		synctest.Wait()
		if !errors.Is(g.cause(), cache.ErrSuperseded) {
			t.Errorf("the creation ended with %v, want ErrSuperseded", g.cause())
		}
	})
}

// G9: nothing a caller still holds is closed under it.
func TestG9HeldValuesStayOpen(t *testing.T) {
	leave := map[string]func(c *cache.Cache[string, *object]){
		"set":        func(c *cache.Cache[string, *object]) { _ = c.Set("k", &object{name: "new"}) },
		"delete":     func(c *cache.Cache[string, *object]) { c.Delete("k") },
		"invalidate": func(c *cache.Cache[string, *object]) { c.Invalidate("k") },
		"evict": func(c *cache.Cache[string, *object]) {
			_ = c.Set("other", &object{name: "other"})
			_ = c.Set("third", &object{name: "third"})
		},
	}
	for name, leave := range leave {
		t.Run(name, func(t *testing.T) {
			cfg := cache.Config[string, *object]{}
			if name == "evict" {
				cfg.MaxEntries = 1
			}
			t.Run("without a lease", func(t *testing.T) {
				c := open(t, cfg)
				o := must[*object](t)(c.GetOrCreate(t.Context(), "k", plain(&object{name: "held"})))
				leave(c)
				o.wantClosed(t, 0)
				must[any](t)(nil, c.Close())
				o.wantClosed(t, 1)
			})
			t.Run("leased", func(t *testing.T) {
				c := open(t, cfg)
				l1 := must[*cache.Lease[*object]](t)(c.Acquire(t.Context(), "k", plain(&object{name: "held"})))
				l2 := must[*cache.Lease[*object]](t)(c.Acquire(t.Context(), "k", nil))
				o := l1.Value()
				leave(c)
				l1.Release()
				l1.Release() // counts once
				o.wantClosed(t, 0)
				l2.Release()
				o.wantClosed(t, 1)
				must[any](t)(nil, c.Close())
				o.wantClosed(t, 1)
			})
			t.Run("nobody", func(t *testing.T) {
				c := open(t, cfg)
				o := &object{name: "free"}
				_ = c.Set("k", o)
				leave(c)
				o.wantClosed(t, 1)
			})
		})
	}
}

// The same for the first moments of a key, many times: no reference is lost on the way from the creation to its holders.
func TestG9FirstMoments(t *testing.T) {
	for range 20_000 {
		c := open(t, cache.Config[string, *object]{})
		o := &object{name: "object"}
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				if l, err := c.Acquire(t.Context(), "k", plain(o)); err != nil || l.Value() != o {
					t.Errorf("got %v, want the object", err)
				} else {
					l.Release()
				}
			})
		}
		wg.Wait()
		o.wantClosed(t, 0)
		c.Delete("k")
		if o.wantClosed(t, 1); t.Failed() {
			return
		}
	}
}
