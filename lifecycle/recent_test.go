package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// forEachDatabase runs a test with the URL of an empty database of each kind.
func forEachDatabase(t *testing.T, test func(t *testing.T, url string)) {
	for _, store := range stores[1:] {
		t.Run(store.name, func(t *testing.T) { test(t, store.url(t)) })
	}
}

// A read at the opt-in level is never older than stated, whatever others do.
// Until then it does not query the database. Time is the bubble's.
func TestRecentAge(t *testing.T) {
	for _, store := range stores[1:3] { // a server is outside the bubble
		url := store.url(t)
		synctest.Test(t, func(t *testing.T) {
			ctx := t.Context()
			engines := storetest.Engines(t)
			s := open(t, lifecycle.Config{URL: url, Engines: engines, MaxAge: time.Second, Count: true})
			other := open(t, lifecycle.Config{URL: url, Engines: engines})
			p := newPlan(t, s)
			read := func() string {
				t.Helper()
				one, err := s.Recent().GetPlan(ctx, p.ID)
				check(t, err)
				all, err := s.Recent().ListPlans(ctx)
				check(t, err)
				action, err := s.Recent().GetAction(ctx, "build")
				check(t, err)
				actions, err := s.Recent().ListActions(ctx)
				check(t, err)
				return fmt.Sprintf("plan %d, %d plans, %d uses, %d actions", one.Version, len(all), action.Uses, len(actions))
			}
			const old, young = "plan 1, 1 plans, 1 uses, 1 actions", "plan 2, 2 plans, 2 uses, 2 actions"
			if got := read(); got != old {
				t.Errorf("got %s, want %s", got, old)
			}
			_, err := other.StartStrategize(ctx, p.ID)
			check(t, err)
			_, err = other.UseAction(ctx, "build", lifecycle.UseOptions{})
			check(t, err)
			_, err = other.CreateAction(ctx, spec("another"))
			check(t, err)
			time.Sleep(time.Second)
			if got := read(); got != old {
				t.Errorf("after a second: got %s, want %s", got, old)
			}
			if n := s.Stats().RecentHits; n != 4 {
				t.Errorf("got %d reads without the database, want 4", n)
			}
			time.Sleep(time.Nanosecond)
			if got := read(); got != young {
				t.Errorf("after more than a second: got %s, want %s", got, young)
			}
			check(t, other.Close())
			check(t, s.Close())
			check(t, engines.Close())
		})
	}
}

// The service sees its own changes at once.
func TestRecentSeesOwnChanges(t *testing.T) {
	ctx := context.Background()
	forEachDatabase(t, func(t *testing.T, url string) {
		s := open(t, lifecycle.Config{URL: url, MaxAge: time.Hour})
		p := newPlan(t, s)
		compare := func(what string) {
			t.Helper()
			for range 2 {
				recentPlan, err1 := s.Recent().GetPlan(ctx, p.ID)
				plan, err2 := s.GetPlan(ctx, p.ID)
				recentPlans, err3 := s.Recent().ListPlans(ctx)
				plans, err4 := s.ListPlans(ctx)
				recentAction, err5 := s.Recent().GetAction(ctx, "build")
				action, err6 := s.GetAction(ctx, "build")
				recentActions, err7 := s.Recent().ListActions(ctx)
				actions, err8 := s.ListActions(ctx)
				check(t, errors.Join(err1, err2, err3, err4, err5, err6, err7, err8))
				if !reflect.DeepEqual(recentPlan, plan) || !reflect.DeepEqual(recentPlans, plans) ||
					!reflect.DeepEqual(recentAction, action) || !reflect.DeepEqual(recentActions, actions) {
					t.Errorf("after %s: got %+v %+v %+v %+v\nwant %+v %+v %+v %+v", what,
						recentPlan, recentPlans, recentAction, recentActions, plan, plans, action, actions)
				}
			}
		}
		compare("a new plan")
		_, err := s.StartStrategize(ctx, p.ID)
		check(t, err)
		compare("a transition")
		_, err = s.ExecutionContext(p.ID).StartChangeset(ctx)
		check(t, err)
		compare("a changeset")
		newPlan(t, s)
		compare("another plan")
		_, err = s.CreateAction(ctx, spec("another"))
		check(t, err)
		compare("another action")
		_, err = s.ArchiveAction(ctx, "build")
		check(t, err)
		compare("an archiving")
	})
}

