package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

func TestGetPlanNotFound(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		_, err := s.GetPlan(context.Background(), "nope")
		var missing *lifecycle.NotFoundError
		if !errors.Is(err, lifecycle.ErrNotFound) || !errors.As(err, &missing) || missing.Kind != lifecycle.KindPlan || missing.ID != "nope" {
			t.Errorf("got %v, want ErrNotFound for plan nope", err)
		}
	})
}

func TestPlansAreSnapshots(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		a := spec("a")
		a.Arguments = []lifecycle.Argument{{Name: "x"}}
		_, err := s.CreateAction(ctx, a)
		check(t, err)
		options := lifecycle.UseOptions{
			Arguments: map[string]string{"x": "1"}, Projects: []lifecycle.ProjectLink{project(t, "p")},
		}
		p, err := s.UseAction(ctx, "a", options)
		check(t, err)
		want, err := s.GetPlan(ctx, p.ID)
		check(t, err)
		options.Arguments["x"], options.Projects[0].Alias = "spoiled", "spoiled"
		spoil := func(p lifecycle.Plan) { p.Arguments["x"], p.Projects[0].Alias = "spoiled", "spoiled" }
		spoil(p)
		again, err := s.GetPlan(ctx, p.ID)
		check(t, err)
		spoil(again)
		all, err := s.ListPlans(ctx)
		check(t, err)
		spoil(all[0])
		if got, err := s.GetPlan(ctx, p.ID); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
		failure := lifecycle.Failure{Message: "no", Details: map[string]string{"k": "v"}}
		_, err = s.StartStrategize(ctx, p.ID)
		check(t, err)
		failed, err := s.FailStrategize(ctx, p.ID, failure)
		check(t, err)
		failure.Details["k"], failed.ErrorDetails["k"] = "spoiled", "spoiled"
		if got, err := s.GetPlan(ctx, p.ID); err != nil || got.ErrorDetails["k"] != "v" {
			t.Errorf("got %v, %v, want k: v", got.ErrorDetails, err)
		}
	})
}

