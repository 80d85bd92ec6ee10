package cache_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jacquard-go/jacquard/cache"
)

// G10: Close closes every value once, the youngest first, cancels creations, and later calls get ErrClosed.
func TestG10Close(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[int, *object]{Shards: 4})
		var order []string
		add := func(k int, name string) *object {
			o := &object{name: name}
			o.onShut = func() { order = append(order, name) }
			return must[*object](t)(c.GetOrCreate(t.Context(), k, plain(o)))
		}
		objects := []*object{add(1, "first"), add(2, "second"), add(3, "third"), add(4, "fourth")}
		c.Delete(2) // in use: closed with the cache
		_ = c.Set(9, objects[0])
		leased := must[*cache.Lease[*object]](t)(c.Acquire(t.Context(), 5, plain(&object{name: "leased"})))
		g := newGate(&object{name: "unfinished"})
		waiter := ask(t.Context(), c, 6, g.create)
		synctest.Wait()

		must[any](t)(nil, c.Close())

		if a := <-waiter; a.err != cache.ErrClosed {
			t.Errorf("the waiter got %v, want ErrClosed", a.err)
		}
		if !errors.Is(g.cause(), cache.ErrClosed) {
			t.Errorf("the creation ended with %v, want ErrClosed", g.cause())
		}
		if got := fmt.Sprint(order); got != "[fourth third second first]" {
			t.Errorf("closed in the order %v, want the youngest first", got)
		}
		for _, o := range objects {
			o.wantClosed(t, 1)
		}
		leased.Value().wantClosed(t, 0)
		leased.Release()
		leased.Value().wantClosed(t, 1)
		afterClose(t, c)
	})
}

func afterClose(t *testing.T, c *cache.Cache[int, *object]) {
	t.Helper()
	if _, err := c.GetOrCreate(t.Context(), 1, plain(&object{})); err != cache.ErrClosed {
		t.Errorf("GetOrCreate gave %v, want ErrClosed", err)
	}
	if _, err := c.Acquire(t.Context(), 1, plain(&object{})); err != cache.ErrClosed {
		t.Errorf("Acquire gave %v, want ErrClosed", err)
	}
	if err := c.Set(1, &object{}); err != cache.ErrClosed {
		t.Errorf("Set gave %v, want ErrClosed", err)
	}
	if err := c.Close(); err != cache.ErrClosed {
		t.Errorf("Close gave %v, want ErrClosed", err)
	}
	_, got := c.Get(1)
	_, versioned := c.GetVersion(1)
	_, swapped := c.CompareAndSwap(1, 0, &object{})
	if got || versioned || swapped || c.Delete(1) || c.CompareAndDelete(1, 1) || c.Len() != 0 || c.Sweep() != 0 {
		t.Error("a closed cache still has something")
	}
	c.Invalidate(1)
	c.InvalidateAll()
	for range c.All() {
		t.Error("a closed cache still iterates")
	}
	if c.Fill(1, &object{}, c.Stamp(1)) {
		t.Error("a closed cache was filled")
	}
}

// Whatever races with Close: values that the cache took are closed once, refused ones are not, no creator outlives
// Close, and once one call has returned ErrClosed all later calls do.
func TestG10CloseRace(t *testing.T) {
	for range 3_000 {
		c := open(t, cache.Config[int, *object]{})
		var taken, refused [3][]*object
		var running atomic.Int32
		var shut atomic.Bool
		var wg sync.WaitGroup
		for w := range 3 {
			wg.Go(func() {
				for i := range 6 {
					o := &object{name: "set"}
					told := shut.Load()
					if err := c.Set(i%2, o); err == nil {
						taken[w] = append(taken[w], o)
					} else {
						refused[w] = append(refused[w], o)
					}
					_, err := c.GetOrCreate(t.Context(), 2+i, func(context.Context) (*object, error) {
						running.Add(1)
						defer running.Add(-1)
						runtime.Gosched()
						return &object{name: "created"}, nil
					})
					if err == nil && told {
						t.Error("a call succeeded after another was told that the cache is closed")
					}
					if err != nil {
						shut.Store(true)
					}
				}
			})
		}
		wg.Go(func() {
			runtime.Gosched()
			must[any](t)(nil, c.Close())
			if n := running.Load(); n != 0 {
				t.Errorf("%d creators are running after Close", n)
			}
		})
		wg.Wait()
		for w := range 3 {
			for _, o := range taken[w] {
				o.wantClosed(t, 1)
			}
			for _, o := range refused[w] {
				o.wantClosed(t, 0)
			}
		}
		if t.Failed() {
			return
		}
	}
}

// Shutdown does not wait longer than its context; the late object is closed all the same.
func TestShutdownIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, *object]{})
		old := must[*object](t)(c.GetOrCreate(t.Context(), "old", plain(&object{name: "old", err: errors.New("stuck")})))
		g := newGate(&object{name: "late"})
		g.deaf = true
		a := ask(t.Context(), c, "k", g.create)
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := c.Shutdown(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "stuck") {
			t.Errorf("Shutdown gave %v, want its deadline and the error of closing", err)
		}
		if got := <-a; got.err != cache.ErrClosed {
			t.Errorf("the waiter got %v, want ErrClosed", got.err)
		}
		old.wantClosed(t, 1)
		close(g.release)
		synctest.Wait()
		g.value.wantClosed(t, 1)
	})
}

// In a creator, Shutdown would wait for its own caller.
func TestShutdownByACreator(t *testing.T) {
	c := open(t, cache.Config[string, int]{})
	other := open(t, cache.Config[string, int]{})
	_, err := c.GetOrCreate(t.Context(), "k", func(ctx context.Context) (int, error) {
		return other.GetOrCreate(ctx, "x", func(ctx context.Context) (int, error) {
			return 1, c.Shutdown(ctx)
		})
	})
	if !errors.Is(err, cache.ErrCycle) || !strings.Contains(err.Error(), "creator of k") {
		t.Errorf("got %v, want ErrCycle", err)
	}
	if v := must[int](t)(c.GetOrCreate(t.Context(), "k", plain(1))); v != 1 {
		t.Errorf("got %v, want the cache to be open", v)
	}
	_, err = c.GetOrCreate(t.Context(), "last", func(ctx context.Context) (int, error) { return 1, other.Shutdown(ctx) })
	if err != nil {
		t.Errorf("shutting another cache down gave %v", err)
	}
}

// A shutdown with time to spare ends as Close does.
func TestShutdownInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, int]{})
		g := newGate(1)
		a := ask(t.Context(), c, "k", g.create)
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		must[any](t)(nil, c.Shutdown(ctx))
		if got := <-a; got.err != cache.ErrClosed {
			t.Errorf("the waiter got %v, want ErrClosed", got.err)
		}
	})
}
