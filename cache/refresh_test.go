package cache_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jacquard-go/jacquard/cache"
)

// G15: a caller that hits an old value gets it at once, one creation replaces it meanwhile, and the hook is told.
func TestG15Refreshed(t *testing.T) {
	for _, name := range []string{"in place", "apart"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := forever
				if name == "apart" {
					ctx = t.Context()
				}
				var gone recorder
				c := open(t, cache.Config[string, int]{RefreshAfter: time.Minute, TTL: time.Hour, Count: true, OnRemoval: gone.hook})
				must[int](t)(c.GetOrCreate(ctx, "k", plain(1)))
				time.Sleep(time.Minute - time.Nanosecond)
				g := newGate(2)
				must[int](t)(c.GetOrCreate(ctx, "k", g.create))
				synctest.Wait()
				if n := g.started.Load(); n != 0 {
					t.Errorf("%d creations before it was time", n)
				}
				time.Sleep(time.Nanosecond)
				for range 3 {
					if v := must[int](t)(c.GetOrCreate(ctx, "k", g.create)); v != 1 {
						t.Errorf("got %d, want the old value", v)
					}
				}
				if v, _ := c.Get("k"); v != 1 {
					t.Errorf("Get gave %d, want the old value", v)
				}
				synctest.Wait()
				if n := g.started.Load(); n != 1 {
					t.Errorf("%d creations, want one", n)
				}
				before, _ := c.GetVersion("k")
				close(g.release)
				synctest.Wait()
				after, _ := c.GetVersion("k")
				if after.Value != 2 || after.Version <= before.Version {
					t.Errorf("got %+v behind %+v, want 2 and a later version", after, before)
				}
				if s := c.Stats(); s.Creations != 2 || s.Removals[cache.Refreshed] != 1 || c.Len() != 1 {
					t.Errorf("got %+v and %d entries", s, c.Len())
				}
				gone.want(t, "k=1 refreshed")
				time.Sleep(time.Hour - time.Nanosecond) // the new value's age counts from its own creation
				if v, ok := c.Get("k"); v != 2 || !ok {
					t.Errorf("got %d, %v, want 2", v, ok)
				}
			})
		})
	}
}

// What was set is refreshed too, also by Acquire; neither Get nor a batch starts that.
func TestG15WhoRefreshes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, int]{RefreshAfter: time.Minute})
		_ = c.Set("k", 1)
		time.Sleep(time.Minute)
		c.Get("k")
		must[map[string]int](t)(c.GetOrCreateAll(t.Context(), []string{"k"}, all(func(string) int { return 7 })))
		must[*cache.Lease[int]](t)(c.Acquire(t.Context(), "k", nil)).Release()
		synctest.Wait()
		if v, _ := c.Get("k"); v != 1 {
			t.Errorf("got %d, want 1", v)
		}
		must[*cache.Lease[int]](t)(c.Acquire(t.Context(), "k", plain(2))).Release()
		synctest.Wait()
		if v, _ := c.Get("k"); v != 2 {
			t.Errorf("got %d, want 2", v)
		}
	})
}

// A refresh that fails keeps the value, is not remembered, and is tried again after another RefreshAfter.
func TestG15Fails(t *testing.T) {
	for name, create := range map[string]func(context.Context) (int, error){
		"error": failing[int](errNone), "panic": func(context.Context) (int, error) { panic("in a refresh") },
		"goexit": func(context.Context) (int, error) { runtime.Goexit(); return 0, nil },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := open(t, cache.Config[string, int]{
					RefreshAfter: time.Minute, Count: true, ErrorTTL: func(string, error) time.Duration { return time.Hour },
				})
				_ = c.Set("k", 1)
				time.Sleep(time.Minute)
				for range 2 {
					if v := must[int](t)(c.GetOrCreate(t.Context(), "k", create)); v != 1 {
						t.Errorf("got %d, want 1", v)
					}
					synctest.Wait()
				}
				if s := c.Stats(); s.Creations != 1 || s.Failures != 1 {
					t.Errorf("got %+v, want one creation, which failed", s)
				}
				time.Sleep(time.Minute)
				must[int](t)(c.GetOrCreate(t.Context(), "k", plain(2)))
				synctest.Wait()
				if v, _ := c.Get("k"); v != 2 {
					t.Errorf("got %d, want 2", v)
				}
				var panicked *cache.PanicError
				if err := c.Close(); errors.As(err, &panicked) != (name != "error") {
					t.Errorf("Close gave %v", err)
				}
			})
		})
	}
}

