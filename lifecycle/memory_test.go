package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// Old versions of a plan are kept for running listings only.
func TestMemoryForgetsVersions(t *testing.T) {
	ctx := context.Background()
	s := open(t, lifecycle.Config{})
	p := newPlan(t, s)
	write := func(want int, why string) {
		t.Helper()
		for range 5 {
			check(t, ignore(s.ExecutionContext(p.ID).StartChangeset(ctx)))
		}
		if kept := s.VersionsKept(p.ID); kept != want {
			t.Errorf("got %d versions kept, want %d %s", kept, want, why)
		}
	}
	write(1, "when nothing is being listed")
	first := s.HoldListing()
	write(2, "for the one listing")
	second := s.HoldListing()
	write(3, "for two listings, with writes between them")
	first()
	write(2, "for the second listing")
	second()
	write(1, "when nothing is being listed any more")
}

// Several uses of actions that allow one are to get the same identifier. One of
// them does. No loser is told of a plan that is gone again.
func TestMemoryPlansOfOneIdentifier(t *testing.T) {
	ctx := context.Background()
	s := open(t, lifecycle.Config{})
	once := spec("")
	once.Reusable = false
	for round := range 2000 {
		id := fmt.Sprint("plan ", round)
		var names []lifecycle.Name
		for i := range 3 {
			once.Name = fmt.Sprintf("once-%d-%d", round, i/2) // the first two plans are of one action
			a, err := s.CreateAction(ctx, once)
			if i != 1 {
				check(t, err)
			} else if a, err = s.GetAction(ctx, once.Name); err != nil {
				t.Fatal(err)
			}
			names = append(names, a.Name)
		}
		errs := make([]error, len(names))
		together(len(names), func(i int) {
			_, errs[i] = s.InsertPlan(ctx, lifecycle.Plan{ID: id, Action: names[i], Version: 1})
			if errors.Is(errs[i], lifecycle.ErrAlreadyExists) {
				_, err := s.GetPlan(ctx, id)
				check(t, err)
			}
		})
		won := 0
		for i, err := range errs {
			switch {
			case err == nil:
				won++
			case !errors.Is(err, lifecycle.ErrAlreadyExists) && (i == 2 || !errors.Is(err, lifecycle.ErrArchived)):
				t.Fatalf("plan %d: got %v", i, err)
			}
		}
		if won != 1 {
			t.Fatalf("got %d plans of one identifier, want 1: %v", won, errs)
		}
	}
}
