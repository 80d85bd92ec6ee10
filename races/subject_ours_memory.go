package races

import (
	"context"
	"errors"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// openMemory opens a service without a database.
func openMemory(t T) (*lifecycle.Service, error) {
	return lifecycle.Open(t.Context(), lifecycle.Config{Entropy: runtimeEntropy{}})
}

type ourActionsSubject struct{ *lifecycle.Service }

func ourActions(t T) (Actions, error) {
	service, err := openMemory(t)
	if err != nil {
		return nil, err
	}
	return ourActionsSubject{service}, nil
}

func (s ourActionsSubject) Create(ctx context.Context, spec lifecycle.ActionSpec) error {
	_, err := s.CreateAction(ctx, spec)
	return err
}

func (s ourActionsSubject) Description(ctx context.Context, name string) (string, error) {
	action, err := s.GetAction(ctx, name)
	return action.Description, err
}

// firstPlan creates an action and makes a plan from it.
func firstPlan(ctx context.Context, service *lifecycle.Service) (string, error) {
	if _, err := service.CreateAction(ctx, actionSpec(planAction, "what the plans are made from")); err != nil {
		return "", err
	}
	plan, err := service.UseAction(ctx, planAction, lifecycle.UseOptions{})
	return plan.ID, err
}

type ourPlansSubject struct {
	*lifecycle.Service
	first string
}

func ourPlans(t T) (Plans, error) {
	service, err := openMemory(t)
	if err != nil {
		return nil, err
	}
	first, err := firstPlan(t.Context(), service)
	if err != nil {
		return nil, errors.Join(err, service.Close())
	}
	return ourPlansSubject{service, first}, nil
}

func (s ourPlansSubject) First() string { return s.first }

func (s ourPlansSubject) Use(ctx context.Context) (string, error) {
	plan, err := s.UseAction(ctx, planAction, lifecycle.UseOptions{})
	return plan.ID, err
}

func (s ourPlansSubject) Get(ctx context.Context, id string) error {
	plan, err := s.GetPlan(ctx, id)
	if err == nil && plan.ID != id {
		return errors.New("the plan under this identifier is " + plan.ID)
	}
	return err
}

func (s ourPlansSubject) List(ctx context.Context) ([]string, error) {
	plans, err := s.ListPlans(ctx)
	var ids []string
	for _, plan := range plans {
		ids = append(ids, plan.ID)
	}
	return ids, err
}

type ourChangesetsSubject struct {
	*lifecycle.Service
	context *lifecycle.ExecutionContext
	first   string
}

func ourChangesets(t T) (Changesets, error) {
	service, err := openMemory(t)
	if err != nil {
		return nil, err
	}
	s := ourChangesetsSubject{Service: service}
	plan, err := firstPlan(t.Context(), service)
	if err == nil {
		s.context = service.ExecutionContext(plan)
		s.first, err = s.context.StartChangeset(t.Context())
	}
	if err != nil {
		return nil, errors.Join(err, service.Close())
	}
	return s, nil
}

func (s ourChangesetsSubject) First() string { return s.first }

func (s ourChangesetsSubject) Start(ctx context.Context) (string, error) {
	return s.context.StartChangeset(ctx)
}

func (s ourChangesetsSubject) Record(ctx context.Context, path string) error {
	_, err := s.context.RecordChange(ctx, lifecycle.Entry{Operation: lifecycle.OperationModify, Path: path})
	return err
}

func (s ourChangesetsSubject) Finish(ctx context.Context, id string) error {
	return s.context.FinishChangeset(ctx, id)
}

func (s ourChangesetsSubject) List(ctx context.Context) ([]lifecycle.Changeset, error) {
	return s.context.Changesets(ctx)
}
