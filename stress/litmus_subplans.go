package stress

import (
	"context"
	"errors"
	"slices"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/subplans"
	"github.com/jacquard-go/jacquard/races"
)

// twoRunners runs the subplans of two plans at once. The subplans of both have the same names.
func twoRunners(t races.T, s *lifecycle.Service, planID string) (string, error) {
	other, err := s.UseAction(t.Context(), planAction, lifecycle.UseOptions{})
	if err != nil {
		return "", err
	}
	var a, b string
	var errA, errB error
	both(t, func() { a, errA = runParts(t.Context(), s, planID) }, func() { b, errB = runParts(t.Context(), s, other.ID) })
	return max(a, b), errors.Join(errA, errB)
}

// runParts runs two subplans in parallel and returns how they were merged. The greater result is the worse.
func runParts(ctx context.Context, s *lifecycle.Service, parent string) (string, error) {
	names := []string{"warp", "weft"}
	var merged []string
	foreign := false
	_, err := subplans.Run(ctx, subplans.Config{
		Service: s, Parent: lifecycle.Claim{PlanID: parent}, Holder: parent, Mode: subplans.Parallel, MaxParallel: len(names),
		Work: func(ctx context.Context, task subplans.Task) error {
			if _, err := task.Changes.StartChangeset(ctx); err != nil {
				return err
			}
			_, err := task.Changes.RecordChange(ctx, lifecycle.Entry{Operation: lifecycle.OperationModify, Path: task.Name})
			return err
		},
		Merge: func(_ context.Context, p lifecycle.Plan, c lifecycle.Change) error {
			merged = append(merged, c.Entry.Path)
			foreign = foreign || p.ParentID != parent
			return nil
		},
	}, []subplans.Subplan{{Name: names[0], Action: planAction}, {Name: names[1], Action: planAction}})
	switch {
	case foreign || errors.Is(err, lifecycle.ErrClaimed) || errors.Is(err, lifecycle.ErrFinished):
		return "merged the other's", nil
	case err == nil && !slices.Equal(merged, names):
		return "merged out of order", nil
	}
	return "merged in order", err
}
