package explored

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/explore"
)

func remembered() []Row {
	return []Row{
		{ID: "G14a", What: "an error is told to all who ask while it lasts, of one creation", Body: toldAgain},
		{ID: "G14b", What: "to batches too", Body: toldToBatches},
		{ID: "G14c", What: "an error from before a change is told to nobody after it", Body: noStaleError},
		{ID: "G14d", What: "it is no value, and a change ends it", Body: noValue},
		{ID: "G14e", What: "no more errors are remembered than the limit says", Body: fewErrors},
		{ID: "G14f", What: "an error whose time is over is told to nobody", Body: errorsEnd},
		{ID: "G14g", What: "a panic is not remembered", Body: panicsAreForgotten},
	}
}

// forgiving returns a configuration that remembers errors for a second.
func forgiving() cache.Config[string, int] {
	return cache.Config[string, int]{ErrorTTL: func(string, error) time.Duration { return time.Second }}
}

// failing returns a creator that fails and counts.
func failing(calls *counter) func(context.Context) (int, error) {
	return func(context.Context) (int, error) { calls.add(); return 0, errCreate }
}

func toldAgain(t *explore.T) {
	c := open(t, forgiving())
	var calls counter
	for i := range 2 {
		t.Go("caller", func() {
			for j := range 2 {
				if _, err := c.GetOrCreate(either(t, i+j), "k", failing(&calls)); err != errCreate {
					t.Errorf("got %v, want the creator's error", err)
				}
			}
		})
	}
	t.Wait()
	if n := calls.get(); n != 1 {
		t.Errorf("%d creations, want one", n)
	}
	_ = c.Close()
}

func toldToBatches(t *explore.T) {
	c := open(t, forgiving())
	var calls counter
	for _, keys := range [][]string{{"a", "b"}, {"b", "a"}} {
		t.Go("batch", func() {
			for range 2 {
				got, err := c.GetOrCreateAll(leaving(t), keys, func(_ context.Context, missing []string) (map[string]int, error) {
					for range missing {
						calls.add()
					}
					return nil, errCreate
				})
				if len(got) != 0 || !errors.Is(err, errCreate) {
					t.Errorf("got %v, %v, want the creator's error", got, err)
				}
			}
		})
	}
	t.Go("caller", func() {
		if _, err := c.GetOrCreate(t.Context(), "a", failing(&calls)); err != errCreate {
			t.Errorf("got %v, want the creator's error", err)
		}
	})
	t.Wait()
	if n := calls.get(); n != 2 {
		t.Errorf("%d creations, want one of each key", n)
	}
	_ = c.Close()
}

// noStaleError changes the truth, and deletes the key, during a creation that fails because of the old truth.
func noStaleError(t *explore.T) {
	c := open(t, forgiving())
	var there atomic.Bool
	create := func(context.Context) (int, error) {
		if !there.Load() {
			return 0, errCreate
		}
		return 7, nil
	}
	for i := range 2 {
		t.Go("caller", func() {
			if v, err := c.GetOrCreate(either(t, i), "k", create); err != errCreate && (v != 7 || err != nil) {
				t.Errorf("got %d, %v, want 7 or the creator's error", v, err)
			}
		})
	}
	t.Go("changer", func() {
		there.Store(true)
		c.Delete("k")
		if v, err := c.GetOrCreate(t.Context(), "k", create); v != 7 || err != nil {
			t.Errorf("after the change got %d, %v, want 7", v, err)
		}
	})
	t.Wait()
	if v, ok := c.Get("k"); v != 7 || !ok {
		t.Errorf("in the end %d is there: %v, want 7", v, ok)
	}
	_ = c.Close()
}

func noValue(t *explore.T) {
	cfg := forgiving()
	cfg.OnRemoval = func(r cache.Removal[string, int]) {
		if r.Value == 0 {
			t.Errorf("the hook was told of %s, which had no value", r.Key)
		}
	}
	c := open(t, cfg)
	var calls counter
	t.Go("caller", func() {
		if _, err := c.GetOrCreate(leaving(t), "a", failing(&calls)); err != errCreate {
			t.Errorf("got %v, want the creator's error", err)
		}
	})
	t.Go("other", func() {
		if v, err := c.GetOrCreate(t.Context(), "b", failing(&calls)); err != errCreate && (v != 2 || err != nil) {
			t.Errorf("got %d, %v, want the creator's error, or 2", v, err)
		}
	})
	t.Go("reader", func() {
		if v, ok := c.Get("a"); ok {
			t.Errorf("got %d, which nobody made", v)
		}
	})
	t.Go("changer", func() {
		if _, ok := c.CompareAndSwap("b", 0, 2); !ok {
			t.Error("b had no value, and the swap failed")
		}
		if c.Delete("a") {
			t.Error("a had no value, and was deleted")
		}
	})
	t.Wait()
	if n := c.Len(); n != 1 {
		t.Errorf("Len is %d, want 1: b", n)
	}
	_ = c.Close()
}

func fewErrors(t *explore.T) {
	cfg := forgiving()
	cfg.MaxEntries = 1
	c := open(t, cfg)
	var calls counter
	for i, key := range []string{"a", "b"} {
		t.Go("caller", func() { _, _ = c.GetOrCreate(either(t, i), key, failing(&calls)) })
	}
	t.Wait()
	for _, key := range []string{"a", "b"} {
		_, _ = c.GetOrCreate(t.Context(), key, failing(&calls))
	}
	if n := calls.get(); n < 3 {
		t.Errorf("%d creations, so both errors were remembered, want one", n)
	}
	_ = c.Close()
}

func errorsEnd(t *explore.T) {
	var now atomic.Int64
	cfg := forgiving()
	cfg.Now = func() time.Time { return time.Unix(1000+now.Load(), 0) }
	c := open(t, cfg)
	var calls counter
	_, _ = c.GetOrCreate(t.Context(), "k", failing(&calls))
	now.Store(1)
	for i := range 2 {
		t.Go("caller", func() {
			if v, err := c.GetOrCreate(either(t, i), "k", plain(7)); v != 7 || err != nil {
				t.Errorf("got %d, %v, want 7", v, err)
			}
		})
	}
	t.Go("sweeper", func() {
		if n := c.Sweep(); n != 0 {
			t.Errorf("%d values were swept, want none", n)
		}
	})
	t.Wait()
	if n := c.Len(); n != 1 {
		t.Errorf("Len is %d, want 1", n)
	}
	_ = c.Close()
}

func panicsAreForgotten(t *explore.T) {
	c := open(t, forgiving())
	var calls counter
	for i := range 2 {
		t.Go("caller", func() {
			var panicked *cache.PanicError
			_, err := c.GetOrCreate(either(t, i), "k", func(context.Context) (int, error) { calls.add(); panic(errCreate) })
			if !errors.As(err, &panicked) {
				t.Errorf("got %v, want the panic", err)
			}
		})
	}
	t.Wait()
	if v, err := c.GetOrCreate(t.Context(), "k", plain(7)); v != 7 || err != nil {
		t.Errorf("then got %d, %v, want 7", v, err)
	}
	_ = c.Close()
}
