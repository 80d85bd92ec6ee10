package locks_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
	"github.com/jacquard-go/jacquard/lifecycle/internal/worktest"
	"github.com/jacquard-go/jacquard/lifecycle/locks"
)

func TestMain(m *testing.M) { storetest.Main(m) }

var (
	loom = locks.Resource{Type: "project", ID: "loom"}
	weft = locks.Resource{Type: "project", ID: "weft"}
)

// forEachStore runs a test on a new lock service on each kind of store.
func forEachStore(t *testing.T, test func(t *testing.T, s *locks.Service)) {
	worktest.Each(t, func(t *testing.T, work *lifecycle.UnitOfWork) { test(t, service(t, work)) })
}

func service(t *testing.T, work *lifecycle.UnitOfWork) *locks.Service {
	t.Helper()
	s, err := locks.New(work)
	check(t, err)
	return s
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// acquire acquires a lock, which must succeed.
func acquire(t *testing.T, s *locks.Service, owner string, r locks.Resource) locks.Lock {
	t.Helper()
	l, err := s.Acquire(context.Background(), owner, r, time.Minute)
	check(t, err)
	return l
}

// held fails the test unless err names the owner of the resource.
func held(t *testing.T, what string, err error, want locks.Lock, yours int64) {
	t.Helper()
	var e *locks.HeldError
	if !errors.Is(err, locks.ErrHeld) || !errors.As(err, &e) || e.Lock != want || e.Yours != yours {
		t.Errorf("%s: got %v, want a HeldError with %+v and %d", what, err, want, yours)
	}
}

func TestOneOwner(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *locks.Service) {
		a := acquire(t, s, "A", loom)
		if a.Owner != "A" || a.Resource != loom || a.Fence != 1 || a.ExpiresAt.Sub(a.AcquiredAt) != time.Minute {
			t.Errorf("got %+v, want A's first lock, for a minute", a)
		}
		_, err := s.Acquire(ctx, "B", loom, 0)
		held(t, "acquire what A has", err, a, 0)
		if text := err.Error(); !strings.Contains(text, `project "loom" is held by "A" until `) || !strings.HasSuffix(text, "want lock 1, there was none") {
			t.Errorf("got %q, want it to name A and the time", text)
		}
		if got, is, err := s.Find(ctx, loom); err != nil || !is || got != a {
			t.Errorf("got %+v, %t, %v, want A's lock", got, is, err)
		}
		if got := acquire(t, s, "B", weft); got.Fence != 1 {
			t.Errorf("got %+v, want another resource to be free", got)
		}
		check(t, s.Release(ctx, a))
		check(t, s.Release(ctx, a)) // once more is no error
		if got, is, err := s.Find(ctx, loom); err != nil || is || got.Owner != "" || got.Fence != 1 || !got.ExpiresAt.IsZero() {
			t.Errorf("got %+v, %t, %v, want a lock that was released", got, is, err)
		}
		b := acquire(t, s, "B", loom)
		if b.Fence != 2 || b.Owner != "B" {
			t.Errorf("got %+v, want B's, the second", b)
		}
		held(t, "release it late", s.Release(ctx, a), b, 1)
		_, err = s.Renew(ctx, a, 0)
		held(t, "renew it late", err, b, 1)
		if !strings.HasSuffix(err.Error(), "want lock 2, it was 1") {
			t.Errorf("got %q, want both numbers", err)
		}
	})
}

// An owner who acquires again gets more time, and never less.
func TestReentrant(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *locks.Service) {
		first := acquire(t, s, "A", loom)
		longer, err := s.Acquire(ctx, "A", loom, time.Hour)
		check(t, err)
		if longer.Fence != 1 || longer.AcquiredAt != first.AcquiredAt || longer.ExpiresAt.Sub(first.ExpiresAt) < 59*time.Minute {
			t.Errorf("got %+v after %+v, want the same lock for an hour", longer, first)
		}
		for what, again := range map[string]func() (locks.Lock, error){
			"acquire": func() (locks.Lock, error) { return s.Acquire(ctx, "A", loom, locks.ShortestTTL) },
			"renew":   func() (locks.Lock, error) { return s.Renew(ctx, first, locks.ShortestTTL) },
		} {
			if got, err := again(); err != nil || got != longer {
				t.Errorf("%s for less: got %+v, %v, want %+v", what, got, err, longer)
			}
		}
		check(t, s.Release(ctx, first))
		if _, is, err := s.Find(ctx, loom); err != nil || is {
			t.Errorf("got a lock %t, %v, want one release to end it", is, err)
		}
	})
}

