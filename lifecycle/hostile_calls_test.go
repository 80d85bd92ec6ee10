package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// The clock may jump. Its time is stored to the microsecond, and identifiers
// still increase. All stores refuse a time that one of them cannot store.
func TestClockJumps(t *testing.T) {
	ctx := context.Background()
	moments := []time.Time{
		time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2026, 1, 1, 0, 0, 0, 1, time.UTC),
		time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC),
		time.Date(2026, 5, 4, 3, 2, 1, 987654321, time.FixedZone("x", -12*3600)),
		time.Date(1970, 1, 1, 0, 0, 0, -1, time.UTC),
		time.Date(9999, 12, 31, 23, 59, 59, 0, time.FixedZone("x", -3600)),
		time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(300000, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC),
		{}, time.Unix(1<<62, 0), time.Unix(-1<<62, 0),
		time.Now(), // it has a monotonic reading
		time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	for _, store := range stores {
		t.Run(store.name, func(t *testing.T) {
			now := time.Date(2020, 2, 2, 2, 2, 2, 2, time.UTC)
			s := open(t, lifecycle.Config{URL: store.url(t), Clock: func() time.Time { return now }})
			p, changeset := populated(t, s)
			last := p.ID
			for _, now = range moments {
				good := now.UTC().Year() >= 1970 && now.UTC().Year() <= 9999
				if !good {
					before := state(t, s)
					for name, call := range writes(s, p, changeset) {
						if err := call(ctx); !errors.Is(err, lifecycle.ErrInvalid) {
							t.Errorf("%s at %v: got %v, want ErrInvalid", name, now, err)
						}
					}
					if after := state(t, s); after != before {
						t.Errorf("at %v: got %s\nwant it unchanged: %s", now, after, before)
					}
					continue
				}
				made, err := s.UseAction(ctx, "build", lifecycle.UseOptions{})
				check(t, err)
				cancelled, err := s.Cancel(ctx, made.ID, "")
				check(t, err)
				got, err := s.GetPlan(ctx, made.ID)
				check(t, err)
				want := now.UTC().Truncate(time.Microsecond)
				if made.ID <= last || made.CreatedAt != want || cancelled.FinishedAt != want || got.FinishedAt != want || got.CreatedAt != want {
					t.Errorf("got %s at %v until %v, later %v until %v, want one after %s at %v",
						made.ID, made.CreatedAt, cancelled.FinishedAt, got.CreatedAt, got.FinishedAt, last, want)
				}
				last = made.ID
			}
		})
	}
}

// writes returns the calls that store the time.
func writes(s *lifecycle.Service, p lifecycle.Plan, changeset string) map[string]func(context.Context) error {
	all := calls(s, p, changeset)
	for _, name := range []string{
		"get action", "list actions", "get plan", "list plans", "find plans", "list changesets", "delete plan", "delete action",
		"events", "last event", "prune events",
	} {
		delete(all, name)
	}
	return all
}

// The caller gives the time of a change. It is stored, or refused.
func TestTimeOfAChange(t *testing.T) {
	ctx := context.Background()
	agree(t, func(t *testing.T, s *lifecycle.Service) (answers []string) {
		for _, at := range []time.Time{
			time.Date(1, 1, 1, 0, 0, 0, 1000, time.UTC), time.Date(1, 1, 1, 0, 0, 0, 1, time.UTC),
			time.Date(1, 1, 1, 0, 0, 0, 0, time.FixedZone("x", 3600)), time.Date(0, 12, 31, 0, 0, 0, 0, time.UTC),
			time.Date(1812, 1, 1, 0, 0, 0, 123456789, time.FixedZone("x", 7200)), time.Date(1969, 12, 31, 23, 59, 59, 999999999, time.UTC),
			time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC),
			time.Date(-290000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(300000, 1, 1, 0, 0, 0, 0, time.UTC), time.Unix(1<<62, 0),
		} {
			e := entry("a")
			e.At = at
			changesets, err := record(ctx, s, e)
			answers = append(answers, said(t, at.String(), changesets, err))
			want := at.UTC().Truncate(time.Microsecond)
			if err == nil && changesets.([]lifecycle.Changeset)[0].Entries[0].At != want {
				t.Errorf("got %+v, want %v", changesets, want)
			}
			if inside := want.Year() >= 1 && want.Year() <= 9999; inside != (err == nil) {
				t.Errorf("%v: got %v, want it kept: %v", at, err, inside)
			}
		}
		return answers
	})
}

