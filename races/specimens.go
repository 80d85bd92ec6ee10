package races

import (
	"context"
	"errors"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/reported"
)

// This file adapts the specimens to the races' interfaces, both variants at once, because they have the same methods.
// Their constructors, which differ, are in subject_reported.go and subject_suggested.go.
//
// The specimens' databases get a context that cannot be cancelled, because SQLite's driver would start a goroutine for
// each statement to watch one that can.

// specimenEngines is a specimen of #3950.
type specimenEngines struct {
	factory *reported.EngineFactory
	open    func() (*reported.Engine, error) // for a unit of work
	migrate func() (*reported.Engine, error) // for the first half of a migration
}

func (s specimenEngines) ForUnitOfWork(context.Context) (Engine, error) { return fitEngine(s.open()) }
func (s specimenEngines) ForMigrations(context.Context) (Engine, error) {
	return fitEngine(s.migrate())
}

func (s specimenEngines) Created() int { return s.factory.Created() }
func (s specimenEngines) Close() error { return s.factory.Close() }

func fitEngine(e *reported.Engine, err error) (Engine, error) {
	if err != nil {
		return nil, err
	}
	return specimenEngine{e}, nil
}

type specimenEngine struct{ *reported.Engine }

func (e specimenEngine) Migrate(ctx context.Context) error {
	return e.Engine.Upgrade(context.WithoutCancel(ctx))
}

func (e specimenEngine) CountPlans(ctx context.Context) (int, error) {
	return e.Engine.CountPlans(context.WithoutCancel(ctx))
}

// memoryService is the interface that the specimens of #1281 share.
type memoryService interface {
	CreateAction(spec lifecycle.ActionSpec) (*lifecycle.Action, error)
	GetAction(name string) (*lifecycle.Action, error)
	UseAction(name string) (*lifecycle.Plan, error)
	GetPlan(id string) (*lifecycle.Plan, error)
	ListPlans() []*lifecycle.Plan
}

type specimenActions struct{ service memoryService }

func (s specimenActions) Create(_ context.Context, spec lifecycle.ActionSpec) error {
	_, err := s.service.CreateAction(spec)
	return err
}

func (s specimenActions) Description(_ context.Context, name string) (string, error) {
	action, err := s.service.GetAction(name)
	if err != nil {
		return "", err
	}
	return action.Description, nil
}

func (s specimenActions) Close() error { return nil }

// planAction is the action from which R3's plans are made.
const planAction = "local/review"

type specimenPlans struct {
	service memoryService
	first   string
}

func newSpecimenPlans(service memoryService) (Plans, error) {
	s := specimenPlans{service: service}
	if _, err := service.CreateAction(actionSpec(planAction, "what the plans are made from")); err != nil {
		return nil, err
	}
	first, err := service.UseAction(planAction)
	if err != nil {
		return nil, err
	}
	s.first = first.ID
	return s, nil
}

func (s specimenPlans) First() string { return s.first }

func (s specimenPlans) Use(context.Context) (string, error) {
	plan, err := s.service.UseAction(planAction)
	if err != nil {
		return "", err
	}
	return plan.ID, nil
}

func (s specimenPlans) Get(_ context.Context, id string) error {
	plan, err := s.service.GetPlan(id)
	if err == nil && plan.ID != id {
		return errors.New("the plan under this identifier is " + plan.ID)
	}
	return err
}

func (s specimenPlans) List(context.Context) ([]string, error) {
	var ids []string
	for _, plan := range s.service.ListPlans() {
		ids = append(ids, plan.ID)
	}
	return ids, nil
}

func (s specimenPlans) Close() error { return nil }

// executionContext is the interface that the specimens of #7120 share.
type executionContext interface {
	StartChangeset() string
	RecordChange(lifecycle.Entry) error
	FinishChangeset(id string) error
}

type specimenChangesets struct {
	planID  string
	store   *reported.ChangesetStore
	context executionContext
	first   string
}

func newSpecimenChangesets(make func(planID string, store *reported.ChangesetStore) executionContext) Changesets {
	s := specimenChangesets{planID: newID(), store: reported.NewChangesetStore(newID)}
	s.context = make(s.planID, s.store)
	s.first = s.context.StartChangeset()
	return s
}

func (s specimenChangesets) First() string { return s.first }

func (s specimenChangesets) Start(context.Context) (string, error) {
	return s.context.StartChangeset(), nil
}

func (s specimenChangesets) Record(_ context.Context, path string) error {
	return s.context.RecordChange(lifecycle.Entry{Operation: lifecycle.OperationModify, Path: path})
}

func (s specimenChangesets) Finish(_ context.Context, id string) error {
	return s.context.FinishChangeset(id)
}

func (s specimenChangesets) List(context.Context) ([]lifecycle.Changeset, error) {
	return s.store.List(s.planID), nil
}

func (s specimenChangesets) Close() error { return nil }
