package lifecycle_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// never is a Poll that never comes.
const never = 24 * time.Hour

// followed follows the events of a service in a goroutine.
type followed struct {
	t      testing.TB
	events chan lifecycle.PlanEvent
	err    chan error // the error that ended the loop
	cancel context.CancelFunc
}

// follow starts to follow events. The loop ends with the test.
func follow(t testing.TB, s *lifecycle.Service, after lifecycle.Cursor) *followed {
	ctx, cancel := context.WithCancel(context.Background())
	f := &followed{t, make(chan lifecycle.PlanEvent), make(chan error, 1), cancel}
	var done sync.WaitGroup
	done.Go(func() {
		for e, err := range s.Events(ctx, after) {
			if err != nil {
				f.err <- err
				return
			}
			select {
			case f.events <- e:
			case <-ctx.Done():
			}
		}
	})
	t.Cleanup(func() { cancel(); done.Wait() })
	return f
}

func (f *followed) next() lifecycle.PlanEvent {
	f.t.Helper()
	select {
	case e := <-f.events:
		return e
	case err := <-f.err:
		f.t.Fatalf("got %v, want an event", err)
	case <-time.After(patience):
		f.t.Fatal("got no event")
	}
	panic("not reached")
}

// end returns the error that ends the loop.
func (f *followed) end() error {
	f.t.Helper()
	select {
	case err := <-f.err:
		return err
	case e := <-f.events:
		f.t.Fatalf("got %+v, want the end", e)
	case <-time.After(patience):
		f.t.Fatal("got no end")
	}
	panic("not reached")
}

// A change through any service on the engine, or by a unit of work, wakes a waiting
// follower without polling.
func TestEventsWake(t *testing.T) {
	for _, store := range stores {
		t.Run(store.name, func(t *testing.T) {
			ctx := context.Background()
			cfg := lifecycle.Config{URL: store.url(t), Engines: storetest.Engines(t), Poll: never}
			s := open(t, cfg)
			other := s
			if cfg.URL != "" {
				other = open(t, cfg)
			}
			f, g := follow(t, s, 0), follow(t, other, 0)
			p := newPlan(t, s)
			check(t, ignore(other.StartStrategize(ctx, p.ID)))
			want := []string{"1 strategize/queued", "2 strategize/processing"}
			if cfg.URL != "" {
				work, err := s.UnitOfWork()
				check(t, err)
				check(t, work.Transaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
					return ignore(r.Plans.Delete(ctx, p.ID))
				}))
				want = append(want, "3 strategize/processing deleted")
			}
			for _, one := range []*followed{f, g} {
				var got []string
				for range want {
					got = append(got, short(one.next()))
				}
				if !slices.Equal(got, want) {
					t.Errorf("got %q, want %q", got, want)
				}
			}
		})
	}
}

// Services on other engines are told by the bus that there are events. Without a bus,
// or when it fails, they poll.
func TestEventsBetweenEngines(t *testing.T) {
	forEachShared(t, func(t *testing.T, url string) {
		ctx := context.Background()
		local := new(cache.LocalBus)
		var buses []cache.Bus
		if url[:6] == "sqlite" {
			buses = []cache.Bus{local, local}
		} else {
			for range 2 {
				e, err := storetest.Engines(t).Engine(ctx, url)
				check(t, err)
				b, err := lifecycle.NewBus(ctx, e, lifecycle.BusConfig{Topic: "plans"})
				check(t, err)
				t.Cleanup(func() { _ = b.Close() })
				buses = append(buses, b)
			}
		}
		writer := open(t, lifecycle.Config{URL: url, Bus: buses[0], Poll: never})
		told := follow(t, open(t, lifecycle.Config{URL: url, Bus: buses[1], Poll: never}), 0)
		looks := follow(t, open(t, lifecycle.Config{URL: url, Poll: time.Millisecond}), 0)
		p := newPlan(t, writer)
		for _, f := range []*followed{told, looks} {
			if e := f.next(); e.PlanID != p.ID || e.Version != 1 {
				t.Errorf("got %+v, want plan %s", e, p.ID)
			}
		}
		deaf := open(t, lifecycle.Config{URL: url, Bus: brokenBus{}})
		check(t, ignore(deaf.StartStrategize(ctx, p.ID)))
		if e := looks.next(); e.Version != 2 {
			t.Errorf("got %+v, want version 2", e)
		}
		if err := follow(t, deaf, 0).end(); !errors.Is(err, errBroken) {
			t.Errorf("got %v, want the error of the bus", err)
		}
	})
}

var errBroken = errors.New("broken")

// brokenBus delivers nothing.
type brokenBus struct{}

func (brokenBus) Publish(context.Context, string) (uint64, error)        { return 0, errBroken }
func (brokenBus) Subscribe(func(cache.Message)) (stop func(), err error) { return nil, errBroken }

