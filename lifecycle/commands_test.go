package lifecycle_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
)

func TestCancel(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p := planAt(t, s, executeErrored)
		got, err := s.Cancel(context.Background(), p.ID, "no use")
		if err != nil || got.State != lifecycle.StateCancelled || got.ErrorMessage != "no use" || got.FinishedAt.IsZero() {
			t.Errorf("got %+v, %v, want it cancelled with the reason", got, err)
		}
	})
}

func TestRevertAtMostThreeTimes(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p := newPlan(t, s)
		for i := range lifecycle.MaxReversions + 1 {
			_, err := s.StartStrategize(ctx, p.ID)
			check(t, err)
			_, err = s.FailStrategize(ctx, p.ID, lifecycle.Failure{Message: "no"})
			check(t, err)
			got, err := s.Revert(ctx, p.ID, lifecycle.RevertOptions{To: lifecycle.PhaseStrategize})
			if i < lifecycle.MaxReversions {
				if err != nil || len(got.Reversions) != i+1 {
					t.Errorf("revert %d: got %d reversions, %v, want one more", i, len(got.Reversions), err)
				}
				continue
			}
			if !errors.Is(err, lifecycle.ErrReversionLimit) {
				t.Errorf("revert %d: got %v, want ErrReversionLimit", i, err)
			}
		}
		if _, err := s.Resume(ctx, p.ID); err != nil {
			t.Errorf("got %v, want it resumed all the same", err)
		}
	})
}

func TestRevertToWhere(t *testing.T) {
	ctx := context.Background()
	s := open(t, lifecycle.Config{})
	p := planAt(t, s, lifecycle.Position{Phase: lifecycle.PhaseApply, State: lifecycle.StateConstrained})
	_, err := s.Revert(ctx, p.ID, lifecycle.RevertOptions{To: lifecycle.PhaseExecute})
	var invalid *lifecycle.InvalidTransitionError
	if !errors.As(err, &invalid) || invalid.Target.Phase != lifecycle.PhaseExecute || invalid.Current != p.Position() {
		t.Errorf("got %v, want an invalid transition to execute", err)
	}
	if _, err := s.Revert(ctx, p.ID, lifecycle.RevertOptions{To: "begin"}); !errors.Is(err, lifecycle.ErrInvalid) {
		t.Errorf("got %v, want ErrInvalid", err)
	}
}

func TestTransitionErrorsName(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		if _, err := s.ApplyPlan(ctx, "nope"); !errors.Is(err, lifecycle.ErrNotFound) {
			t.Errorf("got %v, want ErrNotFound", err)
		}
		p := newPlan(t, s)
		_, err := s.ApplyPlan(ctx, p.ID)
		var invalid *lifecycle.InvalidTransitionError
		if !errors.As(err, &invalid) || invalid.PlanID != p.ID || invalid.Current != strategizeQueued || invalid.Target != applyQueued {
			t.Errorf("got %v, want an invalid transition from strategize/queued to apply/queued", err)
		}
		_, err = s.ExecutePlan(ctx, p.ID)
		var notReady *lifecycle.NotReadyError
		if !errors.As(err, &notReady) || notReady.Current != strategizeQueued || len(notReady.Want) != 1 || notReady.Want[0] != lifecycle.StateComplete {
			t.Errorf("got %v, want not ready at strategize/queued, want complete", err)
		}
	})
}

// A caller who decided on one version does not change another, even if the state
// machine would allow it.
func TestTransitionIfVersion(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		held := planAt(t, s, executeErrored)
		_, err := s.Resume(ctx, held.ID)
		check(t, err)
		_, err = s.Transition(ctx, lifecycle.Request{PlanID: held.ID, Command: lifecycle.CommandCancel, IfVersion: held.Version})
		var conflict *lifecycle.ConflictError
		if !errors.Is(err, lifecycle.ErrConflict) || !errors.As(err, &conflict) || conflict.HeldVersion != held.Version ||
			conflict.Current.String() != "execute/queued" || conflict.CurrentVersion != held.Version+1 {
			t.Errorf("got %v, want a conflict with execute/queued", err)
		}
		p, err := s.Transition(ctx, lifecycle.Request{PlanID: held.ID, Command: lifecycle.CommandCancel, IfVersion: held.Version + 1})
		if err != nil || p.State != lifecycle.StateCancelled {
			t.Errorf("got %v, %v, want it cancelled", p.Position(), err)
		}
	})
}

// The store's compare-and-swap on its own.
func TestSwapPlan(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p := newPlan(t, s)
		changeset, err := s.ExecutionContext(p.ID).StartChangeset(ctx)
		check(t, err)
		next := p
		next.Version, next.State = 2, lifecycle.StateProcessing
		got, swapped, err := s.SwapPlan(ctx, next, 1)
		if err != nil || !swapped || got.Version != 2 || got.ChangesetID != changeset {
			t.Errorf("got %+v, %v, %v, want version 2 with the changeset that was started meanwhile", got, swapped, err)
		}
		got, swapped, err = s.SwapPlan(ctx, next, 1)
		if err != nil || swapped || got.Version != 2 {
			t.Errorf("got version %d, %v, %v, want the swap lost to version 2", got.Version, swapped, err)
		}
		next.ID = "nope"
		if _, _, err := s.SwapPlan(ctx, next, 1); !errors.Is(err, lifecycle.ErrNotFound) {
			t.Errorf("got %v, want ErrNotFound", err)
		}
	})
}
