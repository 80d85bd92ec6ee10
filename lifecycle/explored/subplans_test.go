package explored_test

import (
	"context"
	"slices"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/subplans"
)

// The subplans of two plans have the same names. Each plan merges its own, in the order in which they were given and not in which they
// end.
func TestSubplansAreMergedInOrder(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	t.Run("memory", func(t *testing.T) {
		explore.Test(t, effort{schedules: 240}.config(), func(t *explore.T) {
			s, first := claimable(t, lifecycle.Config{})
			second, err := s.UseAction(context.Background(), "weave", lifecycle.UseOptions{})
			if err != nil {
				t.Inconclusive("set-up: %v", err)
			}
			for _, parent := range []string{first, second.ID} {
				t.Go("runner of "+parent, func() { mergeInOrder(t, s, parent) })
			}
			t.Wait()
			if err := s.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		})
	})
}

// mergeInOrder runs two subplans of a plan. Each makes a change.
func mergeInOrder(t *explore.T, s *lifecycle.Service, parent string) {
	var merged []string
	_, err := subplans.Run(context.Background(), subplans.Config{
		Service: s, Parent: lifecycle.Claim{PlanID: parent}, Mode: subplans.Parallel,
		Work: func(ctx context.Context, task subplans.Task) error {
			if _, err := task.Changes.StartChangeset(ctx); err != nil {
				return err
			}
			_, err := task.Changes.RecordChange(ctx, lifecycle.Entry{Operation: lifecycle.OperationModify, Path: task.Plan.ParentID + "/" + task.Name})
			return err
		},
		Merge: func(_ context.Context, _ lifecycle.Plan, change lifecycle.Change) error {
			merged = append(merged, change.Entry.Path)
			return nil
		},
	}, []subplans.Subplan{{Name: "warp", Action: "weave"}, {Name: "weft", Action: "weave"}})
	if want := []string{parent + "/warp", parent + "/weft"}; err != nil || !slices.Equal(merged, want) {
		t.Errorf("got %q merged, %v, want %q", merged, err, want)
	}
}
