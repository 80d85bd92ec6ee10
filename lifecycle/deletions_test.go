package lifecycle_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// A deleted plan cannot be found any more, nor what belonged to it. Then its action
// can be deleted.
func TestDeletePlan(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		ctx := context.Background()
		for _, at := range positions() {
			p := planAt(t, s, at)
			other := newPlan(t, s)
			if !at.State.Terminal() {
				e := s.ExecutionContext(p.ID)
				check(t, ignore(e.StartChangeset(ctx)))
				check(t, ignore(e.RecordChange(ctx, entry("warp"))))
			}
			var referred *lifecycle.ReferredError
			if err := s.DeleteAction(ctx, "build"); !errors.As(err, &referred) || !errors.Is(err, lifecycle.ErrReferred) || referred.Plans != 2 || referred.First != p.ID {
				t.Errorf("%v: got error %v, want one that says that there are 2 plans, the first %s", at, err, p.ID)
			}
			check(t, s.DeletePlan(ctx, p.ID, 0))
			for name, err := range map[string]error{
				"get":        ignore(s.GetPlan(ctx, p.ID)),
				"delete":     s.DeletePlan(ctx, p.ID, 0),
				"archive":    ignore(s.ArchivePlan(ctx, p.ID)),
				"cancel":     ignore(s.Cancel(ctx, p.ID, "")),
				"claim":      ignore(s.Claim(ctx, p.ID, "A", 0)),
				"note":       ignore(s.AddErrorDetails(ctx, lifecycle.Note{PlanID: p.ID, Details: map[string]string{"a": "b"}})),
				"changesets": ignore(s.ExecutionContext(p.ID).Changesets(ctx)),
				"start":      ignore(s.ExecutionContext(p.ID).StartChangeset(ctx)),
				"record":     ignore(s.ExecutionContext(p.ID).RecordChange(ctx, entry("weft"))),
				"subplan":    ignore(s.UseAction(ctx, "build", lifecycle.UseOptions{ParentID: p.ID})),
			} {
				if !errors.Is(err, lifecycle.ErrNotFound) {
					t.Errorf("%v: %s: got error %v, want one that matches ErrNotFound", at, name, err)
				}
			}
			all, err := s.ListPlans(ctx)
			check(t, err)
			if len(all) != 1 || all[0].ID != other.ID {
				t.Errorf("%v: got plans %v, want %s alone", at, all, other.ID)
			}
			check(t, s.DeletePlan(ctx, other.ID, 0))
			check(t, s.DeleteAction(ctx, "build"))
		}
	})
}

// An action created with the name of a deleted one is a new action.
func TestDeleteAction(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		ctx := context.Background()
		p := newPlan(t, s)
		check(t, s.DeletePlan(ctx, p.ID, 0))
		check(t, ignore(s.ArchiveAction(ctx, "build")))
		check(t, s.DeleteAction(ctx, "BUILD"))
		for name, err := range map[string]error{
			"get":     ignore(s.GetAction(ctx, "build")),
			"delete":  s.DeleteAction(ctx, "build"),
			"archive": ignore(s.ArchiveAction(ctx, "build")),
			"use":     ignore(s.UseAction(ctx, "build", lifecycle.UseOptions{})),
		} {
			if !errors.Is(err, lifecycle.ErrNotFound) {
				t.Errorf("%s: got error %v, want one that matches ErrNotFound", name, err)
			}
		}
		if err := s.DeleteAction(ctx, "b b"); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("got error %v, want one that matches ErrInvalid", err)
		}
		a, err := s.CreateAction(ctx, spec("build"))
		check(t, err)
		if got, err := s.GetAction(ctx, "build"); err != nil || got.Uses != 0 || got.State != lifecycle.ActionAvailable || a.Uses != 0 {
			t.Errorf("got %+v, %v, want a new action that is available", got, err)
		}
	})
}

