package cache_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jacquard-go/jacquard/cache"
)

// One test per row of the table in the package documentation; the names agree. synctest.Wait is the barrier: when it
// returns, every other goroutine of the test is blocked or gone.

// G1: one creation and one object per key, however callers race.
func TestG1OneCreation(t *testing.T) {
	const keys, callers = 200, 8
	c := open(t, cache.Config[int, *object]{})
	var made [keys]atomic.Int32
	var got [keys][callers]*object
	var start, done sync.WaitGroup
	start.Add(1)
	for g := range callers {
		done.Go(func() {
			start.Wait()
			for k := range keys {
				got[k][g] = must[*object](t)(c.GetOrCreate(t.Context(), k, func(context.Context) (*object, error) {
					made[k].Add(1)
					runtime.Gosched()
					return &object{}, nil
				}))
			}
		})
	}
	start.Done()
	done.Wait()
	for k := range keys {
		if n := made[k].Load(); n != 1 {
			t.Errorf("key %d was created %d times, want 1", k, n)
		}
		for g := range callers {
			if got[k][g] != got[k][0] {
				t.Errorf("key %d: caller %d got another object than caller 0", k, g)
			}
		}
	}
}

// The same for the first moments of a key, many times: no caller gets an unfinished value.
func TestG1FirstMoments(t *testing.T) {
	for range 20_000 {
		c := open(t, cache.Config[string, int]{})
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for range 2 {
					if v, err := c.GetOrCreate(t.Context(), "k", plain(1)); v != 1 || err != nil {
						t.Errorf("got %v, %v, want 1", v, err)
					}
				}
			})
		}
		wg.Wait()
	}
}

// G2: an error is told to all who waited, and never remembered.
func TestG2ErrorToldNotRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, int]{})
		g := newGate(0)
		g.err = errors.New("no such thing")
		var calls []<-chan answer[int]
		for range 5 {
			calls = append(calls, ask(t.Context(), c, "k", g.create))
		}
		synctest.Wait()
		close(g.release)
		for i, ch := range calls {
			if a := <-ch; a.err != g.err {
				t.Errorf("caller %d got %v, want the creator's error itself", i, a.err)
			}
		}
		if n := g.started.Load(); n != 1 {
			t.Errorf("created %d times, want 1", n)
		}
		if n := c.Len(); n != 0 {
			t.Errorf("Len is %d after the error, want 0", n)
		}
		if v := must[int](t)(c.GetOrCreate(t.Context(), "k", plain(7))); v != 7 {
			t.Errorf("the next call got %d, want 7", v)
		}
	})
}

// The entry has left the map before any waiter gets the error.
func TestG2GoneBeforeTold(t *testing.T) {
	c := open(t, cache.Config[int, int]{})
	no := errors.New("no")
	for k := range 5_000 {
		_, err := c.GetOrCreate(t.Context(), k, failing[int](no))
		if n := c.Len(); err != no || n != 0 {
			t.Fatalf("round %d: error %v and Len %d, want the creator's error and 0", k, err, n)
		}
	}
}

// G3: a panic or Goexit in the creator becomes an error with the stack, for all, and the key stays usable.
func TestG3PanicAndGoexit(t *testing.T) {
	cause := errors.New("the reason")
	for name, tc := range map[string]struct {
		do   func()
		want func(*cache.PanicError) bool
	}{
		"panic":       {func() { explode("boom") }, func(e *cache.PanicError) bool { return e.Value == "boom" && !e.Goexit }},
		"panic error": {func() { explode(cause) }, func(e *cache.PanicError) bool { return errors.Is(e, cause) && !e.Goexit }},
		"panic nil":   {func() { explode(nil) }, func(e *cache.PanicError) bool { return e.Value != nil && !e.Goexit }},
		"goexit":      {func() { vanish() }, func(e *cache.PanicError) bool { return e.Value == nil && e.Goexit }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := open(t, cache.Config[string, int]{})
				release := make(chan struct{})
				var calls []<-chan answer[int]
				for range 4 {
					calls = append(calls, ask(t.Context(), c, "k", func(context.Context) (int, error) {
						<-release
						tc.do()
						return 1, nil
					}))
				}
				synctest.Wait()
				close(release)
				for i, ch := range calls {
					a := <-ch
					var pe *cache.PanicError
					if !errors.As(a.err, &pe) || !tc.want(pe) {
						t.Fatalf("caller %d got %v, want a fitting *PanicError", i, a.err)
					}
					if s := string(pe.Stack); !strings.Contains(s, "explode") && !strings.Contains(s, "vanish") {
						t.Errorf("the stack does not name the function:\n%s", s)
					}
					if !strings.Contains(pe.Error(), "cache: function ") {
						t.Errorf("Error() is %q", pe.Error())
					}
				}
				if v := must[int](t)(c.GetOrCreate(t.Context(), "k", plain(7))); v != 7 {
					t.Errorf("the next call got %d, want 7", v)
				}
			})
		})
	}
}

