package reported_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// twoInstances returns two services on one file that has the plan p1 at phase/state, and counts how often that plan was applied.
func twoInstances(t *testing.T, v variant, phase lifecycle.Phase, state lifecycle.State) (a, b persistedService, applied func() int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "plans.db")
	tableA, tableB := openTable(t, path), openTable(t, path)
	if err := tableA.Insert(t.Context(), planAt(t, "p1", phase, state)); err != nil {
		t.Fatal(err)
	}
	return v.persisted(tableA), v.persisted(tableB), func() int {
		n, err := tableA.CountTransitions(t.Context(), "p1", lifecycle.Position{Phase: lifecycle.PhaseApply, State: lifecycle.StateQueued})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
}

func TestAPlanThatAnotherInstanceMovedOn(t *testing.T) {
	wantGet := map[string]lifecycle.State{"as reported": lifecycle.StateQueued, "as suggested": lifecycle.StateProcessing}
	eachVariant(t, func(t *testing.T, v variant) {
		a, b, _ := twoInstances(t, v, lifecycle.PhaseStrategize, lifecycle.StateQueued)
		if _, err := b.ListPlans(t.Context()); err != nil { // fills b's cache
			t.Fatal(err)
		}
		if _, err := a.StartStrategize(t.Context(), "p1"); err != nil {
			t.Fatal(err)
		}
		list, err := b.ListPlans(t.Context())
		if err != nil || len(list) != 1 || list[0].State != lifecycle.StateQueued {
			t.Errorf("list: got %+v, %v; want the stale state queued, which neither variant fixes", list, err)
		}
		if plan, err := b.GetPlan(t.Context(), "p1"); err != nil || plan.State != wantGet[v.name] {
			t.Errorf("get: got %+v, %v; want state %s", plan, err, wantGet[v.name])
		}
		if _, err := b.GetPlan(t.Context(), "p9"); !errors.Is(err, lifecycle.ErrNotFound) {
			t.Errorf("get of no plan: got %v, want not found", err)
		}
		if _, err := b.ApplyPlan(t.Context(), "p9"); !errors.Is(err, lifecycle.ErrNotFound) {
			t.Errorf("apply of no plan: got %v, want not found", err)
		}
	})
}

func TestASecondInstanceApplies(t *testing.T) {
	wantTimes := map[string]int{"as reported": 2, "as suggested": 1}
	eachVariant(t, func(t *testing.T, v variant) {
		a, b, applied := twoInstances(t, v, lifecycle.PhaseExecute, lifecycle.StateComplete)
		if _, err := b.GetPlan(t.Context(), "p1"); err != nil { // fills b's cache
			t.Fatal(err)
		}
		if _, err := a.ApplyPlan(t.Context(), "p1"); err != nil {
			t.Fatal(err)
		}
		_, err := b.ApplyPlan(t.Context(), "p1")
		if refused := errors.Is(err, lifecycle.ErrInvalidTransition); refused != (wantTimes[v.name] == 1) {
			t.Errorf("second apply: got %v, want an invalid transition, as suggested only", err)
		}
		if got := applied(); got != wantTimes[v.name] {
			t.Errorf("applied: got %d times, want %d", got, wantTimes[v.name])
		}
		if _, err := a.ApplyPlan(t.Context(), "p1"); !errors.Is(err, lifecycle.ErrInvalidTransition) {
			t.Errorf("apply twice by one instance: got %v, want invalid transition", err)
		}
	})
}
