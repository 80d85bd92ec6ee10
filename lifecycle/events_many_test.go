package lifecycle_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// Many callers change plans through several services and engines while two follow.
// Both get every change in one order, which is the order of each plan's versions.
func TestEventsOfMany(t *testing.T) {
	for _, store := range stores {
		t.Run(store.name, func(t *testing.T) {
			shared := storetest.Engines(t)
			cfg := lifecycle.Config{URL: store.url(t), Poll: time.Millisecond}
			var services []*lifecycle.Service
			for i := range 3 {
				switch {
				case cfg.URL == "" && i > 0: // services in memory share nothing
					services = append(services, services[0])
					continue
				case cfg.URL == "sqlite:///:memory:":
					cfg.Engines = shared
				}
				services = append(services, open(t, cfg))
			}
			newPlan(t, services[0]) // creates the action
			heard := make([][]lifecycle.PlanEvent, 2)
			var done sync.WaitGroup
			for i := range heard {
				done.Go(func() { heard[i] = untilEnd(t, services[i]) })
			}
			together(4, func(i int) { changeAtRandom(t, services[i%3], uint64(i)) })
			check(t, ignore(services[2].UseAction(context.Background(), "build", lifecycle.UseOptions{Description: "end"})))
			done.Wait()
			if !slices.Equal(heard[0], heard[1]) {
				t.Error("got different events of the two followers, want the same")
			}
			complete(t, services[0], heard[0])
		})
	}
}

// untilEnd returns the events up to the creation of the plan whose description is the
// end.
func untilEnd(t *testing.T, s *lifecycle.Service) (all []lifecycle.PlanEvent) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for e, err := range s.Events(ctx, 0) {
		if err != nil {
			t.Error(err)
			return all
		}
		all = append(all, e)
		if p, err := s.GetPlan(ctx, e.PlanID); err == nil && p.Description == "end" {
			return all
		}
	}
	return all
}

// changeAtRandom makes plans and changes existing ones, its own and others'.
func changeAtRandom(t *testing.T, s *lifecycle.Service, seed uint64) {
	ctx := context.Background()
	random := rand.New(rand.NewPCG(seed, 0))
	for range 40 {
		plans, err := s.FindPlans(ctx, lifecycle.PlanFilter{})
		if err != nil {
			t.Error(err)
			return
		}
		if random.IntN(4) == 0 || len(plans) == 0 {
			if _, err := s.UseAction(ctx, "build", lifecycle.UseOptions{}); err != nil {
				t.Error(err)
			}
			continue
		}
		p := plans[random.IntN(len(plans))]
		switch random.IntN(12) {
		case 0:
			err = s.DeletePlan(ctx, p.ID, 0)
		case 1:
			_, err = s.AddErrorDetails(ctx, lifecycle.Note{PlanID: p.ID, Details: map[string]string{"a": "b"}})
		default:
			command := map[lifecycle.State]string{lifecycle.StateQueued: "start_", lifecycle.StateProcessing: "complete_"}[p.State]
			r := lifecycle.Request{PlanID: p.ID, Command: lifecycle.Command(command + string(p.Phase))}
			r.Progress = command == "complete_" && p.Phase != lifecycle.PhaseApply
			if command == "" {
				r.Command = lifecycle.CommandCancel
			}
			_, err = s.Transition(ctx, r)
		}
		// Another caller has changed the plan meanwhile.
		for _, lost := range []error{
			lifecycle.ErrNotFound, lifecycle.ErrConflict, lifecycle.ErrNotReady, lifecycle.ErrInvalidTransition, lifecycle.ErrFinished,
		} {
			if errors.Is(err, lost) {
				err = nil
			}
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// complete fails the test unless the events are exactly the changes of all plans,
// deleted ones too, in order.
func complete(t *testing.T, s *lifecycle.Service, all []lifecycle.PlanEvent) {
	t.Helper()
	at := make(map[string]lifecycle.PlanEvent)
	for i, e := range all {
		was := at[e.PlanID]
		if e.Cursor != lifecycle.Cursor(i+1) || e.Version != was.Version+1 || was.Deleted {
			t.Errorf("got %+v behind %+v, want cursor %d and the next version", e, was, i+1)
		}
		at[e.PlanID] = e
	}
	plans, err := s.FindPlans(context.Background(), lifecycle.PlanFilter{Archived: true})
	check(t, err)
	for _, p := range plans {
		if e := at[p.ID]; e.Version != p.Version || e.Position != p.Position() || e.Archived != p.Archived || e.Deleted {
			t.Errorf("got %+v last, want plan %s at version %d, %s", e, p.ID, p.Version, p.Position())
		}
		delete(at, p.ID)
	}
	for id, e := range at {
		if !e.Deleted {
			t.Errorf("got %+v last, want a deletion of the missing plan %s", e, id)
		}
	}
}
