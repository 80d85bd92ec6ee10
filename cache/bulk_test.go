package cache_test

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/jacquard-go/jacquard/cache"
)

// all returns a bulk creator that returns a value for every key.
func all[K comparable, V any](value func(K) V) func(context.Context, []K) (map[K]V, error) {
	return func(_ context.Context, keys []K) (map[K]V, error) {
		m := map[K]V{}
		for _, k := range keys {
			m[k] = value(k)
		}
		return m, nil
	}
}

// askAll calls GetOrCreateAll on a goroutine of its own.
func askAll[K comparable, V any](
	ctx context.Context, c *cache.Cache[K, V], create func(context.Context, []K) (map[K]V, error), keys ...K,
) <-chan answer[map[K]V] {
	ch := make(chan answer[map[K]V], 1)
	go func() {
		m, err := c.GetOrCreateAll(ctx, keys, create)
		ch <- answer[map[K]V]{m, err}
	}()
	return ch
}

// wantAll checks the result of a bulk call.
func wantAll(t *testing.T, got answer[map[string]int], want map[string]int, err error) {
	t.Helper()
	if !maps.Equal(got.v, want) || !errors.Is(got.err, err) {
		t.Errorf("got %v, %v, want %v, %v", got.v, got.err, want, err)
	}
}

func length(s string) int { return len(s) }

// G12: one call of the creator, for the keys that are missing and not under way, each key once.
func TestG12CreatesWhatIsMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, int]{Shards: 2, Count: true})
		_ = c.Set("there", 1)
		g := newGate(2)
		other := ask(t.Context(), c, "under way", g.create)
		synctest.Wait()
		var asked []string
		bulk := askAll(t.Context(), c, func(_ context.Context, keys []string) (map[string]int, error) {
			asked = slices.Clone(keys)
			return map[string]int{"a": 3, "b": 4}, nil
		}, "a", "there", "b", "under way", "a", "there")
		synctest.Wait()
		if v, ok := c.Get("a"); !ok || v != 3 {
			t.Errorf("a is %v, %v before the other's key is there, want 3: the creator does not wait for others", v, ok)
		}
		close(g.release)
		wantAll(t, <-bulk, map[string]int{"there": 1, "under way": 2, "a": 3, "b": 4}, nil)
		if (<-other).v != 2 || !slices.Equal(asked, []string{"a", "b"}) {
			t.Errorf("the creator was asked for %q, want a and b", asked)
		}
		if s := c.Stats(); s.Creations != 2 || s.Misses != 4 || s.Hits != 2 {
			t.Errorf("got %+v, want 2 creations, 4 misses, 2 hits", s)
		}
		wantAll(t, <-askAll(t.Context(), c, nil, "a", "b"), map[string]int{"a": 3, "b": 4}, nil)
		wantAll(t, <-askAll[string, int](t.Context(), c, nil), nil, nil)
	})
}

// G12: batches that overlap in any order end, and create each key once.
func TestG12Overlapping(t *testing.T) {
	const keys, callers = 40, 8
	for range 50 {
		c := open(t, cache.Config[int, *object]{})
		var made [keys]atomic.Int32
		var wg sync.WaitGroup
		for g := range callers {
			wg.Go(func() {
				var mine []int
				for i := range keys {
					if k := (i*(20*g+1) + g) % keys; g%2 == 0 {
						mine = append(mine, k)
					} else {
						mine = append([]int{k}, mine...)
					}
				}
				got := must[map[int]*object](t)(c.GetOrCreateAll(t.Context(), mine, all(func(k int) *object {
					made[k].Add(1)
					runtime.Gosched()
					return &object{}
				})))
				for k, o := range got {
					if v, ok := c.Get(k); !ok || v != o {
						t.Errorf("key %d is another object than the caller got", k)
					}
				}
				if len(got) != keys {
					t.Errorf("got %d keys, want %d", len(got), keys)
				}
			})
		}
		wg.Wait()
		for k := range keys {
			if n := made[k].Load(); n != 1 {
				t.Errorf("key %d was created %d times, want once", k, n)
			}
		}
	}
}