// A plan is not deleted if another worker has claimed it or it has subplans.
func TestDeleteRefused(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		ctx := context.Background()
		p := newPlan(t, s)
		c, err := s.Claim(ctx, p.ID, "A", 0)
		check(t, err)
		var claimed *lifecycle.ClaimedError
		if err := s.DeletePlan(ctx, p.ID, 0); !errors.As(err, &claimed) || claimed.Claim.Holder != "A" {
			t.Errorf("got error %v, want one that names A", err)
		}
		if err := s.DeletePlan(ctx, p.ID, c.Fence+1); !errors.Is(err, lifecycle.ErrClaimed) {
			t.Errorf("got error %v, want one that matches ErrClaimed", err)
		}
		if err := s.DeletePlan(ctx, p.ID, -1); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("got error %v, want one that matches ErrInvalid", err)
		}
		child, err := s.UseAction(ctx, "build", lifecycle.UseOptions{ParentID: p.ID})
		check(t, err)
		grandchild, err := s.UseAction(ctx, "build", lifecycle.UseOptions{ParentID: child.ID})
		check(t, err)
		var referred *lifecycle.ReferredError
		if err := s.DeletePlan(ctx, p.ID, c.Fence); !errors.As(err, &referred) || referred.Plans != 1 || referred.First != child.ID {
			t.Errorf("got error %v, want one that names %s", err, child.ID)
		}
		check(t, s.DeletePlan(ctx, grandchild.ID, 0))
		check(t, s.DeletePlan(ctx, child.ID, 0))
		check(t, s.DeletePlan(ctx, p.ID, c.Fence))
	})
}

// A finished plan can be archived, once, and is then listed only on request.
func TestArchivePlan(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		ctx := context.Background()
		for _, at := range positions() {
			p := planAt(t, s, at)
			archived, err := s.ArchivePlan(ctx, p.ID)
			if !at.State.Terminal() {
				if !errors.Is(err, lifecycle.ErrNotReady) {
					t.Errorf("%v: got error %v, want one that matches ErrNotReady", at, err)
				}
				continue
			}
			check(t, err)
			if !archived.Archived || archived.Version != p.Version+1 || archived.Position() != at {
				t.Errorf("%v: got %+v, want it archived", at, archived)
			}
			if err := ignore(s.ArchivePlan(ctx, p.ID)); !errors.Is(err, lifecycle.ErrArchived) {
				t.Errorf("%v: got error %v, want one that matches ErrArchived", at, err)
			}
			if err := ignore(s.Cancel(ctx, p.ID, "")); !errors.Is(err, lifecycle.ErrInvalidTransition) {
				t.Errorf("%v: got error %v, want one that matches ErrInvalidTransition", at, err)
			}
			got, err := s.GetPlan(ctx, p.ID)
			if err != nil || !got.Archived {
				t.Errorf("%v: got %+v, %v, want it archived", at, got, err)
			}
			all, err := s.ListPlans(ctx)
			check(t, err)
			without, err := s.FindPlans(ctx, lifecycle.PlanFilter{State: at.State})
			check(t, err)
			for _, q := range append(all, without...) {
				if q.Archived {
					t.Errorf("%v: got %s listed, want it left out", at, q.ID)
				}
			}
			with, err := s.FindPlans(ctx, lifecycle.PlanFilter{Phase: at.Phase, State: at.State, Archived: true})
			check(t, err)
			if len(with) != 1 || with[0].ID != p.ID {
				t.Errorf("%v: got %v, want %s", at, with, p.ID)
			}
		}
	})
}

// A plan that one service deletes is gone for another, whatever that one caches.
func TestDeletedForOthers(t *testing.T) {
	for _, store := range stores[1:] {
		t.Run(store.name, func(t *testing.T) {
			ctx := context.Background()
			cfg := lifecycle.Config{URL: store.url(t), Engines: storetest.Engines(t), MaxAge: 1}
			var events []lifecycle.Event
			cfg.OnChange = func(e lifecycle.Event) { events = append(events, e) }
			a, b := open(t, cfg), open(t, cfg)
			p := newPlan(t, a)
			for _, s := range []*lifecycle.Service{a, b} {
				check(t, ignore(s.GetPlan(ctx, p.ID)))
				check(t, ignore(s.GetAction(ctx, "build")))
				check(t, ignore(s.Recent().GetPlan(ctx, p.ID)))
			}
			check(t, a.DeletePlan(ctx, p.ID, 0))
			check(t, a.DeleteAction(ctx, "build"))
			for _, s := range []*lifecycle.Service{a, b, a, b} {
				for _, err := range []error{
					ignore(s.GetPlan(ctx, p.ID)), ignore(s.GetAction(ctx, "build")), ignore(s.Recent().GetPlan(ctx, p.ID)),
				} {
					if !errors.Is(err, lifecycle.ErrNotFound) {
						t.Errorf("got error %v, want one that matches ErrNotFound", err)
					}
				}
			}
			last := events[len(events)-1]
			if last.Command != lifecycle.CommandDeletePlan || last.Plan.ID != p.ID || last.Plan.Version != p.Version+1 || last.From != p.Position() {
				t.Errorf("got the event %+v, want the deletion of %s as version %d", last, p.ID, p.Version+1)
			}
		})
	}
}