// The caller owns what a Reader returns.
func TestRecentSharesNothing(t *testing.T) {
	ctx := context.Background()
	s := open(t, lifecycle.Config{URL: storetest.FileURL(t), MaxAge: time.Hour})
	_, err := s.CreateAction(ctx, fullSpec())
	check(t, err)
	p, err := s.UseAction(ctx, "tools/deploy", lifecycle.UseOptions{Arguments: map[string]string{"where": "here"}})
	check(t, err)
	for range 2 {
		got, err := s.Recent().GetPlan(ctx, p.ID)
		check(t, err)
		all, err := s.Recent().ListPlans(ctx)
		check(t, err)
		if got.Arguments["where"] != "here" || all[0].Arguments["where"] != "here" {
			t.Errorf("got %v and %v, want the plan unchanged", got.Arguments, all[0].Arguments)
		}
		got.Arguments["where"], all[0].Arguments["where"] = "elsewhere", "elsewhere"
	}
}

// Without a maximum age, and in memory, a Reader reads like the service. Errors
// are the same and are not cached.
func TestRecentWithoutAge(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		r := s.Recent()
		_, err1 := r.GetPlan(ctx, "missing")
		_, err2 := r.GetAction(ctx, "build")
		for _, err := range []error{err1, err2} {
			if !errors.Is(err, lifecycle.ErrNotFound) {
				t.Errorf("got %v, want ErrNotFound", err)
			}
		}
		if _, err := r.GetAction(ctx, "no name"); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("got %v, want ErrInvalid", err)
		}
		p := newPlan(t, s)
		got, err := r.GetPlan(ctx, p.ID)
		check(t, err)
		action, err := r.GetAction(ctx, "build")
		check(t, err)
		plans, err := r.ListPlans(ctx)
		check(t, err)
		actions, err := r.ListActions(ctx)
		check(t, err)
		if got.ID != p.ID || action.Uses != 1 || len(plans) != 1 || len(actions) != 1 {
			t.Errorf("got %+v %+v %+v %+v, want what the service returns", got, action, plans, actions)
		}
		check(t, s.Close())
		_, err1 = r.GetPlan(ctx, p.ID)
		_, err2 = r.GetAction(ctx, "build")
		_, err3 := r.ListPlans(ctx)
		_, err4 := r.ListActions(ctx)
		for _, err := range []error{err1, err2, err3, err4} {
			if !errors.Is(err, lifecycle.ErrClosed) {
				t.Errorf("got %v, want ErrClosed", err)
			}
		}
	})
	_, err := lifecycle.Open(ctx, lifecycle.Config{MaxAge: -1})
	if !errors.Is(err, lifecycle.ErrInvalid) {
		t.Errorf("got %v, want ErrInvalid", err)
	}
}

// A read that begins before a change and ends after it is not cached.
func TestRecentLateRead(t *testing.T) {
	ctx := context.Background()
	url := storetest.PostgresURL(t)
	s := open(t, lifecycle.Config{URL: url, MaxAge: time.Hour})
	p := newPlan(t, s)
	together(8, func(i int) {
		for range 25 {
			if i > 0 {
				_, err := s.Recent().GetPlan(ctx, p.ID)
				check(t, err)
				continue
			}
			changed, err := s.ExecutionContext(p.ID).StartChangeset(ctx)
			check(t, err)
			got, err := s.Recent().GetPlan(ctx, p.ID)
			if err != nil || got.ChangesetID != changed {
				t.Errorf("got changeset %q, %v, want the one just started, %s", got.ChangesetID, err, changed)
			}
		}
	})
}

// The caller owns what a service returns, cached or not.
func TestListingsShareNothing(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		_, err := s.CreateAction(ctx, fullSpec())
		check(t, err)
		use(t, s)
		for range 3 {
			plans, err := s.ListPlans(ctx)
			check(t, err)
			actions, err := s.ListActions(ctx)
			check(t, err)
			if plans[0].Arguments["where"] != "here" || *actions[0].Arguments[0].Min != 1 {
				t.Errorf("got %v and %v, want them unchanged", plans[0].Arguments, actions[0].Arguments)
			}
			plans[0].Arguments["where"], *actions[0].Arguments[0].Min = "elsewhere", 7
		}
	})
}