// If a generator repeats an identifier nothing is lost. The owner of the
// identifier stays unchanged, and the second caller gets an error.
func TestRepeatedIdentifiers(t *testing.T) {
	ctx := context.Background()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, store := range stores[1:] {
		t.Run(store.name, func(t *testing.T) {
			cfg := lifecycle.Config{URL: store.url(t), Engines: storetest.Engines(t), Entropy: zeros{}, Clock: func() time.Time { return now }}
			a, b := open(t, cfg), open(t, cfg)
			p := newPlan(t, a)
			changeset, err := a.ExecutionContext(p.ID).StartChangeset(ctx)
			check(t, err)
			check(t, ignore(a.ExecutionContext(p.ID).RecordChange(ctx, entry("kept"))))
			before := state(t, a)
			if _, err := b.UseAction(ctx, "build", lifecycle.UseOptions{}); !errors.Is(err, lifecycle.ErrAlreadyExists) {
				t.Errorf("got %v, want ErrAlreadyExists", err)
			}
			if _, err := b.ExecutionContext(p.ID).StartChangeset(ctx); !errors.Is(err, lifecycle.ErrAlreadyExists) {
				t.Errorf("got %v, want ErrAlreadyExists", err)
			}
			if after := state(t, b); after != before {
				t.Errorf("got %s\nwant it unchanged: %s", after, before)
			}
			if got, err := b.ExecutionContext(p.ID).RecordChange(ctx, entry("b")); err != nil || got != changeset {
				t.Errorf("got %q, %v, want the changeset %q still open", got, err, changeset)
			}
			check(t, ignore(b.UseAction(ctx, "build", lifecycle.UseOptions{}))) // gets the next identifier
		})
	}
}

// A passed deadline is like a cancelled context. A nil context is an error.
func TestExpiredAndMissingContexts(t *testing.T) {
	expired, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	var missing context.Context
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p, changeset := populated(t, s)
		before := state(t, s)
		for name, call := range calls(s, p, changeset) {
			if err := call(expired); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: got %v, want context.DeadlineExceeded", name, err)
			}
			if err := call(missing); !errors.Is(err, lifecycle.ErrInvalid) {
				t.Errorf("%s: got %v, want ErrInvalid without a context", name, err)
			}
		}
		if after := state(t, s); after != before {
			t.Errorf("got %s\nwant it unchanged: %s", after, before)
		}
	})
	for _, url := range []string{"", "sqlite://"} {
		if _, err := lifecycle.Open(missing, lifecycle.Config{URL: url}); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("%q: got %v, want ErrInvalid without a context", url, err)
		}
	}
	if _, err := storetest.Engines(t).Engine(missing, "sqlite://"); !errors.Is(err, lifecycle.ErrInvalid) {
		t.Errorf("got %v, want ErrInvalid without a context", err)
	}
}

// If a service is closed during calls, each call succeeds or returns ErrClosed.
// What was acknowledged is there.
func TestCloseDuringUse(t *testing.T) {
	ctx := context.Background()
	for _, store := range stores {
		t.Run(store.name, func(t *testing.T) {
			for range 5 {
				testCloseDuringUse(ctx, t, store.url(t))
			}
		})
	}
}

func testCloseDuringUse(ctx context.Context, t *testing.T, url string) {
	engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{RelaxedDurability: true})
	check(t, err)
	s := open(t, lifecycle.Config{URL: url, Engines: engines})
	p, _ := populated(t, s)
	const goroutines, each = 4, 20
	acknowledged := make([]int, goroutines)
	together(goroutines+1, func(i int) {
		if i == goroutines {
			for range 30 {
				_, _ = s.GetPlan(ctx, p.ID)
			}
			check(t, s.Close())
			check(t, engines.Close())
			return
		}
		for k := range each {
			_, err := s.ExecutionContext(p.ID).RecordChange(ctx, entry(fmt.Sprint(i, "/", k)))
			if err != nil {
				if !errors.Is(err, lifecycle.ErrClosed) {
					t.Errorf("got %v, want ErrClosed", err)
				}
				return
			}
			acknowledged[i]++
		}
	})
	if url == "" || url == "sqlite:///:memory:" {
		return // it is gone with the service
	}
	count := make([]int, goroutines)
	for _, path := range recorded(t, open(t, lifecycle.Config{URL: url}))[1:] {
		var i, k int
		_, err := fmt.Sscanf(path, "%d/%d", &i, &k)
		check(t, err)
		count[i]++
	}
	if fmt.Sprint(count) != fmt.Sprint(acknowledged) {
		t.Errorf("got %v changes, want the %v acknowledged ones", count, acknowledged)
	}
}
