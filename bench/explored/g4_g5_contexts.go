package explored

import (
	"context"
	"errors"
	"time"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/explore"
)

func contexts() []Row {
	return []Row{
		{ID: "G4a", What: "who stays is not cancelled with who leaves", Body: stayAndLeave},
		{ID: "G4c", What: "the creation goes on for who stays", Body: goesOn},
		{ID: "G4b", What: "a creator has its caller's values and no deadline", Body: valuesOnly},
		{ID: "G5a", What: "a creation ends with its last waiter", Body: lastWaiter},
		{ID: "G5b", What: "an abandoned object is closed, and nobody waits for it", Body: abandoned},
		{ID: "G5d", What: "also if it comes when the caller leaves", Body: abandonedAtLast},
		{ID: "G5c", What: "who comes when the last one leaves gets a value", Body: comeAndLeave},
	}
}

// gated returns a creator that waits for the gate or the end of its context.
func gated(gate <-chan struct{}, v int) func(context.Context) (int, error) {
	return func(ctx context.Context) (int, error) {
		select {
		case <-gate:
			return v, nil
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	}
}

func stayAndLeave(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	gate := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	t.Go("leaver", func() {
		if v, err := c.GetOrCreate(ctx, "k", gated(gate, 7)); !(err == nil && v == 7) && !errors.Is(err, context.Canceled) {
			t.Errorf("the one who leaves got %d, %v, want 7 or its cancellation", v, err)
		}
	})
	t.Go("stayer", func() {
		if v, err := c.GetOrCreate(t.Context(), "k", gated(gate, 7)); v != 7 || err != nil {
			t.Errorf("the one who stays got %d, %v, want 7", v, err)
		}
	})
	t.Go("canceller", func() {
		cancel()
		close(gate)
	})
	t.Wait()
	if v, err := c.GetOrCreate(ctx, "k", nil); v != 7 || err != nil {
		t.Errorf("a hit with a dead context: got %d, %v, want 7", v, err)
	}
	_ = c.Close()
}

// goesOn: time passes only when no goroutine can run, so that after a sleep all callers wait for one creation.
func goesOn(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	gate := make(chan struct{})
	var calls counter
	create := func(ctx context.Context) (int, error) {
		calls.add()
		return gated(gate, 7)(ctx)
	}
	ctx, cancel := context.WithCancel(t.Context())
	for i := range 2 {
		t.Go("leaver", func() {
			if _, err := c.GetOrCreate(ctx, "k", create); !errors.Is(err, context.Canceled) {
				t.Errorf("the one who leaves got %v, want its cancellation", err)
			}
		})
		t.Go("stayer", func() {
			if v, err := c.GetOrCreate(either(t, 1+2*i), "k", create); v != 7 || err != nil {
				t.Errorf("the one who stays got %d, %v, want 7", v, err)
			}
		})
	}
	time.Sleep(time.Millisecond)
	cancel()
	time.Sleep(time.Millisecond)
	close(gate)
	t.Wait()
	if n := calls.get(); n != 1 {
		t.Errorf("%d creations, want 1", n)
	}
	_ = c.Close()
}

type nameKey struct{}

func valuesOnly(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	for _, name := range []string{"one", "two"} {
		t.Go(name, func() {
			ctx, cancel := context.WithTimeout(context.WithValue(t.Context(), nameKey{}, name), 1<<40)
			defer cancel()
			v, err := c.GetOrCreate(ctx, "k", func(ctx context.Context) (int, error) {
				if got := ctx.Value(nameKey{}); got != name {
					t.Errorf("the creator of %s has the values of %v", name, got)
				}
				if _, has := ctx.Deadline(); has {
					t.Error("the creator has a caller's deadline")
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

func lastWaiter(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	never := make(chan struct{})
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		t.Go("caller", func() {
			if _, err := c.GetOrCreate(ctx, "k", gated(never, 0)); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want the caller's own cancellation", err)
			}
		})
		t.Go("canceller", cancel)
	}
	t.Wait()
	if v, err := c.GetOrCreate(t.Context(), "k", plain(8)); v != 8 || err != nil {
		t.Errorf("the next caller got %d, %v, want 8", v, err)
	}
	_ = c.Close() // waits for the creators, which end with their contexts only
}

func abandoned(t *explore.T) {
	x := try(t, cache.Config[string, *object]{})
	gate := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	t.Go("caller", func() {
		_, err := x.c.GetOrCreate(ctx, "k", func(context.Context) (*object, error) {
			<-gate
			return x.object(), nil
		})
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want the caller's own cancellation", err)
		}
		close(gate) // if the caller waited for the creator, this would never be reached
	})
	t.Go("canceller", cancel)
	t.Wait()
	x.get(t.Context(), "k")
	x.end()
}

func abandonedAtLast(t *explore.T) {
	x := try(t, cache.Config[string, *object]{})
	ctx, cancel := context.WithCancel(t.Context())
	t.Go("caller", func() {
		if _, err := x.c.GetOrCreate(ctx, "k", x.create); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want an object or the caller's own cancellation", err)
		}
	})
	t.Go("canceller", cancel)
	t.Wait()
	x.end()
}

// comeAndLeave: the cache decides atomically whether the last waiter has left or another one has come.
func comeAndLeave(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	ctx, cancel := context.WithCancel(t.Context())
	gate := make(chan struct{})
	started := make(chan struct{})
	t.Go("leaver", func() {
		_, err := c.GetOrCreate(ctx, "k", func(ctx context.Context) (int, error) {
			close(started)
			return gated(gate, 1)(ctx)
		})
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("the one who leaves got %v, want its own cancellation", err)
		}
	})
	<-started
	t.Go("canceller", cancel)
	t.Go("comer", func() {
		if v, err := c.GetOrCreate(t.Context(), "k", gated(gate, 2)); v == 0 || err != nil {
			t.Errorf("the one who comes got %d, %v, want a value", v, err)
		}
	})
	t.Go("opener", func() { close(gate) })
	t.Wait()
	_ = c.Close()
}