func explode(v any) { panic(v) }
func vanish()       { runtime.Goexit() }

// G4: each waiter has its own context.
func TestG4OwnContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, int]{})
		g := newGate(7)
		first, cancelFirst := context.WithCancel(context.WithValue(t.Context(), ctxKey{}, "first"))
		second, cancelSecond := context.WithTimeout(t.Context(), time.Second)
		defer cancelSecond()
		var seen atomic.Value
		a := ask(first, c, "k", func(ctx context.Context) (int, error) {
			seen.Store(ctx.Value(ctxKey{}))
			if _, ok := ctx.Deadline(); ok {
				t.Error("the creator has a caller's deadline")
			}
			return g.create(ctx)
		})
		synctest.Wait()
		b := ask(second, c, "k", g.create)
		z := ask(t.Context(), c, "k", g.create)
		synctest.Wait()
		cancelFirst() // the caller that started the creator
		if got := <-a; !errors.Is(got.err, context.Canceled) {
			t.Errorf("first caller got %v, want its own cancellation", got.err)
		}
		if got := <-b; !errors.Is(got.err, context.DeadlineExceeded) { // the bubble's clock runs to the deadline
			t.Errorf("second caller got %v, want its own deadline", got.err)
		}
		close(g.release)
		if got := <-z; got.err != nil || got.v != 7 {
			t.Errorf("third caller got %v, %v, want 7", got.v, got.err)
		}
		if g.started.Load() != 1 || g.cause() != nil || seen.Load() != "first" {
			t.Errorf("started %d times, ended with %v, values of %v", g.started.Load(), g.cause(), seen.Load())
		}
		if _, err := c.GetOrCreate(first, "other", plain(1)); !errors.Is(err, context.Canceled) {
			t.Errorf("a miss with a dead context gave %v, want its error", err)
		}
		if v := must[int](t)(c.GetOrCreate(first, "k", nil)); v != 7 {
			t.Errorf("a hit with a dead context gave %v, want 7", v)
		}
	})
}

type ctxKey struct{}

// G5: a creation is cancelled when its last waiter has left, and only then.
func TestG5LastWaiterCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, int]{})
		g := newGate(7)
		var cancels []context.CancelFunc
		var calls []<-chan answer[int]
		for range 3 {
			ctx, cancel := context.WithCancel(t.Context())
			cancels = append(cancels, cancel)
			calls = append(calls, ask(ctx, c, "k", g.create))
			synctest.Wait()
		}
		for i := range cancels {
			if g.cause() != nil {
				t.Errorf("cancelled after %d of %d waiters had left", i, len(cancels))
			}
			cancels[i]()
			if a := <-calls[i]; !errors.Is(a.err, context.Canceled) {
				t.Errorf("caller %d got %v", i, a.err)
			}
			synctest.Wait()
		}
		if !errors.Is(g.cause(), cache.ErrAbandoned) {
			t.Errorf("the creation ended with %v, want ErrAbandoned", g.cause())
		}
		if v := must[int](t)(c.GetOrCreate(t.Context(), "k", plain(8))); v != 8 {
			t.Errorf("the next call got %d, want 8", v)
		}
	})
}

// A creator that ignores its cancellation delays no caller, and its object is closed.
func TestG5AbandonedObjectIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, *object]{})
		g := newGate(&object{name: "late"})
		g.deaf = true
		ctx, cancel := context.WithCancel(t.Context())
		a := ask(ctx, c, "k", g.create)
		synctest.Wait()
		cancel()
		<-a
		fresh := &object{name: "fresh"}
		if v := must[*object](t)(c.GetOrCreate(t.Context(), "k", plain(fresh))); v != fresh {
			t.Errorf("got %q, want the fresh object", v.name)
		}
		close(g.release)
		synctest.Wait()
		g.value.wantClosed(t, 1)
		fresh.wantClosed(t, 0)
	})
}