// G12: however the creator ends, every waiter gets the error, no entry is left, and Close does not wait.
func TestG12Failures(t *testing.T) {
	failed := errors.New("no such table")
	var panicked *cache.PanicError
	for name, row := range map[string]struct {
		create func() (map[string]int, error)
		want   func(error) bool
	}{
		"error":  {func() (map[string]int, error) { return map[string]int{"a": 1}, failed }, func(err error) bool { return err == failed }},
		"panic":  {func() (map[string]int, error) { panic(failed) }, func(err error) bool { return errors.Is(err, failed) && errors.As(err, &panicked) }},
		"goexit": {func() (map[string]int, error) { runtime.Goexit(); return nil, nil }, func(err error) bool { return errors.As(err, &panicked) && panicked.Goexit }},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := open(t, cache.Config[string, int]{Count: true})
			release := make(chan struct{})
			bulk := askAll(t.Context(), c, func(context.Context, []string) (map[string]int, error) {
				<-release
				return row.create()
			}, "a", "b")
			synctest.Wait()
			single := ask(t.Context(), c, "b", plain(1))
			second := askAll(t.Context(), c, all(length), "c", "b", "a")
			synctest.Wait()
			close(release)
			if a := <-bulk; !row.want(a.err) || len(a.v) != 0 {
				t.Errorf("%s: got %v, %v", name, a.v, a.err)
			}
			if a := <-single; !row.want(a.err) {
				t.Errorf("%s: who waited for one key got %v, %v", name, a.v, a.err)
			}
			if a := <-second; !row.want(a.err) || !maps.Equal(a.v, map[string]int{"c": 1}) {
				t.Errorf("%s: another batch got %v, %v, want its own key and the error once", name, a.v, a.err)
			}
			if n, s := c.Len(), c.Stats(); n != 1 || s.Failures != 1 || s.Creations != 2 {
				t.Errorf("%s: Len %d and %+v, want one failure of two creations", name, n, s)
			}
			wantAll(t, <-askAll(t.Context(), c, all(length), "a", "b"), map[string]int{"a": 1, "b": 1}, nil)
			if err := c.Close(); err != nil {
				t.Errorf("%s: Close: %v", name, err)
			}
		})
	}
}

// G12: the errors of several creators are all returned.
func TestG12SeveralErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, int]{})
		g := newGate(0)
		g.err = errors.New("one")
		go func() { _, _ = c.GetOrCreate(t.Context(), "x", g.create) }()
		synctest.Wait()
		two := errors.New("two")
		bulk := askAll(t.Context(), c, func(context.Context, []string) (map[string]int, error) { return nil, two }, "x", "y", "z")
		synctest.Wait()
		close(g.release)
		if a := <-bulk; !errors.Is(a.err, g.err) || !errors.Is(a.err, two) || strings.Count(a.err.Error(), "two") != 1 {
			t.Errorf("got %v, want both errors once", a.err)
		}
	})
}

// G12: a key that create leaves out has no value, and an error only for callers that wait for it alone; values that were
// not asked for are closed.
func TestG12LeftOutAndTooMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, *object]{})
		a, extra := &object{name: "a"}, &object{name: "extra"}
		release := make(chan struct{})
		bulk := askAll(t.Context(), c, func(context.Context, []string) (map[string]*object, error) {
			<-release
			return map[string]*object{"a": a, "extra": extra}, nil
		}, "a", "b")
		synctest.Wait()
		single := ask(t.Context(), c, "b", plain(&object{}))
		synctest.Wait()
		close(release)
		if r := <-bulk; r.err != nil || len(r.v) != 1 || r.v["a"] != a {
			t.Errorf("got %v, %v, want a alone", r.v, r.err)
		}
		if r := <-single; r.err != cache.ErrNoValue {
			t.Errorf("who waited for b got %v, %v, want %v", r.v, r.err, cache.ErrNoValue)
		}
		synctest.Wait()
		extra.wantClosed(t, 1)
		a.wantClosed(t, 0)
		must[*object](t)(c.GetOrCreate(t.Context(), "b", plain(&object{})))
		_ = c.Close()
		a.wantClosed(t, 1)
		extra.wantClosed(t, 1)
	})
}