// A program that caches plans itself is told of a deletion by a bus, if OnChange
// publishes it there.
func TestDeletedOnTheBus(t *testing.T) {
	ctx := context.Background()
	url := storetest.PostgresURL(t)
	codec := cache.KeyCodec[string]{
		Encode: func(id string) string { return id }, Decode: func(key string) (string, error) { return key, nil },
	}
	gone := make(chan string, 1)
	join := func(cfg cache.Config[string, lifecycle.Plan]) (*cache.Cache[string, lifecycle.Plan], *cache.Member[string, lifecycle.Plan]) {
		engine, err := storetest.Engines(t).Engine(ctx, url)
		check(t, err)
		bus, err := lifecycle.NewBus(ctx, engine, lifecycle.BusConfig{Topic: "plans"})
		check(t, err)
		t.Cleanup(func() { _ = bus.Close() })
		kept, err := cache.New(cfg)
		check(t, err)
		member, err := cache.Join(kept, bus, codec)
		check(t, err)
		t.Cleanup(member.Leave)
		return kept, member
	}
	_, here := join(cache.Config[string, lifecycle.Plan]{})
	there, _ := join(cache.Config[string, lifecycle.Plan]{
		OnRemoval: func(r cache.Removal[string, lifecycle.Plan]) { gone <- r.Key },
	})
	s := open(t, lifecycle.Config{URL: url, OnChange: func(e lifecycle.Event) {
		if e.Command == lifecycle.CommandDeletePlan {
			check(t, here.Invalidate(ctx, e.Plan.ID))
		}
	}})
	p := newPlan(t, s)
	check(t, there.Set(p.ID, p))
	check(t, s.DeletePlan(ctx, p.ID, 0))
	if id := <-gone; id != p.ID {
		t.Errorf("got %s gone from the cache of another, want %s", id, p.ID)
	}
}

// A plan that is deleted while its changes are brought is not applied, and Apply
// returns an error. A claimed plan is applied.
func TestDeletedWhileApplied(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		ctx := context.Background()
		p := planAt(t, s, applyQueued)
		e := s.ExecutionContext(p.ID)
		check(t, ignore(e.StartChangeset(ctx)))
		check(t, ignore(e.RecordChange(ctx, entry("warp"))))
		_, err := e.Apply(ctx, func(ctx context.Context, _ lifecycle.Change) error { return s.DeletePlan(ctx, p.ID, 0) })
		if !errors.Is(err, lifecycle.ErrNotFound) {
			t.Errorf("got error %v, want one that matches ErrNotFound", err)
		}
		c, err := s.Claim(ctx, planAt(t, s, applyQueued).ID, "A", 0)
		check(t, err)
		applied, err := s.ExecutionContext(c.PlanID).Under(c).Apply(ctx, func(context.Context, lifecycle.Change) error { return nil })
		if err != nil || applied.Position() != applyApplied {
			t.Errorf("got %v, %v, want what is claimed applied", applied.Position(), err)
		}
	})
}

// A listing in memory shows what is deleted after it began. Nothing deleted is kept
// once no listing needs it.
func TestDeletedWhileListed(t *testing.T) {
	ctx := context.Background()
	s := open(t, lifecycle.Config{})
	p, q := newPlan(t, s), newPlan(t, s)
	done := s.HoldListing()
	check(t, s.DeletePlan(ctx, p.ID, 0))
	if got := s.VersionsKept(p.ID); got != 2 {
		t.Errorf("got %d versions kept while a listing reads, want 2", got)
	}
	check(t, s.DeletePlan(ctx, q.ID, 0))
	check(t, s.DeleteAction(ctx, "build"))
	check(t, ignore(s.CreateAction(ctx, spec("build"))))
	check(t, s.DeleteAction(ctx, "build"))
	done()
	last := newPlan(t, s)
	check(t, s.DeletePlan(ctx, last.ID, 0))
	check(t, s.DeleteAction(ctx, "build"))
	for _, id := range []string{p.ID, q.ID, last.ID} {
		if got := s.VersionsKept(id); got != 0 {
			t.Errorf("%s: got %d versions kept after the listing, want none", id, got)
		}
	}
}

