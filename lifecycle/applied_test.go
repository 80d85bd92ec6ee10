package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

var applyProcessing = lifecycle.Position{Phase: lifecycle.PhaseApply, State: lifecycle.StateProcessing}

// changing makes a plan at a position, with changes, two in a changeset.
func changing(t *testing.T, s *lifecycle.Service, at lifecycle.Position, names ...string) (lifecycle.Plan, *lifecycle.ExecutionContext) {
	t.Helper()
	p := planAt(t, s, at)
	c := s.ExecutionContext(p.ID)
	for i, name := range names {
		if i%2 == 0 {
			check(t, ignore(c.StartChangeset(context.Background())))
		}
		check(t, ignore(c.RecordChange(context.Background(), entry(name))))
	}
	return p, c
}

// bring returns a function that lists the changes that it brings, and the list.
func bring(fail map[string]error) (func(context.Context, lifecycle.Change) error, *[]string) {
	brought := new([]string)
	return func(_ context.Context, c lifecycle.Change) error {
		if err := fail[c.Path]; err != nil {
			return err
		}
		*brought = append(*brought, fmt.Sprint(c.Number, " ", c.Path))
		return nil
	}, brought
}

func TestApply(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p, c := changing(t, s, applyQueued, "a", "b", "c")
		all, err := c.Changes(ctx)
		check(t, err)
		sets, err := c.Changesets(ctx)
		check(t, err)
		want := []lifecycle.Change{
			{1, sets[0].ID, sets[0].Entries[0]}, {2, sets[0].ID, sets[0].Entries[1]}, {3, sets[1].ID, sets[1].Entries[0]},
		}
		if !reflect.DeepEqual(all, want) {
			t.Errorf("got the changes %+v, want %+v", all, want)
		}
		f, brought := bring(nil)
		got, err := c.Apply(ctx, f)
		if err != nil || got.Position() != applyApplied || got.Applied != 3 {
			t.Errorf("got %v with %d applied, %v, want it applied with 3", got.Position(), got.Applied, err)
		}
		if want := []string{"1 a", "2 b", "3 c"}; !reflect.DeepEqual(*brought, want) {
			t.Errorf("brought %q, want %q", *brought, want)
		}
		if kept, err := s.GetPlan(ctx, p.ID); err != nil || !reflect.DeepEqual(kept, got) {
			t.Errorf("got %+v, %v, want what Apply returned: %+v", kept, err, got)
		}
		if _, err := c.Apply(ctx, f); !errors.Is(err, lifecycle.ErrInvalidTransition) || len(*brought) != 3 {
			t.Errorf("apply again: got %v, brought %q; want ErrInvalidTransition and nothing more", err, *brought)
		}
		if _, err := c.RecordChange(ctx, entry("d")); !errors.Is(err, lifecycle.ErrFinished) {
			t.Errorf("record in an applied plan: got %v, want ErrFinished", err)
		}
	})
}

// A change recorded while Apply brings the others is brought too. The plan is not
// applied without it.
func TestApplyBringsWhatIsRecordedMeanwhile(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		_, c := changing(t, s, applyQueued, "a")
		f, brought := bring(nil)
		late := false
		got, err := c.Apply(ctx, func(ctx context.Context, x lifecycle.Change) error {
			if !late {
				late = true
				check(t, ignore(c.RecordChange(ctx, entry("late"))))
			}
			return f(ctx, x)
		})
		if want := []string{"1 a", "2 late"}; err != nil || got.Applied != 2 || !reflect.DeepEqual(*brought, want) {
			t.Errorf("got %d applied, %v, brought %q; want 2: %q", got.Applied, err, *brought, want)
		}
	})
}

