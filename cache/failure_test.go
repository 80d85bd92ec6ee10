package cache_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/cache"
)

var errNone, errLater = errors.New("there is none"), errors.New("try again later")

// remembering returns a cache that remembers errNone for a minute and errLater for a second, and nothing else. It also
// returns the cache's clock and a counter of creator calls.
type remembering struct {
	*cache.Cache[string, int]
	now  time.Time
	made int
	gone recorder
}

func remember(t *testing.T, cfg cache.Config[string, int]) *remembering {
	r := &remembering{now: time.Unix(1e9, 0)}
	cfg.Now = func() time.Time { return r.now }
	cfg.OnRemoval = r.gone.hook
	cfg.ErrorTTL = func(_ string, err error) time.Duration {
		return map[error]time.Duration{errNone: time.Minute, errLater: time.Second, cache.ErrNoValue: time.Minute}[err]
	}
	r.Cache = open(t, cfg)
	return r
}

// fails asks for key and expects that error, from a new creation or from an earlier one.
func (r *remembering) fails(t *testing.T, ctx context.Context, key string, err error, created bool) {
	t.Helper()
	before := r.made
	_, got := r.GetOrCreate(ctx, key, func(context.Context) (int, error) { r.made++; return 0, err })
	if got != err || (r.made > before) != created {
		t.Errorf("%s: got %v, created: %v, want %v, %v", key, got, r.made > before, err, created)
	}
}

// G14: a remembered error is returned without a creation for its whole lifetime, by every way of asking.
func TestG14Remembered(t *testing.T) {
	for name, ctx := range map[string]context.Context{"in place": forever, "apart": t.Context()} {
		r := remember(t, cache.Config[string, int]{})
		r.fails(t, ctx, "a", errNone, true)
		r.fails(t, ctx, "b", errLater, true)
		r.fails(t, ctx, "a", errNone, false)
		r.fails(t, ctx, "d", context.Canceled, true)
		r.fails(t, ctx, "d", context.Canceled, true)
		if _, err := r.Acquire(ctx, "b", plain(1)); err != errLater {
			t.Errorf("%s: Acquire gave %v", name, err)
		}
		got, err := r.GetOrCreateAll(ctx, []string{"a", "c"}, all(func(string) int { return 5 }))
		if len(got) != 1 || got["c"] != 5 || err != errNone {
			t.Errorf("%s: got %v, %v, want c, and a's error", name, got, err)
		}
		r.now = r.now.Add(time.Second)
		r.fails(t, ctx, "a", errNone, false)
		r.fails(t, ctx, "b", errLater, true)
		r.now = r.now.Add(time.Minute)
		if v := must[int](t)(r.GetOrCreate(ctx, "a", plain(2))); v != 2 {
			t.Errorf("%s: got %d, want 2", name, v)
		}
		r.gone.want(t)
	}
}

// G14: each change of the key ends the error at once, and none treats it as a value.
func TestG14EndsWithAChange(t *testing.T) {
	for name, change := range map[string]func(*remembering) bool{
		"Set":            func(r *remembering) bool { return r.Set("a", 1) == nil },
		"CompareAndSwap": func(r *remembering) bool { _, ok := r.CompareAndSwap("a", 0, 1); return ok },
		"Fill":           func(r *remembering) bool { return r.Fill("a", 1, r.Stamp("a")) },
		"Delete":         func(r *remembering) bool { return !r.Delete("a") },
		"Invalidate":     func(r *remembering) bool { r.Invalidate("a"); return true },
		"InvalidateAll":  func(r *remembering) bool { r.InvalidateAll(); return true },
	} {
		r := remember(t, cache.Config[string, int]{})
		r.fails(t, t.Context(), "a", errNone, true)
		if !change(r) {
			t.Errorf("%s took the error for a value", name)
		}
		if v := must[int](t)(r.GetOrCreate(t.Context(), "a", plain(1))); v != 1 {
			t.Errorf("%s: got %d, want 1", name, v)
		}
		r.gone.want(t)
	}
}

// G14: a superseded creation leaves no error behind.
func TestG14StaleErrorIsNotRemembered(t *testing.T) {
	r := remember(t, cache.Config[string, int]{})
	g := newGate(0)
	g.err, g.deaf = errNone, true
	first := ask(t.Context(), r.Cache, "a", func(ctx context.Context) (int, error) {
		if g.started.Load() > 0 {
			return 1, nil
		}
		return g.create(ctx)
	})
	for g.started.Load() == 0 {
		runtime.Gosched()
	}
	r.Invalidate("a")
	close(g.release)
	if got := <-first; got.v != 1 || got.err != nil {
		t.Errorf("got %v, want 1", got)
	}
	if v, ok := r.Get("a"); v != 1 || !ok {
		t.Errorf("got %d, %v, want 1", v, ok)
	}
}

