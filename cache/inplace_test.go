package cache_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/jacquard-go/jacquard/cache"
)

// A caller whose context cannot end runs the creator itself. The guarantees are the same; these tests repeat them where
// the code differs.

// forever is a context that cannot end.
var forever = context.Background()

func TestInPlaceOnTheCallersGoroutine(t *testing.T) {
	c := open(t, cache.Config[string, string]{})
	stack := func(context.Context) (string, error) {
		buf := make([]byte, 1<<14)
		return string(buf[:runtime.Stack(buf, false)]), nil
	}
	id := func(s string) string { return s[:len("goroutine 1234567890")] }
	mine, _ := stack(forever)
	if s := must[string](t)(c.GetOrCreate(forever, "here", stack)); id(s) != id(mine) {
		t.Errorf("created on %s, want the caller's %s", id(s), id(mine))
	}
	ctx, cancel := context.WithCancel(forever)
	defer cancel()
	if s := must[string](t)(c.GetOrCreate(ctx, "apart", stack)); id(s) == id(mine) {
		t.Error("created on the goroutine of a caller that must be able to leave")
	}
}

// G1 and G9 in the first moments of a key, some callers creating in place and some not.
func TestInPlaceFirstMoments(t *testing.T) {
	for range 10_000 {
		c := open(t, cache.Config[string, *object]{})
		var made atomic.Int32
		var wg sync.WaitGroup
		o := &object{name: "object"}
		create := func(context.Context) (*object, error) {
			made.Add(1)
			return o, nil
		}
		for _, ctx := range []context.Context{forever, t.Context(), forever} {
			wg.Go(func() {
				if l, err := c.Acquire(ctx, "k", create); err != nil || l.Value() != o {
					t.Errorf("got %v, want the object", err)
				} else {
					l.Release()
				}
			})
		}
		wg.Wait()
		o.wantClosed(t, 0)
		c.Delete("k")
		o.wantClosed(t, 1)
		if n := made.Load(); n != 1 {
			t.Errorf("created %d times, want once", n)
		}
		if t.Failed() {
			return
		}
	}
}

// G3: a panic becomes the caller's error too. A Goexit ends the caller, because the creator runs on its goroutine.
func TestInPlacePanicAndGoexit(t *testing.T) {
	for name, do := range map[string]func(){"panic": func() { explode("boom") }, "goexit": vanish} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := open(t, cache.Config[string, int]{})
				release := make(chan struct{})
				fails := func(context.Context) (int, error) {
					<-release
					do()
					return 1, nil
				}
				creator := make(chan error, 1)
				go func() {
					defer close(creator)
					_, err := c.GetOrCreate(forever, "k", fails)
					creator <- err
				}()
				synctest.Wait()
				patient, able := ask(forever, c, "k", fails), ask(t.Context(), c, "k", fails)
				synctest.Wait()
				close(release)
				var pe *cache.PanicError
				for _, ch := range []<-chan answer[int]{patient, able} {
					if a := <-ch; !errors.As(a.err, &pe) || pe.Goexit != (name == "goexit") {
						t.Errorf("a waiter got %v, want a fitting *PanicError", a.err)
					}
				}
				err, returned := <-creator
				if returned == (name == "goexit") || returned && !errors.As(err, &pe) {
					t.Errorf("the creating caller returned: %v, with %v", returned, err)
				}
				if v := must[int](t)(c.GetOrCreate(forever, "k", plain(7))); v != 7 {
					t.Errorf("the next call got %d, want 7", v)
				}
			})
		})
	}
}

// G4, G5: whoever waits for a creation in place can leave it, and it goes on, because its own caller stays.
func TestInPlaceOthersLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, int]{})
		g := newGate(7)
		a := ask(forever, c, "k", g.create)
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		b := ask(ctx, c, "k", g.create)
		synctest.Wait()
		cancel()
		if got := <-b; !errors.Is(got.err, context.Canceled) {
			t.Errorf("the waiter got %v, want its cancellation", got.err)
		}
		synctest.Wait()
		close(g.release)
		if got := <-a; got.v != 7 || got.err != nil || g.cause() != nil || g.started.Load() != 1 {
			t.Errorf("got %v, %v after %d creations, ended by %v", got.v, got.err, g.started.Load(), g.cause())
		}
	})
}

