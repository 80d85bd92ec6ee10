package explored_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/locks"
)

// onUnits explores a body on the stores of the packages that use lifecycle, in one
// process under control. In memory the unit of work is nil. The other store is a
// SQLite database in memory.
func onUnits(t *testing.T, body func(t *explore.T, work *lifecycle.UnitOfWork)) {
	if !explore.Control(t) {
		return
	}
	t.Run("memory", func(t *testing.T) {
		explore.Test(t, effort{schedules: 480}.config(), func(t *explore.T) { body(t, nil) })
	})
	t.Run("sqlite-memory", func(t *testing.T) {
		explore.Test(t, effort{schedules: 18}.config(), func(t *explore.T) {
			engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{})
			if err != nil {
				t.Inconclusive("set-up: %v", err)
				return
			}
			body(t, lifecycle.NewUnitOfWork(engines, "sqlite:///:memory:"))
			if err := engines.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		})
	})
}

var loom = locks.Resource{Type: "project", ID: "loom"}

func newLocks(t *explore.T, work *lifecycle.UnitOfWork) *locks.Service {
	s, err := locks.New(work)
	if err == nil {
		_, err = s.CountStale(t.Context()) // creates the schema
	}
	if err != nil {
		t.Inconclusive("set-up: %v", err)
	}
	return s
}

// A lock is a register of its holder. What three callers see is linearizable.
func TestLocksAreLinearizable(t *testing.T) {
	type call struct{ owner, do string }
	type answer struct {
		holder string // the holder that the caller is told
		fence  int64
		ok     bool
	}
	model := explore.Model[answer, call, answer]{
		Step: func(s answer, c call) (answer, answer) {
			switch {
			case c.do == "release all" && s.holder == c.owner:
				s.holder = ""
				return s, answer{ok: true}
			case c.do == "release all":
				return s, answer{}
			case s.holder == "":
				s = answer{c.owner, s.fence + 1, true}
			}
			return s, answer{s.holder, s.fence, s.holder == c.owner}
		},
	}
	onUnits(t, func(t *explore.T, work *lifecycle.UnitOfWork) {
		s := newLocks(t, work)
		h := explore.NewHistory(t, model)
		apply := func(c call) answer {
			if c.do == "release all" {
				n, err := s.ReleaseAll(context.Background(), c.owner)
				return answer{ok: n == 1 && err == nil}
			}
			l, err := s.Acquire(context.Background(), c.owner, loom, 0)
			if e := (*locks.HeldError)(nil); errors.As(err, &e) {
				l = e.Lock
			} else if err != nil {
				t.Errorf("acquire: got %v, want a lock or a HeldError", err)
			}
			return answer{l.Owner, l.Fence, err == nil}
		}
		for _, owner := range []string{"A", "B"} {
			t.Go(owner, func() {
				h.Do(call{owner, "acquire"}, apply)
				h.Do(call{owner, "acquire"}, apply)
				h.Do(call{owner, "release all"}, apply)
			})
		}
		t.Wait()
		h.Check()
	})
}

// An owner that renews late is told who has the resource. The two never have it
// together, because the store's time decides.
func TestLateOwner(t *testing.T) {
	onUnits(t, func(t *explore.T, work *lifecycle.UnitOfWork) {
		s, ctx := newLocks(t, work), context.Background()
		a, err := s.Acquire(ctx, "A", loom, locks.ShortestTTL)
		if err != nil {
			t.Fatalf("acquire a free resource: %v", err)
		}
		var renewed, b locks.Lock
		var errA, errB error
		t.Go("A", func() {
			time.Sleep(locks.ShortestTTL)
			renewed, errA = s.Renew(ctx, a, 0)
		})
		t.Go("B", func() {
			time.Sleep(locks.ShortestTTL)
			b, errB = s.Acquire(ctx, "B", loom, 0)
		})
		t.Wait()
		late := (*locks.HeldError)(nil)
		switch {
		case errA == nil && errB == nil:
			t.Fatalf("got locks of both, A %+v and B %+v, want one", renewed, b)
		case errA != nil && !errors.As(errA, &late), errB != nil && !errors.As(errB, &late):
			t.Fatalf("got %v and %v, want errors that name the holder", errA, errB)
		case errB == nil && b.Fence != 2:
			t.Errorf("got %+v of B, want the second lock", b)
		}
		if again, err := s.Renew(ctx, a, 0); errB == nil && (!errors.As(err, &late) || late.Lock.Owner != "B") {
			t.Errorf("A renewed what B has: got %+v, %v; want an error that names B", again, err)
		}
	})
}
