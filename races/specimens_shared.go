package races

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/reported"
)

// This file adapts the specimens that share a file to R6, R7 and N3.

// persistedService is the interface that the specimens of #7424, #7137 and #7989 share.
type persistedService interface {
	GetPlan(ctx context.Context, id string) (*lifecycle.Plan, error)
	ListPlans(ctx context.Context) ([]*lifecycle.Plan, error)
	StartStrategize(ctx context.Context, id string) (*lifecycle.Plan, error)
	CompleteStrategize(ctx context.Context, id string) (*lifecycle.Plan, error)
	ApplyPlan(ctx context.Context, id string) (*lifecycle.Plan, error)
	Execute(ctx context.Context, id string, work func() error) (*lifecycle.Plan, error)
	Resume(ctx context.Context, id string) (*lifecycle.Plan, error)
}

// specimenShared is two services over two tables on one file.
type specimenShared struct {
	tables []*reported.PlanTable
	a, b   specimenInstance
}

// newSpecimenShared makes a file that holds one plan, at position start, and opens it twice.
func newSpecimenShared(start lifecycle.Position, service newService) func(T) (Shared, error) {
	return func(t T) (Shared, error) {
		s, err := openSpecimenShared(t, start, service)
		if err != nil {
			return nil, err
		}
		return s, nil
	}
}

// newService makes one specimen of a service.
type newService func(*reported.PlanTable) persistedService

func openSpecimenShared(t T, start lifecycle.Position, service newService) (*specimenShared, error) {
	ctx := context.WithoutCancel(t.Context())
	path := filepath.Join(t.TempDir(), "plans.db")
	s := &specimenShared{}
	for range 2 {
		table, err := reported.OpenPlanTable(ctx, path)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.tables = append(s.tables, table)
	}
	plan, err := insertPlan(ctx, s.tables[0], start)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.a = specimenInstance{service(s.tables[0]), plan}
	s.b = specimenInstance{service(s.tables[1]), plan}
	return s, nil
}

// insertPlan adds a plan, at a position, and returns its identifier.
func insertPlan(ctx context.Context, table *reported.PlanTable, at lifecycle.Position) (string, error) {
	action, err := reported.NewAction(actionSpec(planAction, "what the plan is made from"))
	if err != nil {
		return "", err
	}
	plan := reported.NewPlan(newID(), action)
	plan.Phase, plan.State = at.Phase, at.State
	return plan.ID, table.Insert(ctx, plan)
}

func (s *specimenShared) A() Instance { return s.a }
func (s *specimenShared) B() Instance { return s.b }

func (s *specimenShared) Moves(ctx context.Context) (int, error) {
	return s.tables[0].CountTransitions(context.WithoutCancel(ctx), s.a.planID, applying())
}

func (s *specimenShared) Close() error {
	var errs []error
	for _, table := range s.tables {
		errs = append(errs, table.Close())
	}
	return errors.Join(errs...)
}

type specimenInstance struct {
	service persistedService
	planID  string
}

func (i specimenInstance) Position(ctx context.Context) (lifecycle.Position, error) {
	plan, err := i.service.GetPlan(context.WithoutCancel(ctx), i.planID)
	if err != nil {
		return lifecycle.Position{}, err
	}
	return plan.Position(), nil
}

// Listed returns the plan's position in a listing of all plans. #7424 is about listings as well as gets.
func (i specimenInstance) Listed(ctx context.Context) (lifecycle.Position, error) {
	plans, err := i.service.ListPlans(context.WithoutCancel(ctx))
	for _, plan := range plans {
		if plan.ID == i.planID {
			return plan.Position(), err
		}
	}
	return lifecycle.Position{}, errors.Join(errNotListed, err)
}

func (i specimenInstance) Start(ctx context.Context) error {
	_, err := i.service.StartStrategize(context.WithoutCancel(ctx), i.planID)
	return err
}

func (i specimenInstance) Apply(ctx context.Context) error {
	_, err := i.service.ApplyPlan(context.WithoutCancel(ctx), i.planID)
	return err
}

// specimenWorkers are two services over two tables on one file.
type specimenWorkers struct{ *specimenShared }

func newSpecimenWorkers(t T, service newService) (Workers, error) {
	s, err := openSpecimenShared(t, ready(), service)
	if err != nil {
		return nil, err
	}
	return specimenWorkers{s}, nil
}

func (s specimenWorkers) A() Worker { return s.a }
func (s specimenWorkers) B() Worker { return s.b }

func (i specimenInstance) Execute(ctx context.Context, work func() error) error {
	_, err := i.service.Execute(context.WithoutCancel(ctx), i.planID, work)
	return err
}

func (i specimenInstance) Resume(ctx context.Context) error {
	_, err := i.service.Resume(context.WithoutCancel(ctx), i.planID)
	return err
}