func TestExpired(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *locks.Service) {
		a := acquire(t, s, "A", loom)
		renewed, err := s.Renew(ctx, a, 0)
		if err != nil || renewed.Fence != 1 || renewed.ExpiresAt.Sub(a.ExpiresAt) < 3*time.Minute {
			t.Errorf("got %+v, %v, want it for five minutes from now", renewed, err)
		}
		stale(t, s, 0)
		check(t, s.Expire(ctx, loom))
		stale(t, s, 1)
		last, is, err := s.Find(ctx, loom)
		if err != nil || is || last.Owner != "A" {
			t.Errorf("got %+v, %t, %v, want A's, over", last, is, err)
		}
		_, err = s.Renew(ctx, a, 0)
		held(t, "renew what is over", err, last, 1)
		if !strings.Contains(err.Error(), `lock 1 of "A" has expired at `) {
			t.Errorf("got %q, want it to say that it has expired", err)
		}
		if again := acquire(t, s, "A", loom); again.Fence != 2 || again.AcquiredAt.Before(a.AcquiredAt) {
			t.Errorf("got %+v, want a new lock of the same owner", again)
		}
		check(t, s.Expire(ctx, loom))
		b := acquire(t, s, "B", loom)
		if b.Fence != 3 {
			t.Errorf("got %+v, want it taken over", b)
		}
		stale(t, s, 0)
		held(t, "release what was taken over", s.Release(ctx, a), b, 1)
		check(t, s.Expire(ctx, loom))
		check(t, s.Release(ctx, b)) // it has expired, but no other owner has taken it
		stale(t, s, 0)
		_, err = s.Renew(ctx, locks.Lock{Resource: locks.Resource{Type: "project", ID: "no"}, Owner: "A", Fence: 5}, 0)
		if err == nil || !strings.HasSuffix(err.Error(), `got lock 5, but it was never locked`) {
			t.Errorf("got %v, want it to say that it was never locked", err)
		}
		_, err = s.Renew(ctx, a, 0)
		if err == nil || !strings.HasSuffix(err.Error(), "lock 1 is over: the last one, 3, was released") {
			t.Errorf("got %v, want it to say that it was released", err)
		}
	})
}

func stale(t *testing.T, s *locks.Service, want int) {
	t.Helper()
	if n, err := s.CountStale(context.Background()); err != nil || n != want {
		t.Errorf("got %d stale locks, %v, want %d", n, err, want)
	}
}

func TestReleaseAll(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *locks.Service) {
		acquire(t, s, "A", loom)
		acquire(t, s, "A", weft)
		b := acquire(t, s, "B", locks.Resource{Type: "plan", ID: "loom"})
		check(t, s.Expire(ctx, weft))
		for _, want := range []int{2, 0} {
			if n, err := s.ReleaseAll(ctx, "A"); err != nil || n != want {
				t.Errorf("got %d released, %v, want %d", n, err, want)
			}
		}
		acquire(t, s, "C", loom)
		acquire(t, s, "C", weft)
		if got, is, err := s.Find(ctx, b.Resource); err != nil || !is || got != b {
			t.Errorf("got %+v, %t, %v, want B's lock as it was", got, is, err)
		}
		if got, is, err := s.Find(ctx, locks.Resource{Type: "plan", ID: "none"}); err != nil || is || got.Fence != 0 {
			t.Errorf("got %+v, %t, %v, want none", got, is, err)
		}
	})
}

// noContext is the nil context of a careless caller.
var noContext context.Context

func TestInvalid(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *locks.Service) {
		long := strings.Repeat("a", locks.MaxName+1)
		lock := locks.Lock{Resource: loom, Owner: "A", Fence: 1}
		for what, err := range map[string]error{
			"no owner":      ignore(s.Acquire(ctx, "", loom, 0)),
			"no type":       ignore(s.Acquire(ctx, "A", locks.Resource{ID: "loom"}, 0)),
			"no id":         ignore(s.Acquire(ctx, "A", locks.Resource{Type: "project"}, 0)),
			"long":          ignore(s.Acquire(ctx, long, loom, 0)),
			"NUL":           ignore(s.Acquire(ctx, "a\x00", loom, 0)),
			"no text":       ignore(s.Acquire(ctx, "a\xff", loom, 0)),
			"short":         ignore(s.Acquire(ctx, "A", loom, locks.ShortestTTL-1)),
			"too long":      ignore(s.Renew(ctx, lock, locks.LongestTTL+1)),
			"renew none":    ignore(s.Renew(ctx, locks.Lock{}, 0)),
			"release none":  s.Release(ctx, locks.Lock{}),
			"all of nobody": ignore(s.ReleaseAll(ctx, "")),
			"find nothing":  func() error { _, _, err := s.Find(ctx, locks.Resource{}); return err }(),
			"no context":    ignore(s.CountStale(noContext)),
		} {
			if !errors.Is(err, lifecycle.ErrInvalid) {
				t.Errorf("%s: got %v, want %v", what, err, lifecycle.ErrInvalid)
			}
		}
		for what, err := range map[string]error{
			"renew":   ignore(s.Renew(ctx, lock, 0)),
			"release": s.Release(ctx, lock),
		} {
			held(t, what+" what was never locked", err, locks.Lock{Resource: loom}, 1)
		}
		check(t, s.Release(ctx, acquire(t, s, strings.Repeat("a", locks.MaxName), locks.Resource{Type: long[1:], ID: long[1:]})))
	})
}

func ignore[V any](_ V, err error) error { return err }

func TestContextHasEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	forEachStore(t, func(t *testing.T, s *locks.Service) {
		lock := locks.Lock{Resource: loom, Owner: "A", Fence: 1}
		for what, err := range map[string]error{
			"acquire":     ignore(s.Acquire(ctx, "A", loom, 0)),
			"renew":       ignore(s.Renew(ctx, lock, 0)),
			"release":     s.Release(ctx, lock),
			"release all": ignore(s.ReleaseAll(ctx, "A")),
			"count":       ignore(s.CountStale(ctx)),
			"find":        func() error { _, _, err := s.Find(ctx, loom); return err }(),
		} {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: got %v, want the context's error", what, err)
			}
		}
		if _, is, err := s.Find(context.Background(), loom); err != nil || is {
			t.Errorf("got a lock %t, %v, want none", is, err)
		}
	})
}

// Every call returns an error if the database is closed.
func TestClosed(t *testing.T) {
	ctx := context.Background()
	plans, err := lifecycle.Open(ctx, lifecycle.Config{URL: storetest.FileURL(t)})
	check(t, err)
	work, err := plans.UnitOfWork()
	check(t, err)
	s := service(t, work)
	lock := acquire(t, s, "A", loom)
	check(t, plans.Close())
	for what, err := range map[string]error{
		"acquire":     ignore(s.Acquire(ctx, "A", loom, 0)),
		"release all": ignore(s.ReleaseAll(ctx, "A")),
		"renew":       ignore(s.Renew(ctx, lock, 0)),
		"count":       ignore(s.CountStale(ctx)),
		"find":        func() error { _, _, err := s.Find(ctx, loom); return err }(),
	} {
		if !errors.Is(err, lifecycle.ErrClosed) || !strings.HasPrefix(err.Error(), "locks: ") {
			t.Errorf("%s: got %v, want %v", what, err, lifecycle.ErrClosed)
		}
	}
}

// N4: many owners ask at the same time, on two engines. One at a time has the resource, and all
// others get an error that names the holder.
func TestN4ManyCallers(t *testing.T) {
	ctx := context.Background()
	worktest.Each(t, func(t *testing.T, work *lifecycle.UnitOfWork) {
		services := []*locks.Service{service(t, work), nil}
		services[1] = services[0]
		if work != nil {
			engine, err := work.Engine(ctx)
			check(t, err)
			if engine.URL() != "sqlite:///:memory:" { // another engine would not share that one
				services[1] = service(t, worktest.On(t, engine.URL()))
			}
		}
		const owners, rounds = 4, 5
		var inside, turns atomic.Int64
		var all sync.WaitGroup
		for i := range owners {
			all.Go(func() {
				name := fmt.Sprint("owner ", i)
				for won := 0; won < rounds; {
					l, err := services[i%2].Acquire(ctx, name, loom, 0)
					var e *locks.HeldError
					switch {
					case errors.As(err, &e) && e.Lock.Owner != name:
						continue
					case err != nil:
						t.Errorf("%s: got %v, want the lock, or an error that names its holder", name, err)
						return
					}
					won++
					turns.Add(1)
					if inside.Add(1) > 1 {
						t.Errorf("got the resource for %s and another owner, want one", name)
					}
					inside.Add(-1)
					if err := services[i%2].Release(ctx, l); err != nil {
						t.Errorf("%s: release: %v", name, err)
					}
				}
			})
		}
		all.Wait()
		last, _, err := services[1].Find(ctx, loom)
		if err != nil || turns.Load() != owners*rounds || last.Fence != owners*rounds {
			t.Errorf("got %d turns and fence %d, %v; want %d", turns.Load(), last.Fence, err, owners*rounds)
		}
	})
}

// A lock on a plan stays if the plan is deleted, until its owner releases it.
func TestLockOfADeletedPlan(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		ctx := context.Background()
		cfg, work := lifecycle.Config{URL: url}, (*lifecycle.UnitOfWork)(nil)
		if url != "" {
			cfg.Engines = storetest.Engines(t)
			work = lifecycle.NewUnitOfWork(cfg.Engines, url)
		}
		plans, err := lifecycle.Open(ctx, cfg)
		check(t, err)
		defer plans.Close()
		_, err = plans.CreateAction(ctx, lifecycle.ActionSpec{Name: "weave", Actors: lifecycle.Actors{Strategy: "s", Execution: "e"}})
		check(t, err)
		p, err := plans.UseAction(ctx, "weave", lifecycle.UseOptions{})
		check(t, err)
		s, plan := service(t, work), locks.Resource{Type: "plan", ID: p.ID}
		l := acquire(t, s, "A", plan)
		check(t, plans.DeletePlan(ctx, p.ID, 0))
		_, err = s.Acquire(ctx, "B", plan, time.Minute)
		held(t, "the lock of a deleted plan", err, l, 0)
		check(t, s.Release(ctx, l))
		acquire(t, s, "B", plan)
	})
}

// What was never locked cannot be released, in any store.
func TestNeverLocked(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *locks.Service) {
		made := locks.Lock{Resource: loom, Owner: "A"}
		held(t, "release", s.Release(ctx, made), locks.Lock{Resource: loom}, 0)
		held(t, "renew", ignore(s.Renew(ctx, made, 0)), locks.Lock{Resource: loom}, 0)
	})
}