// G8 and G9: a change that removes the value wins and cancels the refresh; an object that the creator still returns is
// closed and never seen.
func TestG15ChangesWin(t *testing.T) {
	for name, change := range map[string]func(*cache.Cache[string, *object]){
		"set":        func(c *cache.Cache[string, *object]) { _ = c.Set("k", &object{name: "set"}) },
		"delete":     func(c *cache.Cache[string, *object]) { c.Delete("k") },
		"invalidate": func(c *cache.Cache[string, *object]) { c.Invalidate("k") },
		"expire": func(c *cache.Cache[string, *object]) {
			time.Sleep(time.Hour)
			c.Get("k")
		},
		"evict": func(c *cache.Cache[string, *object]) {
			_ = c.Set("other", &object{name: "other"})
			_ = c.Set("third", &object{name: "third"})
		},
	} {
		for _, deaf := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", deaf: ", deaf), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := open(t, cache.Config[string, *object]{RefreshAfter: time.Minute, TTL: time.Hour, MaxEntries: 1})
					_ = c.Set("k", &object{name: "old"})
					time.Sleep(time.Minute)
					g := newGate(&object{name: "late"})
					g.deaf = deaf
					must[*cache.Lease[*object]](t)(c.Acquire(t.Context(), "k", g.create)).Release()
					synctest.Wait()
					change(c)
					if v, ok := c.Get("k"); ok && v.name != "set" {
						t.Errorf("got %s", v.name)
					}
					synctest.Wait()
					if !deaf && g.cause() != cache.ErrSuperseded {
						t.Errorf("the creator's context ended with %v, want %v", g.cause(), cache.ErrSuperseded)
					}
					close(g.release)
					synctest.Wait()
					if v, ok := c.Get("k"); ok && v.name != "set" {
						t.Errorf("then got %s", v.name)
					}
					if deaf {
						g.value.wantClosed(t, 1)
					}
				})
			})
		}
	}
}

// G10: Close cancels a refresh, waits for it, and closes the old value.
func TestG15Close(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, *object]{RefreshAfter: time.Minute})
		old := &object{name: "old"}
		_ = c.Set("k", old)
		time.Sleep(time.Minute)
		g := newGate(&object{name: "late"})
		must[*object](t)(c.GetOrCreate(t.Context(), "k", g.create))
		synctest.Wait()
		must[any](t)(nil, c.Close())
		if g.cause() != cache.ErrClosed {
			t.Errorf("the creator's context ended with %v, want %v", g.cause(), cache.ErrClosed)
		}
		old.wantClosed(t, 1)
	})
}

// The refreshed value replaces one under a lease, which is closed when its last lease is released.
func TestG15Leases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, *object]{RefreshAfter: time.Minute})
		old, fresh := &object{name: "old"}, &object{name: "fresh"}
		_ = c.Set("k", old)
		time.Sleep(time.Minute)
		l := must[*cache.Lease[*object]](t)(c.Acquire(t.Context(), "k", plain(fresh)))
		synctest.Wait()
		old.wantClosed(t, 0)
		if m := must[*cache.Lease[*object]](t)(c.Acquire(t.Context(), "k", nil)); m.Value() != fresh {
			t.Errorf("got %s, want the new one", m.Value().name)
		} else {
			m.Release()
		}
		l.Release()
		old.wantClosed(t, 1)
		fresh.wantClosed(t, 0)
	})
}

// A panic of the weigher fails the refresh.
func TestG15Weigher(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, int]{RefreshAfter: time.Minute, MaxWeight: 9, Weigher: func(_ string, v int) int64 {
			if v == 2 {
				panic("weighing")
			}
			return int64(v)
		}})
		_ = c.Set("k", 1)
		time.Sleep(time.Minute)
		must[int](t)(c.GetOrCreate(t.Context(), "k", plain(2)))
		synctest.Wait()
		if v, _ := c.Get("k"); v != 1 {
			t.Errorf("got %d, want 1", v)
		}
	})
}