// After a failure Apply continues where it stopped, and brings nothing twice.
func TestApplyGoesOn(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p, c := changing(t, s, applyQueued, "a", "b", "c")
		torn := errors.New("the thread is torn\x00\xff")
		failing := map[string]error{"b": torn}
		f, brought := bring(failing)
		if _, err := c.Apply(ctx, f); !errors.Is(err, torn) || !strings.Contains(err.Error(), "change 2 of 3") {
			t.Errorf("got %v, want the error of change 2 of 3", err)
		}
		got, err := s.GetPlan(ctx, p.ID)
		if err != nil || got.State != lifecycle.StateErrored || got.Applied != 1 || !strings.Contains(got.ErrorMessage, "torn\ufffd") {
			t.Errorf("got %v with %d applied, %q, %v; want it errored with 1", got.Position(), got.Applied, got.ErrorMessage, err)
		}
		clear(failing)
		check(t, ignore(s.Resume(ctx, p.ID)))
		got, err = c.Apply(ctx, f)
		if want := []string{"1 a", "2 b", "3 c"}; err != nil || got.Applied != 3 || !reflect.DeepEqual(*brought, want) {
			t.Errorf("got %d applied, %v, brought %q; want each once: %q", got.Applied, err, *brought, want)
		}
	})
}

// What is applied stays applied when the plan is reverted and changes more.
func TestAppliedStaysApplied(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p, c := changing(t, s, applyProcessing, "a", "b")
		one, three := 1, 3
		r := lifecycle.Request{PlanID: p.ID, Command: lifecycle.CommandConstrainApply, Reason: "no", Applied: &three}
		unapplied(t, ignore(s.Transition(ctx, r)), lifecycle.UnappliedError{PlanID: p.ID, Applied: 3, Recorded: 2})
		r.Applied = &one
		check(t, ignore(s.Transition(ctx, r)))
		check(t, ignore(s.Revert(ctx, p.ID, lifecycle.RevertOptions{})))
		for _, command := range way(applyProcessing) {
			check(t, ignore(s.Transition(ctx, request(p.ID, command))))
		}
		none := 0
		r.Applied = &none
		unapplied(t, ignore(s.Transition(ctx, r)), lifecycle.UnappliedError{PlanID: p.ID, Least: 1, Recorded: 2})
		r.Applied = nil
		check(t, ignore(s.Transition(ctx, r)))
		check(t, ignore(s.Resume(ctx, p.ID)))
		f, brought := bring(nil)
		got, err := c.Apply(ctx, f)
		if want := []string{"2 b"}; err != nil || got.Applied != 2 || !reflect.DeepEqual(*brought, want) {
			t.Errorf("got %d applied, %v, brought %q; want 2: %q", got.Applied, err, *brought, want)
		}
	})
}

// unapplied fails the test unless err is the wanted UnappliedError.
func unapplied(t *testing.T, err error, want lifecycle.UnappliedError) {
	t.Helper()
	var e *lifecycle.UnappliedError
	if !errors.Is(err, lifecycle.ErrUnapplied) || !errors.As(err, &e) || *e != want || !strings.Contains(err.Error(), want.PlanID) {
		t.Errorf("got %v, want %+v", err, want)
	}
}

// A caller who completes an apply says how many changes were applied, and is
// refused if that is wrong. The default is all of them.
func TestCompleteApplyCounts(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p, _ := changing(t, s, applyProcessing, "a")
		none, one := 0, 1
		r := lifecycle.Request{PlanID: p.ID, Command: lifecycle.CommandCompleteApply, Applied: &none}
		unapplied(t, ignore(s.Transition(ctx, r)), lifecycle.UnappliedError{PlanID: p.ID, Least: 1, Recorded: 1})
		if got, err := s.GetPlan(ctx, p.ID); err != nil || got.Position() != applyProcessing {
			t.Errorf("got %v, %v, want nothing changed", got.Position(), err)
		}
		held, err := s.GetPlan(ctx, p.ID)
		check(t, err)
		r.Applied, r.IfVersion = &one, held.Version
		if got, err := s.Transition(ctx, r); err != nil || got.Applied != 1 {
			t.Errorf("got %d applied, %v, want 1", got.Applied, err)
		}
		p, c := changing(t, s, applyProcessing, "a", "b", "c")
		if got, err := s.CompleteApply(ctx, p.ID); err != nil || got.Applied != 3 {
			t.Errorf("got %d applied, %v, want all 3", got.Applied, err)
		}
		if got, err := s.CompleteApply(ctx, planAt(t, s, applyProcessing).ID); err != nil || got.Applied != 0 {
			t.Errorf("got %d applied, %v, want none of none", got.Applied, err)
		}
		_, err = s.ExecutionContext("nope").Changes(ctx)
		f, _ := bring(nil)
		_, err2 := c.Under(lifecycle.Claim{PlanID: p.ID, Fence: 3}).Apply(ctx, f)
		if !errors.Is(err, lifecycle.ErrNotFound) || !errors.Is(err2, lifecycle.ErrClaimed) {
			t.Errorf("got %v and %v, want ErrNotFound and ErrClaimed", err, err2)
		}
	})
}

