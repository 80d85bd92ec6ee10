package races

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/subplans"
)

// This file adapts package lifecycle/subplans to N6 and N9, on the store in memory.

type ourFailuresSubject struct {
	*lifecycle.Service
	planID string
}

func ourFailures(t T) (Failures, error) {
	service, err := openMemory(t)
	if err != nil {
		return nil, err
	}
	plan, err := firstPlan(t.Context(), service)
	if err != nil {
		return nil, errors.Join(err, service.Close())
	}
	return ourFailuresSubject{service, plan}, nil
}

func (s ourFailuresSubject) Fail(ctx context.Context, part string) error {
	_, err := s.AddErrorDetails(ctx, lifecycle.Note{PlanID: s.planID, Details: map[string]string{part: "it has failed"}})
	return err
}

func (s ourFailuresSubject) Failed(ctx context.Context) ([]string, error) {
	plan, err := s.GetPlan(ctx, s.planID)
	return slices.Sorted(maps.Keys(plan.ErrorDetails)), err
}

type ourPartsSubject struct {
	*lifecycle.Service
	planID string
}

func ourParts(t T) (Parts, error) {
	service, err := openMemory(t)
	if err != nil {
		return nil, err
	}
	plan, err := firstPlan(t.Context(), service)
	for _, name := range partNames() {
		if err == nil {
			err = queuePart(t.Context(), service, plan, name)
		}
	}
	if err != nil {
		return nil, errors.Join(err, service.Close())
	}
	return ourPartsSubject{service, plan}, nil
}

// queuePart makes a subplan and moves it to execute/queued, the last state before the work.
func queuePart(ctx context.Context, service *lifecycle.Service, parent, name string) error {
	p, err := service.UseAction(ctx, planAction, lifecycle.UseOptions{Name: name, ParentID: parent})
	for _, command := range []lifecycle.Command{
		lifecycle.CommandStartStrategize, lifecycle.CommandCompleteStrategize, lifecycle.CommandExecutePlan,
	} {
		if err == nil {
			p, err = service.Transition(ctx, lifecycle.Request{PlanID: p.ID, Command: command})
		}
	}
	return err
}

// Run returns no error for subplans that have failed or are cancelled, because their states say so.
func (s ourPartsSubject) Run(ctx context.Context, work func(ctx context.Context, name string) error) ([]Part, error) {
	var list []subplans.Subplan
	for _, name := range partNames() {
		list = append(list, subplans.Subplan{Name: name, Action: planAction})
	}
	results, err := subplans.Run(ctx, subplans.Config{
		Service: s.Service, Parent: lifecycle.Claim{PlanID: s.planID}, Mode: subplans.Parallel, MaxParallel: 2, FailFast: true,
		Work: func(ctx context.Context, task subplans.Task) error { return work(ctx, task.Name) },
	}, list)
	var unfinished *subplans.Error
	if errors.As(err, &unfinished) {
		err = nil
	}
	var parts []Part
	for _, r := range results {
		parts = append(parts, Part{r.Name, string(r.State), r.Merged})
	}
	return parts, err
}