// One plan goes through its whole life, by the methods of the service.
func TestWholeLife(t *testing.T) {
	ctx := context.Background()
	for _, store := range stores {
		t.Run(store.name, func(t *testing.T) {
			var events []string
			s := open(t, lifecycle.Config{URL: store.url(t), Clock: ticker(), OnChange: func(e lifecycle.Event) {
				events = append(events, fmt.Sprintf("%s: %s → %s v%d", e.Command, e.From, e.Plan.Position(), e.Plan.Version))
			}})
			p := newPlan(t, s)
			failure := lifecycle.Failure{Message: "full", Details: map[string]string{"disk": "full"}, LastCompletedStep: 7}
			steps := []func() (lifecycle.Plan, error){
				func() (lifecycle.Plan, error) { return s.StartStrategize(ctx, p.ID) },
				func() (lifecycle.Plan, error) { return s.FailStrategize(ctx, p.ID, failure) },
				func() (lifecycle.Plan, error) { return s.Resume(ctx, p.ID) },
				func() (lifecycle.Plan, error) { return s.StartStrategize(ctx, p.ID) },
				func() (lifecycle.Plan, error) {
					return s.Transition(ctx, lifecycle.Request{PlanID: p.ID, Command: lifecycle.CommandCompleteStrategize, DecisionRootID: "d1"})
				},
				func() (lifecycle.Plan, error) { return s.ExecutePlan(ctx, p.ID) },
				func() (lifecycle.Plan, error) {
					return s.Transition(ctx, lifecycle.Request{PlanID: p.ID, Command: lifecycle.CommandStartExecute, SandboxRefs: []string{"s1"}})
				},
				func() (lifecycle.Plan, error) { return s.FailExecute(ctx, p.ID, failure) },
				func() (lifecycle.Plan, error) { return s.Revert(ctx, p.ID, lifecycle.RevertOptions{Reason: "again"}) },
				func() (lifecycle.Plan, error) { return s.StartStrategize(ctx, p.ID) },
				func() (lifecycle.Plan, error) { return s.CompleteStrategize(ctx, p.ID) },
				func() (lifecycle.Plan, error) { return s.ExecutePlan(ctx, p.ID) },
				func() (lifecycle.Plan, error) { return s.StartExecute(ctx, p.ID) },
				func() (lifecycle.Plan, error) { return s.CompleteExecute(ctx, p.ID) },
				func() (lifecycle.Plan, error) { return s.ApplyPlan(ctx, p.ID) },
				func() (lifecycle.Plan, error) { return s.StartApply(ctx, p.ID) },
				func() (lifecycle.Plan, error) { return s.ConstrainApply(ctx, p.ID, failure) },
				func() (lifecycle.Plan, error) { return s.Resume(ctx, p.ID) },
				func() (lifecycle.Plan, error) { return s.StartApply(ctx, p.ID) },
				func() (lifecycle.Plan, error) { return s.FailApply(ctx, p.ID, failure) },
				func() (lifecycle.Plan, error) { return s.Resume(ctx, p.ID) },
				func() (lifecycle.Plan, error) { return s.StartApply(ctx, p.ID) },
				func() (lifecycle.Plan, error) { return s.CompleteApply(ctx, p.ID) },
			}
			var seen []lifecycle.Plan
			for i, step := range steps {
				got, err := step()
				check(t, err)
				if again, err := s.GetPlan(ctx, p.ID); err != nil || !reflect.DeepEqual(again, got) {
					t.Fatalf("step %d: got %+v, %v, want what the step returned: %+v", i, again, err, got)
				}
				if got.Version != int64(i+2) || got.CreatedAt != p.CreatedAt || !got.UpdatedAt.After(p.CreatedAt) {
					t.Errorf("step %d: got version %d of %v at %v, want the next version, and the times kept", i, got.Version, got.CreatedAt, got.UpdatedAt)
				}
				seen = append(seen, got)
			}
			checkLife(t, seen)
			if len(events) != len(steps)+1 || events[0] != "use_action: action/available → strategize/queued v1" ||
				events[23] != "complete_apply: apply/processing → apply/applied v24" {
				t.Errorf("got events %q, want those of the steps", events)
			}
		})
	}
}

// checkLife checks the plan after each step of TestWholeLife.
func checkLife(t *testing.T, seen []lifecycle.Plan) {
	t.Helper()
	failed, resumed, decided, sandboxed, reverted, last := seen[1], seen[2], seen[4], seen[6], seen[8], seen[len(seen)-1]
	if failed.ErrorMessage != "full" || failed.ErrorDetails["disk"] != "full" || failed.LastCompletedStep != 7 {
		t.Errorf("got %+v, want the failure recorded", failed)
	}
	if resumed.ErrorMessage != "" || resumed.ErrorDetails != nil || resumed.LastCompletedStep != 7 || resumed.Attempt != 2 {
		t.Errorf("got %+v, want attempt 2 from step 7 on without an error", resumed)
	}
	if decided.DecisionRootID != "d1" || !reflect.DeepEqual(sandboxed.SandboxRefs, []string{"s1"}) {
		t.Errorf("got %q and %v, want d1 and s1", decided.DecisionRootID, sandboxed.SandboxRefs)
	}
	want := []lifecycle.Reversion{{From: executeErrored, To: strategizeQueued, Reason: "again", At: reverted.UpdatedAt}}
	if !reflect.DeepEqual(reverted.Reversions, want) || reverted.Attempt != 3 || reverted.DecisionRootID != "" ||
		reverted.SandboxRefs != nil || reverted.LastCompletedStep != 0 || reverted.ErrorMessage != "" {
		t.Errorf("got %+v, want attempt 3 from the start and the reversion recorded", reverted)
	}
	if last.Position() != applyApplied || last.FinishedAt != last.UpdatedAt || last.Attempt != 5 || seen[21].FinishedAt != (time.Time{}) {
		t.Errorf("got %+v, want it applied at the fifth attempt, and finished only then", last)
	}
}
