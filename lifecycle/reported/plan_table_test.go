package reported_test

import (
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/reported"
)

func openTable(t *testing.T, path string) *reported.PlanTable {
	t.Helper()
	table, err := reported.OpenPlanTable(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := table.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return table
}

// planAt makes a plan of the action local/review at phase/state.
func planAt(t *testing.T, id string, phase lifecycle.Phase, state lifecycle.State) *lifecycle.Plan {
	t.Helper()
	action, err := reported.NewAction(lifecycle.ActionSpec{Name: "review"})
	if err != nil {
		t.Fatal(err)
	}
	plan := reported.NewPlan(id, action)
	plan.Phase, plan.State = phase, state
	return plan
}

func TestTwoTablesOnOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plans 100%?.db") // not valid in a URL
	a, b := openTable(t, path), openTable(t, path)
	plan := planAt(t, "p1", lifecycle.PhaseExecute, lifecycle.StateComplete)
	if err := a.Insert(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	got, err := b.Get(t.Context(), "p1")
	if err != nil || !reflect.DeepEqual(got, plan) {
		t.Fatalf("get: got %+v, %v\nwant %+v", got, err, plan)
	}
	if err := reported.Move(got, lifecycle.CommandApplyPlan); err != nil {
		t.Fatal(err)
	}
	if err := b.Update(t.Context(), got); err != nil {
		t.Fatal(err)
	}
	list, err := a.List(t.Context())
	if err != nil || len(list) != 1 || !reflect.DeepEqual(list[0], got) {
		t.Errorf("list: got %+v, %v\nwant %+v", list, err, got)
	}
	applied := lifecycle.Position{Phase: lifecycle.PhaseApply, State: lifecycle.StateQueued}
	if n, err := a.CountTransitions(t.Context(), "p1", applied); n != 1 || err != nil {
		t.Errorf("transitions: got %d, %v; want 1", n, err)
	}
	if _, err := a.Get(t.Context(), "p2"); !errors.Is(err, lifecycle.ErrNotFound) {
		t.Errorf("get of no plan: got %v, want not found", err)
	}
}

func TestOpenPlanTableFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "plans.db")
	if table, err := reported.OpenPlanTable(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v, %v; want an error that names %s", table, err, path)
	}
}