// G12: a change of one key wins over the batch for that key alone, and the creator's context ends with the last of its keys.
func TestG12Changes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, int]{})
		var calls atomic.Int32
		release := make(chan struct{})
		bulk := askAll(t.Context(), c, func(ctx context.Context, keys []string) (map[string]int, error) {
			n := int(calls.Add(1))
			if n == 1 {
				<-release
			}
			if ctx.Err() != nil {
				t.Errorf("the context of call %d has ended: %v", n, context.Cause(ctx))
			}
			return all(func(string) int { return n })(ctx, keys)
		}, "a", "b", "c")
		synctest.Wait()
		_ = c.Set("a", 7)
		c.Delete("b")
		close(release)
		wantAll(t, <-bulk, map[string]int{"a": 7, "b": 2, "c": 1}, nil)

		ended := make(chan error, 2)
		bulk = askAll(t.Context(), c, func(ctx context.Context, keys []string) (map[string]int, error) {
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return nil, ctx.Err()
		}, "d", "e")
		synctest.Wait()
		_ = c.Set("d", 1)
		_ = c.Set("e", 2)
		wantAll(t, <-bulk, map[string]int{"d": 1, "e": 2}, nil)
		if err := <-ended; err != cache.ErrSuperseded {
			t.Errorf("the creator's context ended with %v, want %v", err, cache.ErrSuperseded)
		}
	})
}

// G12: a creator that deletes its own keys is not called for ever.
func TestG12Futile(t *testing.T) {
	c := open(t, cache.Config[string, int]{})
	var futile *cache.FutileError
	m, err := c.GetOrCreateAll(t.Context(), []string{"a", "b"}, func(ctx context.Context, keys []string) (map[string]int, error) {
		c.Delete("b")
		return all(length)(ctx, keys)
	})
	if !errors.As(err, &futile) || futile.Key != "b" || m["a"] != 1 {
		t.Errorf("got %v, %v, want a, and that b is futile", m, err)
	}
}

// G12: a caller that leaves a batch leaves all its keys; the creator's context ends when no caller waits for any key.
func TestG12Leaving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, cache.Config[string, *object]{})
		made := []*object{{name: "a"}, {name: "b"}}
		ended := make(chan error, 1)
		ctx, cancel := context.WithCancel(t.Context())
		bulk := askAll(ctx, c, func(ctx context.Context, _ []string) (map[string]*object, error) {
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return map[string]*object{"a": made[0], "b": made[1]}, nil
		}, "a", "b")
		synctest.Wait()
		staying, leave := context.WithCancel(t.Context())
		single := ask(staying, c, "b", plain(&object{}))
		g := newGate(&object{})
		under := ask(t.Context(), c, "x", g.create)
		synctest.Wait()
		second := askAll(ctx, c, nil, "x") // existing values need no creator, but "x" has none yet
		if a := <-second; !errors.Is(a.err, cache.ErrNoCreator) {
			t.Errorf("without a creator: got %v", a.err)
		}
		third := askAll(ctx, c, all(func(string) *object { return &object{} }), "x", "y")
		synctest.Wait()
		cancel()
		if a := <-bulk; !errors.Is(a.err, context.Canceled) {
			t.Errorf("who left got %v, %v", a.v, a.err)
		}
		if a := <-third; !errors.Is(a.err, context.Canceled) || a.v["y"] == nil {
			t.Errorf("who left another's key got %v, %v, want its own", a.v, a.err)
		}
		synctest.Wait()
		select {
		case err := <-ended:
			t.Fatalf("the context ended with %v while somebody waits for b", err)
		default:
		}
		leave()
		if err := <-ended; err != cache.ErrAbandoned {
			t.Errorf("the context ended with %v, want %v", err, cache.ErrAbandoned)
		}
		<-single
		close(g.release)
		<-under
		synctest.Wait()
		for _, o := range made {
			o.wantClosed(t, 1)
		}
		if a := <-askAll(ctx, c, all(func(string) *object { return &object{} }), "z"); !errors.Is(a.err, context.Canceled) {
			t.Errorf("a context that had ended: got %v, %v", a.v, a.err)
		}
	})
}

// A caller whose context ended while its key was superseded gets the context's error.
func TestG12LeavingBetweenRounds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := open(t, cache.Config[string, int]{})
	_, err := c.GetOrCreateAll(neverDone{ctx}, []string{"a"}, func(context.Context, []string) (map[string]int, error) {
		cancel()
		c.Delete("a")
		return nil, nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

// neverDone is a context that ends without closing a Done channel.
type neverDone struct{ context.Context }

func (neverDone) Done() <-chan struct{} { return nil }