// G6: the context need not be able to end for the cycle to be seen.
func TestInPlaceCycle(t *testing.T) {
	c := open(t, cache.Config[string, int]{})
	next := map[string]string{"self": "self", "a": "b", "b": "a"}
	var create func(key string) func(context.Context) (int, error)
	create = func(key string) func(context.Context) (int, error) {
		return func(ctx context.Context) (int, error) {
			return c.GetOrCreate(context.WithoutCancel(ctx), next[key], create(next[key]))
		}
	}
	for key, want := range map[string]string{"self": "self → self", "a": "b → a → b"} {
		_, err := c.GetOrCreate(forever, key, create(key))
		if want = cache.ErrCycle.Error() + ": " + want; err == nil || err.Error() != want {
			t.Errorf("asking for %s gave %v, want %s", key, err, want)
		}
	}
	if n := c.Len(); n != 0 {
		t.Errorf("Len is %d, want 0", n)
	}
}

// G8: changes win over a creation in place. Its caller learns of them through the creator's context, and looks again.
func TestInPlaceChangesWin(t *testing.T) {
	for name, change := range map[string]func(*cache.Cache[string, *object], *object){
		"set":    func(c *cache.Cache[string, *object], o *object) { _ = c.Set("k", o) },
		"delete": func(c *cache.Cache[string, *object], _ *object) { c.Delete("k") },
	} {
		for _, deaf := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				c := open(t, cache.Config[string, *object]{})
				g := newGate(&object{name: "superseded"})
				g.deaf = deaf
				fresh := &object{name: "fresh"}
				first := true
				a := ask(forever, c, "k", func(ctx context.Context) (*object, error) {
					if first {
						first = false
						return g.create(ctx)
					}
					return fresh, nil
				})
				synctest.Wait()
				waiter := ask(t.Context(), c, "k", plain(fresh))
				synctest.Wait()
				change(c, fresh)
				if got := <-waiter; got.v != fresh || got.err != nil {
					t.Errorf("%s: the waiter got %v, %v, want the fresh object", name, got.v, got.err)
				}
				synctest.Wait()
				if !deaf && !errors.Is(g.cause(), cache.ErrSuperseded) {
					t.Errorf("%s: the creation ended with %v, want ErrSuperseded", name, g.cause())
				}
				if deaf {
					close(g.release)
				}
				if got := <-a; got.v != fresh || got.err != nil {
					t.Errorf("%s: its caller got %v, %v, want the fresh object", name, got.v, got.err)
				}
				if deaf {
					g.value.wantClosed(t, 1)
				}
				fresh.wantClosed(t, 0)
			})
		}
	}
}

// G10: Close cancels a creation in place and waits for it; its object is closed and its caller gets ErrClosed.
func TestInPlaceClose(t *testing.T) {
	for _, deaf := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			c := open(t, cache.Config[string, *object]{})
			g := newGate(&object{name: "late"})
			g.deaf = deaf
			a := ask(forever, c, "k", g.create)
			synctest.Wait()
			closed := make(chan error, 1)
			go func() { closed <- c.Close() }()
			synctest.Wait()
			if deaf {
				if len(closed) != 0 {
					t.Error("Close did not wait for the creator")
				}
				close(g.release)
			}
			if got := <-a; !errors.Is(got.err, cache.ErrClosed) {
				t.Errorf("the caller got %v, want ErrClosed", got.err)
			}
			if err := <-closed; err != nil {
				t.Errorf("Close gave %v", err)
			}
			if deaf {
				g.value.wantClosed(t, 1)
			} else if !errors.Is(g.cause(), cache.ErrClosed) {
				t.Errorf("the creation ended with %v, want ErrClosed", g.cause())
			}
		})
	}
}
