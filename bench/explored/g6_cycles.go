package explored

import (
	"context"
	"errors"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/explore"
)

func cycles() []Row {
	return []Row{
		{ID: "G6a", What: "a creator that asks for its own key gets the cycle", Body: selfCycle},
		{ID: "G6b", What: "two creators that ask for each other get the cycle", Body: crossCycle},
		{ID: "G6c", What: "a cycle through two caches is seen", Body: twoCaches},
		{ID: "G6d", What: "what is no cycle is none", Body: diamond},
		{ID: "G6e", What: "who has given up waiting is no part of a cycle", Body: gaveUp},
	}
}

type ints = *cache.Cache[string, int]

// asking returns a creator that asks a cache for another key.
func asking(c ints, key string, create func(context.Context) (int, error)) func(context.Context) (int, error) {
	return func(ctx context.Context) (int, error) { return c.GetOrCreate(ctx, key, create) }
}

func wantCycle(t *explore.T, err error) {
	var cycle *cache.CycleError
	if !errors.As(err, &cycle) || !errors.Is(err, cache.ErrCycle) {
		t.Errorf("got %v, want a cycle", err)
		return
	}
	if k := cycle.Keys; len(k) < 2 || k[0] != k[len(k)-1] {
		t.Errorf("got the keys %v, want a cycle of them", k)
	}
}

func selfCycle(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	for i := range 2 {
		t.Go("caller", func() {
			_, err := c.GetOrCreate(either(t, i), "a", asking(c, "a", plain(1)))
			wantCycle(t, err)
		})
	}
	t.Wait()
	if n := c.Len(); n != 0 {
		t.Errorf("%d entries are left, want none", n)
	}
	_ = c.Close()
}

func crossCycle(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	var a, b func(context.Context) (int, error)
	a = func(ctx context.Context) (int, error) { return c.GetOrCreate(ctx, "b", b) }
	b = func(ctx context.Context) (int, error) { return c.GetOrCreate(ctx, "a", a) }
	t.Go("caller of a", func() { _, err := c.GetOrCreate(t.Context(), "a", a); wantCycle(t, err) })
	t.Go("caller of b", func() { _, err := c.GetOrCreate(leaving(t), "b", b); wantCycle(t, err) })
	t.Wait()
	if n := c.Len(); n != 0 {
		t.Errorf("%d entries are left, want none", n)
	}
	_ = c.Close()
}

func twoCaches(t *explore.T) {
	c, d := open(t, cache.Config[string, int]{}), open(t, cache.Config[int, int]{})
	var a, one func(context.Context) (int, error)
	a = func(ctx context.Context) (int, error) { return d.GetOrCreate(ctx, 1, one) }
	one = func(ctx context.Context) (int, error) {
		derived, cancel := context.WithCancel(ctx)
		defer cancel()
		return c.GetOrCreate(derived, "a", a)
	}
	t.Go("caller of a", func() { _, err := c.GetOrCreate(t.Context(), "a", a); wantCycle(t, err) })
	t.Go("caller of 1", func() { _, err := d.GetOrCreate(leaving(t), 1, one); wantCycle(t, err) })
	t.Wait()
	_ = c.Close()
	_ = d.Close()
}

func diamond(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	base := plain(1)
	left := func(ctx context.Context) (int, error) {
		v, err := c.GetOrCreate(ctx, "base", base)
		return v + 1, err
	}
	right := func(ctx context.Context) (int, error) {
		v, err := c.GetOrCreate(ctx, "left", left)
		w, err2 := c.GetOrCreate(ctx, "base", base)
		return v + w, errors.Join(err, err2)
	}
	for key, create := range map[string]func(context.Context) (int, error){"left": left, "right": right} {
		t.Go("caller of "+key, func() {
			if _, err := c.GetOrCreate(either(t, len(key)), key, create); err != nil {
				t.Errorf("%s: got %v, want no error", key, err)
			}
		})
	}
	t.Wait()
	if v, ok := c.Get("right"); v != 3 || !ok {
		t.Errorf("right is %d, %v, want 3", v, ok)
	}
	_ = c.Close()
}

// gaveUp: the creator of a stops waiting for b before b's creator asks for a.
func gaveUp(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	asks := make(chan struct{})
	b := func(ctx context.Context) (int, error) {
		<-asks
		return c.GetOrCreate(ctx, "a", plain(9))
	}
	t.Go("caller of b", func() {
		if v, err := c.GetOrCreate(t.Context(), "b", b); v == 0 || err != nil {
			t.Errorf("b: got %d, %v, want a value", v, err)
		}
	})
	t.Go("caller of a", func() {
		v, err := c.GetOrCreate(t.Context(), "a", func(ctx context.Context) (int, error) {
			short, stop := context.WithCancel(ctx)
			t.Go("stopper", stop)
			if _, err := c.GetOrCreate(short, "b", b); !errors.Is(err, context.Canceled) {
				t.Errorf("a asked for b: got %v, want its own cancellation", err)
			}
			close(asks)
			return 1, nil
		})
		if v == 0 || err != nil {
			t.Errorf("a: got %d, %v, want a value", v, err)
		}
	})
	t.Wait()
	_ = c.Close()
}