// G14: a remembered error is not a value for any method.
func TestG14IsNoValue(t *testing.T) {
	r := remember(t, cache.Config[string, int]{Count: true})
	r.fails(t, t.Context(), "a", errNone, true)
	if _, ok := r.Get("a"); ok || r.Len() != 0 {
		t.Errorf("Get found %v, Len is %d", ok, r.Len())
	}
	for key := range r.All() {
		t.Errorf("%s is iterated over", key)
	}
	if _, ok := r.GetVersion("a"); ok || r.CompareAndDelete("a", 1) {
		t.Error("a has a version")
	}
	r.now = r.now.Add(time.Hour)
	if n := r.Sweep(); n != 0 {
		t.Errorf("swept %d values", n)
	}
	r.fails(t, t.Context(), "a", errNone, true)
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if s := r.Stats(); s.Creations != 2 || s.Failures != 2 || len(s.Removals) != 0 {
		t.Errorf("counted %+v", s)
	}
	if _, err := r.GetOrCreate(t.Context(), "a", plain(1)); !errors.Is(err, cache.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	r.gone.want(t)
}

// G14: at most MaxEntries errors are remembered; the first to expire is dropped, and values stay.
func TestG14Limit(t *testing.T) {
	r := remember(t, cache.Config[string, int]{MaxEntries: 3})
	_ = r.Set("v", 1)
	r.fails(t, t.Context(), "soon", errLater, true)
	for i := range 4 {
		r.now = r.now.Add(time.Millisecond)
		r.fails(t, t.Context(), fmt.Sprint(i), errNone, true)
	}
	r.Delete("2")
	for key, created := range map[string]bool{"1": false, "3": false} {
		r.fails(t, t.Context(), key, errNone, created)
	}
	r.fails(t, t.Context(), "2", errNone, true)
	r.fails(t, t.Context(), "soon", errLater, true)
	r.fails(t, t.Context(), "soon", errLater, true) // dropped at once
	r.fails(t, t.Context(), "0", errNone, true)
	if _, ok := r.Get("v"); !ok || r.Len() != 1 {
		t.Errorf("v is there: %v, and Len is %d", ok, r.Len())
	}
}

// G14: a key that a bulk creator leaves out has an error of its own, and one that fails is an error of all its keys.
func TestG14Batches(t *testing.T) {
	r := remember(t, cache.Config[string, int]{})
	keys := []string{"a", "b"}
	got, err := r.GetOrCreateAll(t.Context(), keys, func(context.Context, []string) (map[string]int, error) {
		return map[string]int{"a": 1}, nil
	})
	if fmt.Sprint(got) != "map[a:1]" || err != nil {
		t.Errorf("got %v, %v, want a", got, err)
	}
	r.fails(t, t.Context(), "b", cache.ErrNoValue, false)
	got, err = r.GetOrCreateAll(t.Context(), keys, func(context.Context, []string) (map[string]int, error) { panic("called") })
	if fmt.Sprint(got) != "map[a:1]" || err != nil {
		t.Errorf("then got %v, %v, want a", got, err)
	}
	keys = []string{"c", "d"}
	if _, err := r.GetOrCreateAll(t.Context(), keys, func(context.Context, []string) (map[string]int, error) { return nil, errNone }); err != errNone {
		t.Errorf("got %v, want %v", err, errNone)
	}
	r.fails(t, t.Context(), "c", errNone, false)
	r.fails(t, t.Context(), "d", errNone, false)
}

// G14: a panic is not remembered. If ErrorTTL panics or ends the goroutine, waiters get that *PanicError.
func TestG14Panics(t *testing.T) {
	asked := 0
	c := open(t, cache.Config[string, int]{ErrorTTL: func(key string, _ error) time.Duration {
		asked++
		switch key {
		case "panics":
			panic(errLater)
		case "exits":
			runtime.Goexit()
		}
		return math.MaxInt64
	}})
	var panicked *cache.PanicError
	if _, err := c.GetOrCreate(t.Context(), "k", func(context.Context) (int, error) { panic("boom") }); !errors.As(err, &panicked) || asked != 0 {
		t.Errorf("got %v, and ErrorTTL was asked %d times", err, asked)
	}
	if _, err := c.GetOrCreate(t.Context(), "panics", failing[int](errNone)); !errors.As(err, &panicked) || !errors.Is(err, errLater) {
		t.Errorf("got %v, want ErrorTTL's panic", err)
	}
	if _, err := c.GetOrCreate(t.Context(), "exits", failing[int](errNone)); !errors.As(err, &panicked) || !panicked.Goexit {
		t.Errorf("got %v, want ErrorTTL's Goexit", err)
	}
	_, err := c.GetOrCreateAll(t.Context(), []string{"k", "exits", "l"}, func(context.Context, []string) (map[string]int, error) { return nil, errNone })
	if !errors.Is(err, errNone) || !errors.As(err, &panicked) {
		t.Errorf("got %v, want the creator's error and ErrorTTL's Goexit", err)
	}
	for key, want := range map[string]error{"k": errNone, "l": errNone, "exits": nil, "panics": nil} {
		if _, err := c.GetOrCreate(t.Context(), key, plain(1)); err != want {
			t.Errorf("%s: got %v, want %v", key, err, want)
		}
	}
}

func TestSweepTakesErrors(t *testing.T) {
	r := remember(t, cache.Config[string, int]{TTL: time.Hour})
	_ = r.Set("v", 1)
	r.fails(t, t.Context(), "a", errNone, true)
	r.fails(t, t.Context(), "b", errLater, true)
	r.now = r.now.Add(2 * time.Second)
	if n := r.Sweep(); n != 0 {
		t.Errorf("swept %d values, want none", n)
	}
	r.fails(t, t.Context(), "a", errNone, false)
	r.now = r.now.Add(time.Hour)
	if n := r.Sweep(); n != 1 {
		t.Errorf("swept %d values, want v", n)
	}
}