// Reads fail if the service's engine is closed, even if nobody else could have
// changed what is cached.
func TestReadsOfClosedEngine(t *testing.T) {
	ctx := context.Background()
	forEachDatabase(t, func(t *testing.T, url string) {
		engines := storetest.Engines(t)
		s := open(t, lifecycle.Config{URL: url, Engines: engines, MaxAge: time.Hour})
		p := newPlan(t, s)
		reads := map[string]func() error{
			"get plan":     func() error { return ignore(s.GetPlan(ctx, p.ID)) },
			"get action":   func() error { return ignore(s.GetAction(ctx, "build")) },
			"list plans":   func() error { return ignore(s.ListPlans(ctx)) },
			"list actions": func() error { return ignore(s.ListActions(ctx)) },
		}
		for _, read := range reads {
			check(t, read())
		}
		check(t, engines.Close())
		recent := s.Recent() // has nothing cached
		reads["recent plan"] = func() error { return ignore(recent.GetPlan(ctx, p.ID)) }
		reads["recent action"] = func() error { return ignore(recent.GetAction(ctx, "build")) }
		reads["recent plans"] = func() error { return ignore(recent.ListPlans(ctx)) }
		reads["recent actions"] = func() error { return ignore(recent.ListActions(ctx)) }
		for name, read := range reads {
			if err := read(); !errors.Is(err, lifecycle.ErrClosed) {
				t.Errorf("%s: got %v, want ErrClosed", name, err)
			}
		}
	})
}

func TestStats(t *testing.T) {
	ctx := context.Background()
	forEachDatabase(t, func(t *testing.T, url string) {
		engines := storetest.Engines(t)
		s := open(t, lifecycle.Config{URL: url, Engines: engines, Count: true, MaxAge: time.Hour})
		other := open(t, lifecycle.Config{URL: url, Engines: engines})
		p := newPlan(t, other)
		for range 3 { // a miss and two hits
			_, err := s.GetPlan(ctx, p.ID)
			check(t, err)
		}
		_, err := other.StartStrategize(ctx, p.ID)
		check(t, err)
		_, err = s.GetPlan(ctx, p.ID) // a refresh
		check(t, err)
		_, err = s.Transition(ctx, lifecycle.Request{PlanID: p.ID, Command: lifecycle.CommandCancel, IfVersion: 1}) // a hit, a conflict
		if !errors.Is(err, lifecycle.ErrConflict) {
			t.Errorf("got %v, want ErrConflict", err)
		}
		_, err = s.CompleteStrategize(ctx, p.ID) // a hit, an invalidation
		check(t, err)
		for range 2 { // a miss of the reader, which is a refresh or a hit below; then a hit of the reader
			_, err = s.Recent().GetPlan(ctx, p.ID)
			check(t, err)
		}
		got := s.Stats()
		want := lifecycle.Stats{Misses: 1, Hits: 4, Refreshes: 2, RecentHits: 1, Conflicts: 1, Invalidations: 1}
		if got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if got := other.Stats(); got != (lifecycle.Stats{}) {
			t.Errorf("got %+v from a service that does not count, want zeros", got)
		}
	})
}

// A renewal that failed may have happened all the same, so the Reader reads the plan anew.
func TestRecentAfterAFailedRenewal(t *testing.T) {
	ctx := context.Background()
	forEachDatabase(t, func(t *testing.T, url string) {
		s := open(t, lifecycle.Config{URL: url, MaxAge: time.Hour, Count: true})
		p := newPlan(t, s)
		check(t, ignore(s.Recent().GetPlan(ctx, p.ID)))
		if err := ignore(s.Renew(ctx, lifecycle.Claim{PlanID: p.ID, Fence: 7}, 0)); !errors.Is(err, lifecycle.ErrClaimed) {
			t.Errorf("got %v, want ErrClaimed", err)
		}
		check(t, ignore(s.Recent().GetPlan(ctx, p.ID)))
		if n := s.Stats().RecentHits; n != 0 {
			t.Errorf("got %d reads of what was read before the renewal, want none", n)
		}
	})
}