// G6: a creator that asks for its own key, directly or through a cycle, gets ErrCycle naming the cycle.
func TestG6Cycle(t *testing.T) {
	c := open(t, cache.Config[string, int]{})
	next := map[string]string{"self": "self", "a": "b", "b": "c", "c": "a", "x": "a"}
	var create func(key string) func(context.Context) (int, error)
	create = func(key string) func(context.Context) (int, error) {
		return func(ctx context.Context) (int, error) {
			return c.GetOrCreate(ctx, next[key], create(next[key]))
		}
	}
	for key, want := range map[string]string{
		"self": "self → self", "a": "c → a → b → c", "x": "c → a → b → c",
	} {
		_, err := c.GetOrCreate(t.Context(), key, create(key))
		var ce *cache.CycleError
		if !errors.Is(err, cache.ErrCycle) || !errors.As(err, &ce) || !strings.HasSuffix(err.Error(), ": "+want) {
			t.Errorf("asking for %s gave %v, want the cycle %s", key, err, want)
		}
	}
	if n := c.Len(); n != 0 {
		t.Errorf("Len is %d, want 0", n)
	}
}

// The same across goroutines: each creation is started by another caller, so no call nests in another.
func TestG6CycleAcrossGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, int]{})
		other := open(t, cache.Config[int, int]{})
		barrier := make(chan struct{})
		a := ask(t.Context(), c, "a", func(ctx context.Context) (int, error) {
			<-barrier
			return c.GetOrCreate(ctx, "b", failing[int](errors.New("unused")))
		})
		b := ask(t.Context(), c, "b", func(ctx context.Context) (int, error) {
			<-barrier
			return other.GetOrCreate(ctx, 1, failing[int](errors.New("unused")))
		})
		one := ask(t.Context(), other, 1, func(ctx context.Context) (int, error) {
			<-barrier
			ctx, cancel := context.WithTimeout(ctx, time.Hour) // a derived context works too
			defer cancel()
			return c.GetOrCreate(ctx, "a", failing[int](errors.New("unused")))
		})
		synctest.Wait()
		close(barrier)
		for name, ch := range map[string]<-chan answer[int]{"a": a, "b": b, "1": one} {
			got := <-ch
			var ce *cache.CycleError
			if !errors.As(got.err, &ce) || len(ce.Keys) != 4 || ce.Keys[0] != ce.Keys[3] {
				t.Errorf("%s got %v, want a cycle of three keys", name, got.err)
			}
		}
	})
}

// Waiting for the same key twice, or for a key that another creation also waits for, is no cycle.
func TestG6NoFalseCycle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, int]{})
		base := newGate(1)
		sum := func(ctx context.Context) (int, error) {
			left, right := ask(ctx, c, "base", base.create), ask(ctx, c, "base", base.create)
			l, r := <-left, <-right
			return l.v + r.v, errors.Join(l.err, r.err)
		}
		x, y := ask(t.Context(), c, "x", sum), ask(t.Context(), c, "y", func(ctx context.Context) (int, error) {
			v, err := c.GetOrCreate(ctx, "x", sum)
			w, err2 := c.GetOrCreate(ctx, "base", base.create)
			return v + w, errors.Join(err, err2)
		})
		synctest.Wait()
		close(base.release)
		if a := <-x; a.v != 2 || a.err != nil {
			t.Errorf("x is %v, %v, want 2", a.v, a.err)
		}
		if a := <-y; a.v != 3 || a.err != nil {
			t.Errorf("y is %v, %v, want 3", a.v, a.err)
		}
	})
}

// An edge lasts only as long as the waiting: a key may ask for one that has stopped waiting for it.
func TestG6NoLongerWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, int]{})
		g := newGate(1)
		askBack := make(chan struct{})
		b := ask(t.Context(), c, "b", func(ctx context.Context) (int, error) {
			<-askBack
			return c.GetOrCreate(ctx, "a", failing[int](errCreate))
		})
		synctest.Wait()
		a := ask(t.Context(), c, "a", func(ctx context.Context) (int, error) {
			short, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			if _, err := c.GetOrCreate(short, "b", failing[int](errCreate)); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("a's question for b gave %v, want its deadline", err)
			}
			return g.create(ctx)
		})
		time.Sleep(2 * time.Second) // on the bubble's clock
		close(askBack)
		synctest.Wait()
		close(g.release)
		for _, ch := range []<-chan answer[int]{a, b} {
			if got := <-ch; got.v != 1 || got.err != nil {
				t.Errorf("got %v, %v, want 1", got.v, got.err)
			}
		}
	})
}
