package reported_test

import (
	"context"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/reported"
	"github.com/jacquard-go/jacquard/lifecycle/reported/asreported"
	"github.com/jacquard-go/jacquard/lifecycle/reported/assuggested"
)

// What the two variants share, checked by the compiler: a suggested fix changes no signature.
type (
	service interface {
		CreateAction(lifecycle.ActionSpec) (*lifecycle.Action, error)
		GetAction(name string) (*lifecycle.Action, error)
		UseAction(name string) (*lifecycle.Plan, error)
		GetPlan(id string) (*lifecycle.Plan, error)
		ListPlans() []*lifecycle.Plan
		StartStrategize(id string) (*lifecycle.Plan, error)
	}
	executionContext interface {
		StartChangeset() string
		RecordChange(lifecycle.Entry) error
		FinishChangeset(id string) error
	}
	persistedService interface {
		GetPlan(ctx context.Context, id string) (*lifecycle.Plan, error)
		ListPlans(ctx context.Context) ([]*lifecycle.Plan, error)
		StartStrategize(ctx context.Context, id string) (*lifecycle.Plan, error)
		CompleteStrategize(ctx context.Context, id string) (*lifecycle.Plan, error)
		ApplyPlan(ctx context.Context, id string) (*lifecycle.Plan, error)
		Execute(ctx context.Context, id string, work func() error) (*lifecycle.Plan, error)
		Resume(ctx context.Context, id string) (*lifecycle.Plan, error)
	}
	unitOfWork interface {
		EnsureMigrated(ctx context.Context) error
		CountPlans(ctx context.Context) (int, error)
	}
)

// A variant makes the specimens of one column.
type variant struct {
	name      string
	engines   func(create func(string) (*reported.Engine, error)) (open, migrate func(context.Context) (*reported.Engine, error))
	service   func(newID func() string) service
	execution func(planID string, store *reported.ChangesetStore) executionContext
	persisted func(*reported.PlanTable) persistedService
	work      func(create func(string) (*reported.Engine, error), n int) ([]unitOfWork, error) // n units of work on one engine
}

func variants() []variant {
	return []variant{{
		name: "as reported",
		engines: func(create func(string) (*reported.Engine, error)) (open, migrate func(context.Context) (*reported.Engine, error)) {
			cache := asreported.NewEngineCache(create)
			return func(context.Context) (*reported.Engine, error) {
				work, err := asreported.NewUnitOfWork(cache, url)
				if err != nil {
					return nil, err
				}
				return work.Engine(), nil
			}, asreported.NewMigrationRunner(cache, url).Run
		},
		service: func(newID func() string) service { return asreported.NewPlanLifecycleService(newID) },
		execution: func(planID string, store *reported.ChangesetStore) executionContext {
			return asreported.NewPlanExecutionContext(planID, store)
		},
		persisted: func(table *reported.PlanTable) persistedService { return asreported.NewPersistedService(table) },
		work: func(create func(string) (*reported.Engine, error), n int) ([]unitOfWork, error) {
			cache := asreported.NewEngineCache(create)
			return several(n, func() (unitOfWork, error) { return asreported.NewUnitOfWork(cache, url) })
		},
	}, {
		name: "as suggested",
		engines: func(create func(string) (*reported.Engine, error)) (open, migrate func(context.Context) (*reported.Engine, error)) {
			cache := assuggested.NewEngineCache(create)
			return func(context.Context) (*reported.Engine, error) {
				work, err := assuggested.NewUnitOfWork(cache, url)
				if err != nil {
					return nil, err
				}
				return work.Engine(), nil
			}, assuggested.NewMigrationRunner(cache, url).Run
		},
		service: func(newID func() string) service { return assuggested.NewPlanLifecycleService(newID) },
		execution: func(planID string, store *reported.ChangesetStore) executionContext {
			return assuggested.NewPlanExecutionContext(planID, store)
		},
		persisted: func(table *reported.PlanTable) persistedService { return assuggested.NewPersistedService(table) },
		work: func(create func(string) (*reported.Engine, error), n int) ([]unitOfWork, error) {
			cache := assuggested.NewEngineCache(create)
			return several(n, func() (unitOfWork, error) { return assuggested.NewUnitOfWork(cache, url) })
		},
	}}
}

func several(n int, open func() (unitOfWork, error)) ([]unitOfWork, error) {
	all := make([]unitOfWork, n)
	for i := range all {
		var err error
		if all[i], err = open(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// eachVariant runs f once for each column, one after the other.
func eachVariant(t *testing.T, f func(*testing.T, variant)) {
	for _, v := range variants() {
		t.Run(v.name, func(t *testing.T) { f(t, v) })
	}
}
