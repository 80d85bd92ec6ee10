package explored

import (
	"context"
	"errors"
	"slices"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/explore"
)

func closing() []Row {
	return []Row{
		{ID: "G10a", What: "after Close nothing is found, and each object is closed once", Body: closeAmidst},
		{ID: "G10b", What: "Close cancels creations, and tells who waits", Body: closeCancels},
		{ID: "G10c", What: "of two Closes one closes", Body: closeTwice},
		{ID: "G10d", What: "the youngest object is closed first", Body: youngestFirst},
		{ID: "G10e", What: "a creator that would wait for itself is refused", Body: shutdownInside},
		{ID: "G10f", What: "Shutdown stops waiting with its context", Body: shutdownBound},
	}
}

func closeAmidst(t *explore.T) {
	x := try(t, cache.Config[string, *object]{})
	for i := range 2 {
		t.Go("caller", func() {
			if _, err := x.c.GetOrCreate(either(t, i), "k", x.create); err != nil && err != cache.ErrClosed {
				t.Errorf("got %v, want an object or %v", err, cache.ErrClosed)
			}
		})
	}
	t.Go("writer", func() { x.set("k") })
	t.Go("closer", func() {
		if err := x.c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if o, ok := x.c.Get("k"); ok {
			t.Errorf("object %d is found after Close", o.id)
		}
		if _, err := x.c.GetOrCreate(t.Context(), "k", x.create); err != cache.ErrClosed {
			t.Errorf("a call after Close got %v, want %v", err, cache.ErrClosed)
		}
		if err := x.c.Set("k", nil); err != cache.ErrClosed {
			t.Errorf("Set after Close got %v, want %v", err, cache.ErrClosed)
		}
		if n := x.c.Len(); n != 0 {
			t.Errorf("%d entries after Close, want none", n)
		}
	})
	t.Wait()
	x.end()
}

func closeCancels(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	for i := range 2 {
		t.Go("caller", func() {
			_, err := c.GetOrCreate(either(t, i), "k", func(ctx context.Context) (int, error) {
				<-ctx.Done()
				if cause := context.Cause(ctx); cause != cache.ErrClosed {
					t.Errorf("the creator's context ended with %v, want %v", cause, cache.ErrClosed)
				}
				return 0, errCreate
			})
			if err != cache.ErrClosed {
				t.Errorf("got %v, want %v", err, cache.ErrClosed)
			}
		})
	}
	t.Go("closer", func() {
		if err := c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	t.Wait()
}

func closeTwice(t *explore.T) {
	x := try(t, cache.Config[string, *object]{})
	x.set("k")
	var first, second counter
	for range 2 {
		t.Go("closer", func() {
			switch err := x.c.Close(); err {
			case nil:
				first.add()
			case cache.ErrClosed:
				second.add()
			default:
				t.Errorf("Close: %v", err)
			}
		})
	}
	t.Go("caller", func() { _, _ = x.c.GetOrCreate(t.Context(), "other", x.create) })
	t.Wait()
	if first.get() != 1 || second.get() != 1 {
		t.Errorf("%d Closes closed and %d came late, want one of each", first.get(), second.get())
	}
	x.end()
}

// ordered records the order in which objects are closed.
type ordered struct {
	id    int
	order *[]int
}

func (o ordered) Close() error {
	*o.order = append(*o.order, o.id)
	return nil
}

func youngestFirst(t *explore.T) {
	var order []int
	c := open(t, cache.Config[string, ordered]{})
	versions := map[int]uint64{}
	_ = c.Set("1", ordered{1, &order})
	t.Go("caller", func() { _, _ = c.GetOrCreate(leaving(t), "2", plain(ordered{2, &order})) })
	t.Go("caller", func() { _, _ = c.GetOrCreate(t.Context(), "3", plain(ordered{3, &order})) })
	t.Wait()
	for _, key := range []string{"1", "2", "3"} {
		v, _ := c.GetVersion(key)
		versions[v.Value.id] = v.Version
	}
	if err := c.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if len(order) != 3 || !slices.IsSortedFunc(order, func(a, b int) int { return int(versions[b]) - int(versions[a]) }) {
		t.Errorf("closed in the order %v with versions %v, want the youngest first", order, versions)
	}
}

func shutdownInside(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	for i := range 2 {
		t.Go("caller", func() {
			v, err := c.GetOrCreate(either(t, i), "k", func(ctx context.Context) (int, error) {
				if err := c.Shutdown(ctx); !errors.Is(err, cache.ErrCycle) {
					t.Errorf("Shutdown in a creator: got %v, want %v", err, cache.ErrCycle)
				}
				return 7, nil
			})
			if v != 7 || err != nil {
				t.Errorf("got %d, %v, want 7", v, err)
			}
		})
	}
	t.Wait()
	_ = c.Close()
}

func shutdownBound(t *explore.T) {
	x := try(t, cache.Config[string, *object]{})
	over, done, started := make(chan struct{}), make(chan struct{}), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	t.Go("caller", func() {
		_, err := x.c.GetOrCreate(leaving(t), "k", func(context.Context) (*object, error) {
			defer close(done)
			close(started)
			<-over
			return x.object(), nil
		})
		if err != cache.ErrClosed {
			t.Errorf("got %v, want %v", err, cache.ErrClosed)
		}
	})
	<-started
	t.Go("canceller", cancel)
	if err := x.c.Shutdown(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Shutdown: got %v, want that its context ended", err)
	}
	close(over)
	t.Wait()
	<-done
}