// A change is recorded before the plan is applied, and then applied as well, or
// refused.
func TestApplyMeetsRecorders(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		for range 5 {
			p, c := changing(t, s, applyQueued, "a")
			f, brought := bring(nil)
			recorded := make([]error, 3)
			together(4, func(i int) {
				if i < 3 {
					recorded[i] = ignore(c.RecordChange(ctx, entry("late")))
					return
				}
				check(t, ignore(c.Apply(ctx, f)))
			})
			want := 1
			for _, err := range recorded {
				if err == nil {
					want++
				} else if !errors.Is(err, lifecycle.ErrFinished) {
					t.Errorf("got %v, want ErrFinished", err)
				}
			}
			if got, err := s.GetPlan(ctx, p.ID); err != nil || got.Applied != want || len(*brought) != want {
				t.Errorf("got %d applied, %v, brought %q; want %d, as many as were recorded", got.Applied, err, *brought, want)
			}
		}
	})
}

// If the context of Apply ends, the error says how far it came.
func TestApplyEndsWithTheContext(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		p, c := changing(t, s, applyQueued, "a", "b")
		claim, err := s.Claim(ctx, p.ID, "A", time.Hour)
		check(t, err)
		_, err = c.Under(claim).Apply(ctx, func(context.Context, lifecycle.Change) error { cancel(); return nil })
		if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "1 of 2 changes applied") {
			t.Errorf("got %v, want it cancelled after 1 of 2", err)
		}
		got, err := s.GetPlan(context.Background(), p.ID)
		if err != nil || got.State != lifecycle.StateErrored || got.Applied != 1 {
			t.Errorf("got %v with %d applied, %v; want it errored with 1", got.Position(), got.Applied, err)
		}
	})
}

// If the context ends after the last change, nothing is lost: the plan counts what was brought.
func TestApplyEndsWithItsContext(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p, c := changing(t, s, applyQueued, "a", "b")
		ctx, cancel := context.WithCancel(context.Background())
		f, brought := bring(nil)
		_, err := c.Apply(ctx, func(ctx context.Context, x lifecycle.Change) error {
			if x.Number == 2 {
				cancel()
			}
			return f(ctx, x)
		})
		got, failed := s.GetPlan(context.Background(), p.ID)
		check(t, failed)
		if !errors.Is(err, context.Canceled) || got.State != lifecycle.StateErrored || got.Applied != 2 {
			t.Errorf("got %v with %d applied, %v; want it errored with 2, and the context's error", got.Position(), got.Applied, err)
		}
		check(t, ignore(s.Resume(context.Background(), p.ID)))
		got, err = c.Apply(context.Background(), f)
		if err != nil || got.Position() != applyApplied || len(*brought) != 2 {
			t.Errorf("again: got %v, %v, brought %q, want it applied and nothing brought twice", got.Position(), err, *brought)
		}
	})
}

// Without a function to apply changes, nothing begins.
func TestApplyNothing(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p, c := changing(t, s, applyQueued, "a")
		_, err := c.Apply(ctx, nil)
		got, failed := s.GetPlan(ctx, p.ID)
		check(t, failed)
		if !errors.Is(err, lifecycle.ErrInvalid) || got.Position() != applyQueued {
			t.Errorf("got %v, the plan at %v, want ErrInvalid, and the plan where it was", err, got.Position())
		}
	})
}
