package races

import (
	"context"
	"maps"
	"slices"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/reported/asreported"
)

// This file adapts the specimens of subplans to N6 and N9.

type specimenFailures struct {
	plan      *lifecycle.Plan
	execution *asreported.SubplanExecution
}

func reportedFailures(T) (Failures, error) {
	plan := &lifecycle.Plan{ID: newID()}
	return specimenFailures{plan, asreported.NewSubplanExecution(plan, 2)}, nil
}

func (s specimenFailures) Fail(_ context.Context, part string) error {
	s.execution.Fail(part, "it has failed")
	return nil
}

func (s specimenFailures) Failed(context.Context) ([]string, error) {
	return slices.Sorted(maps.Keys(s.plan.ErrorDetails)), nil
}

func (s specimenFailures) Close() error { return nil }

// partNames returns the subplans of N9, in the order in which they are started.
func partNames() []string { return []string{"torn", "slow", "never"} }

type specimenParts struct{ execution *asreported.SubplanExecution }

func reportedParts(T) (Parts, error) {
	return specimenParts{asreported.NewSubplanExecution(&lifecycle.Plan{ID: newID()}, 2)}, nil
}

func (s specimenParts) Run(ctx context.Context, work func(ctx context.Context, name string) error) ([]Part, error) {
	var parts []Part
	for _, status := range s.execution.FailFast(ctx, partNames(), work) {
		p := Part{Name: status.ID, State: partFailed, Merged: status.Merged}
		if status.Complete {
			p.State = partComplete
		}
		parts = append(parts, p)
	}
	return parts, nil
}

func (s specimenParts) Close() error { return nil }