// A waiting follower is woken by the end of its context, its service or its engine,
// and gets the matching error.
func TestEventsEnd(t *testing.T) {
	for _, store := range stores {
		t.Run(store.name, func(t *testing.T) {
			engines := storetest.Engines(t)
			cfg := lifecycle.Config{URL: store.url(t), Engines: engines, Poll: never}
			begun := func() (*lifecycle.Service, *followed) {
				s := open(t, cfg)
				after := last(t, s)
				f := follow(t, s, after)
				newPlan(t, s)
				f.next() // so it waits, or will soon
				return s, f
			}
			_, f := begun()
			f.cancel()
			if err := f.end(); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want context.Canceled", err)
			}
			s, f := begun()
			check(t, s.Close())
			if err := f.end(); !errors.Is(err, lifecycle.ErrClosed) {
				t.Errorf("got %v, want ErrClosed", err)
			}
			if cfg.URL == "" {
				return
			}
			_, f = begun()
			check(t, engines.Close())
			if err := f.end(); !errors.Is(err, lifecycle.ErrClosed) {
				t.Errorf("got %v, want ErrClosed", err)
			}
		})
	}
}

// A context that ends while the caller has an event ends the loop before the next one.
func TestEventsEndWithin(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		newPlan(t, s)
		newPlan(t, s)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var got []error
		for _, err := range s.Events(ctx, 0) {
			cancel()
			got = append(got, err)
		}
		if len(got) != 2 || got[0] != nil || !errors.Is(got[1], context.Canceled) {
			t.Errorf("got %v, want an event and context.Canceled", got)
		}
	})
}

// A caller may leave the loop and leaves nothing behind. It may use the service within.
func TestEventsWithin(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		ctx := context.Background()
		newPlan(t, s)
		for e, err := range s.Events(ctx, 0) {
			check(t, err)
			if e.Version == 3 {
				break
			}
			for range s.Events(ctx, 0) {
				break
			}
			next := []lifecycle.Command{lifecycle.CommandStartStrategize, lifecycle.CommandCompleteStrategize}[e.Version-1]
			check(t, ignore(s.Transition(ctx, request(e.PlanID, next))))
		}
	})
}

// A stored cursor is still valid after a restart.
func TestEventsAfterRestart(t *testing.T) {
	forEachShared(t, func(t *testing.T, url string) {
		ctx := context.Background()
		s := open(t, lifecycle.Config{URL: url})
		p := newPlan(t, s)
		check(t, ignore(s.StartStrategize(ctx, p.ID)))
		cursor := take(t, s, 0, 1)[0].Cursor
		check(t, s.Close())
		s = open(t, lifecycle.Config{URL: url})
		check(t, ignore(s.CompleteStrategize(ctx, p.ID)))
		want := []string{"2 strategize/processing", "3 strategize/complete"}
		if got := shorts(take(t, s, cursor, 2)); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// A negative Config.Poll is refused.
func TestNegativePoll(t *testing.T) {
	if _, err := lifecycle.Open(context.Background(), lifecycle.Config{Poll: -1}); !errors.Is(err, lifecycle.ErrInvalid) {
		t.Errorf("got %v, want ErrInvalid", err)
	}
}

// A unit of work that is rolled back has no events. One that commits has all of them,
// consecutively.
func TestEventsOfUnitsOfWork(t *testing.T) {
	for _, store := range stores[1:] {
		t.Run(store.name, func(t *testing.T) {
			ctx := context.Background()
			s := open(t, lifecycle.Config{URL: store.url(t)})
			p := newPlan(t, s)
			work, err := s.UnitOfWork()
			check(t, err)
			change := func(end error) error {
				return work.Transaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
					next := p
					next.Version, next.State = 2, lifecycle.StateProcessing
					_, _, err1 := r.Plans.Swap(ctx, next, 1)
					other := p
					other.ID, other.RootID = "other", ""
					_, err2 := r.Plans.Insert(ctx, other)
					_, err3 := r.Plans.Delete(ctx, "other")
					_, err4 := r.Plans.Insert(ctx, other)
					return errors.Join(err1, err2, err3, err4, end)
				})
			}
			if err := change(errBroken); !errors.Is(err, errBroken) {
				t.Errorf("got %v, want the function's", err)
			}
			if got := last(t, s); got != 1 {
				t.Errorf("got %d events, want that of the making alone", got)
			}
			check(t, change(nil))
			all := take(t, s, 0, 5)
			want := []string{"1 strategize/queued", "2 strategize/processing", "1 strategize/queued", "2 strategize/queued deleted", "1 strategize/queued"}
			if got := shorts(all); !slices.Equal(got, want) || all[1].PlanID != p.ID || all[4].PlanID != "other" {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
