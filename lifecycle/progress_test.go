package lifecycle_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// With Progress a phase does what two commands do, with two events. The plan
// keeps its contents and its claim.
func TestProgress(t *testing.T) {
	ctx := context.Background()
	for _, store := range stores {
		t.Run(store.name, func(t *testing.T) {
			var events []string
			s := open(t, lifecycle.Config{URL: store.url(t), OnChange: func(e lifecycle.Event) {
				events = append(events, fmt.Sprintf("%s: %s → %s v%d %s", e.Command, e.From, e.Plan.Position(), e.Plan.Version, e.Plan.DecisionRootID))
			}})
			p := newPlan(t, s)
			claim, err := s.Claim(ctx, p.ID, "worker", 0)
			check(t, err)
			events = nil
			for _, r := range []lifecycle.Request{
				{Command: lifecycle.CommandStartStrategize},
				{Command: lifecycle.CommandCompleteStrategize, DecisionRootID: "d1", Progress: true},
				{Command: lifecycle.CommandStartExecute},
				{Command: lifecycle.CommandCompleteExecute, Progress: true},
			} {
				r.PlanID, r.Fence = p.ID, claim.Fence
				p, err = s.Transition(ctx, r)
				check(t, err)
			}
			if got, err := s.GetPlan(ctx, p.ID); err != nil || !reflect.DeepEqual(got, p) || p.Position() != applyQueued || p.Claim.Fence != claim.Fence {
				t.Errorf("got %+v, %v, want what the last step returned, queued for apply: %+v", got, err, p)
			}
			want := []string{
				"start_strategize: strategize/queued → strategize/processing v2 ",
				"complete_strategize: strategize/processing → strategize/complete v3 d1",
				"execute_plan: strategize/complete → execute/queued v4 d1",
				"start_execute: execute/queued → execute/processing v5 d1",
				"complete_execute: execute/processing → execute/complete v6 d1",
				"apply_plan: execute/complete → apply/queued v7 d1",
			}
			if !reflect.DeepEqual(events, want) {
				t.Errorf("got events %q, want %q", events, want)
			}
		})
	}
}

// Of several callers that complete a phase and go on, one does both, uninterrupted.
func TestProgressMeetsProgress(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		for range 20 {
			p := planAt(t, s, lifecycle.Position{Phase: lifecycle.PhaseStrategize, State: lifecycle.StateProcessing})
			errs := make([]error, 3)
			together(len(errs), func(i int) {
				if i == 0 {
					_, errs[i] = s.ExecutePlan(ctx, p.ID)
					return
				}
				_, errs[i] = s.Transition(ctx, lifecycle.Request{PlanID: p.ID, Command: lifecycle.CommandCompleteStrategize, Progress: true})
			})
			got, err := s.GetPlan(ctx, p.ID)
			check(t, err)
			if errs[0] == nil || (errs[1] == nil) == (errs[2] == nil) || got.Version != p.Version+2 || got.Phase != lifecycle.PhaseExecute {
				t.Fatalf("got %v and %s, version %d, want one to go on by two versions", errs, got.Position(), got.Version)
			}
		}
	})
}