// A plan is made of the action that exists when the plan is stored, not of a deleted
// one of that name.
func TestUseOfAnotherAction(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		ctx := context.Background()
		p := newPlan(t, s)
		old, err := s.GetAction(ctx, "build")
		check(t, err)
		check(t, s.DeletePlan(ctx, p.ID, 0))
		check(t, s.DeleteAction(ctx, "build"))
		changed := spec("build")
		least := 2.0
		changed.Arguments = []lifecycle.Argument{{Name: "n", Type: lifecycle.ArgumentFloat, Min: &least}}
		check(t, ignore(s.CreateAction(ctx, changed)))
		if err := s.InsertPlanOf(ctx, p, old); err == nil {
			t.Error("got no error for a plan of the action that was deleted, want one")
		}
		now, err := s.GetAction(ctx, "build")
		check(t, err)
		if now.Uses != 0 {
			t.Errorf("got %d uses, want none", now.Uses)
		}
		check(t, s.InsertPlanOf(ctx, p, now))
	})
}

// If an action is created after the update did not find it, but before the check of
// the cause, it is used and not reported as archived.
func TestUseOfActionCreatedMeanwhile(t *testing.T) {
	s, err := lifecycle.Open(t.Context(), lifecycle.Config{URL: "sqlite:///:memory:"})
	check(t, err)
	defer s.Close()
	a, err := s.CreateAction(t.Context(), spec("build"))
	check(t, err)
	u, err := s.UnitOfWork()
	check(t, err)
	check(t, u.Transaction(t.Context(), func(ctx context.Context, r lifecycle.Repositories) error {
		a, err := r.Actions.Late().Use(ctx, a.Name, time.Now())
		if a.Uses != 1 {
			t.Errorf("got %+v, want one use", a)
		}
		return err
	}))
}

// Callers that use an action, and those that delete it and create it again, never get
// parts of each other's.
func TestDeleteUseAndCreateTogether(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		ctx := context.Background()
		for range 20 {
			p := newPlan(t, s)
			described := spec("build")
			described.Description = "another"
			errs := make([]error, 4)
			var made, child lifecycle.Plan
			together(len(errs), func(i int) {
				switch i {
				case 0:
					errs[i] = s.DeletePlan(ctx, p.ID, 0)
				case 1:
					child, errs[i] = s.UseAction(ctx, "build", lifecycle.UseOptions{ParentID: p.ID})
				case 2:
					if errs[i] = s.DeleteAction(ctx, "build"); errs[i] == nil {
						errs[i] = ignore(s.CreateAction(ctx, described))
					}
				case 3:
					made, errs[i] = s.UseAction(ctx, "build", lifecycle.UseOptions{})
				}
			})
			for i, want := range []error{
				lifecycle.ErrReferred, lifecycle.ErrNotFound, lifecycle.ErrReferred, lifecycle.ErrNotFound,
			} {
				if errs[i] != nil && !errors.Is(errs[i], want) {
					t.Errorf("call %d: got error %v, want none or one that matches %v", i, errs[i], want)
				}
			}
			if (errs[0] == nil) == (errs[1] == nil) {
				t.Errorf("got errors %v for the deletion of a plan and %v for a subplan of it, want one error", errs[0], errs[1])
			}
			for _, plan := range []lifecycle.Plan{child, made, p} {
				if err := s.DeletePlan(ctx, plan.ID, 0); plan.ID != "" && err != nil && !errors.Is(err, lifecycle.ErrNotFound) {
					t.Error(err)
				}
			}
			if err := s.DeleteAction(ctx, "build"); err != nil && !errors.Is(err, lifecycle.ErrNotFound) {
				t.Error(err)
			}
		}
	})
}
