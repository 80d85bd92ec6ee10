package reported_test

import (
	"errors"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
)

func TestInSequenceTheWorkIsDoneOnce(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		a, b, _ := twoInstances(t, v, lifecycle.PhaseExecute, lifecycle.StateQueued)
		worked := 0
		work := func(err error) func() error { return func() error { worked++; return err } }
		if plan, err := a.Execute(t.Context(), "p1", work(errors.New("jammed"))); err != nil || plan.State != lifecycle.StateErrored {
			t.Errorf("work that fails: got %+v, %v; want execute/errored", plan, err)
		}
		if _, err := b.Execute(t.Context(), "p1", work(nil)); !errors.Is(err, lifecycle.ErrNotReady) {
			t.Errorf("work on an errored plan: got %v, want not ready", err)
		}
		if plan, err := a.Resume(t.Context(), "p1"); err != nil || plan.State != lifecycle.StateQueued {
			t.Errorf("resume: got %+v, %v; want execute/queued", plan, err)
		}
		if plan, err := a.Execute(t.Context(), "p1", work(nil)); err != nil || plan.State != lifecycle.StateComplete {
			t.Errorf("work: got %+v, %v; want execute/complete", plan, err)
		}
		if _, err := a.Execute(t.Context(), "p9", work(nil)); !errors.Is(err, lifecycle.ErrNotFound) {
			t.Errorf("work on no plan: got %v, want not found", err)
		}
		if worked != 2 {
			t.Errorf("worked %d times, want 2", worked)
		}
	})
}
