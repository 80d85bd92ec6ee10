package cache_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jacquard-go/jacquard/cache"
)

// recorder collects removals.
type recorder struct {
	mu   sync.Mutex
	seen []string
}

func (r *recorder) hook(x cache.Removal[string, int]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = append(r.seen, fmt.Sprintf("%s=%d %v", x.Key, x.Value, x.Cause))
}

// take returns the removals since the last call.
func (r *recorder) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := r.seen
	r.seen = nil
	return seen
}

func (r *recorder) want(t *testing.T, want ...string) {
	t.Helper()
	if got := r.take(); !slices.Equal(got, want) {
		t.Errorf("removals %q, want %q", got, want)
	}
}

func TestCounters(t *testing.T) {
	c := open(t, cache.Config[string, int]{Count: true, MaxEntries: 2})
	c.Get("a")
	must[int](t)(c.GetOrCreate(t.Context(), "a", plain(1)))
	must[int](t)(c.GetOrCreate(t.Context(), "a", plain(1)))
	_, _ = c.GetOrCreate(t.Context(), "b", failing[int](errors.New("no")))
	_, _ = c.GetVersion("a")
	_ = c.Set("a", 2)
	_ = c.Set("b", 2)
	_ = c.Set("c", 2)
	c.Delete("c")
	for range c.All() { // not counted
	}
	want := cache.Stats{Hits: 2, Misses: 3, Creations: 2, Failures: 1, Removals: map[cache.Cause]uint64{
		cache.Replaced: 1, cache.Evicted: 1, cache.Deleted: 1,
	}}
	if got := c.Stats(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("Stats are %+v, want %+v", got, want)
	}
	off := open(t, cache.Config[string, int]{})
	off.Get("a")
	if got := off.Stats(); got.Misses != 0 || len(got.Removals) != 0 {
		t.Errorf("Stats are %+v while counting is off", got)
	}
}

func TestCauses(t *testing.T) {
	var gone recorder
	c := open(t, cache.Config[string, int]{OnRemoval: gone.hook})
	for i := range 5 {
		_ = c.Set("k", i)
	}
	v, _ := c.GetVersion("k")
	c.CompareAndDelete("k", v.Version)
	_ = c.Set("k", 5)
	c.Invalidate("k")
	_ = c.Set("a", 6)
	_ = c.Set("b", 7)
	must[any](t)(nil, c.Close())
	gone.want(t, "k=0 replaced", "k=1 replaced", "k=2 replaced", "k=3 replaced", "k=4 deleted", "k=5 invalidated",
		"b=7 closed", "a=6 closed")
	if got := fmt.Sprint(cache.Superseded, cache.Cause(-1), cache.Cause(99)); got != "superseded cause(-1) cause(99)" {
		t.Errorf("causes are called %s", got)
	}
}

// A hook that panics or ends its goroutine does no harm; Close reports it.
func TestHookPanics(t *testing.T) {
	for name, do := range map[string]func(){"panic": func() { explode("hook") }, "goexit": vanish} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			c := open(t, cache.Config[int, *object]{
				MaxEntries: 1,
				OnRemoval: func(cache.Removal[int, *object]) {
					if calls++; calls <= 2 {
						do()
					}
				},
			})
			objects := []*object{{name: "a"}, {name: "b"}, {name: "c"}}
			apart(func() {
				_ = c.Set(0, objects[0])
				_ = c.Set(1, objects[1])
			})
			apart(func() { _, _ = c.GetOrCreate(context.Background(), 2, plain(objects[2])) })
			err := c.Close()
			var pe *cache.PanicError
			if !errors.As(err, &pe) || !strings.Contains(err.Error(), "removal hook for 0") {
				t.Errorf("Close gave %v, want the hook's panic", err)
			}
			for _, o := range objects {
				o.wantClosed(t, 1)
			}
		})
	}
}

// apart runs f, which may end its goroutine, on a new goroutine and waits for the goroutine to end.
func apart(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	<-done
}
