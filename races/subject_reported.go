package races

import (
	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/reported"
	"github.com/jacquard-go/jacquard/lifecycle/reported/asreported"
)

func reportedEngines(T) (Engines, error) {
	factory := new(reported.EngineFactory)
	cache := asreported.NewEngineCache(factory.Create)
	return specimenEngines{
		factory: factory,
		open: func() (*reported.Engine, error) {
			work, err := asreported.NewUnitOfWork(cache, memoryURL)
			if err != nil {
				return nil, err
			}
			return work.Engine(), nil
		},
		migrate: asreported.NewMigrationRunner(cache, memoryURL).Engine,
	}, nil
}

func reportedActions(T) (Actions, error) {
	return specimenActions{asreported.NewPlanLifecycleService(newID)}, nil
}

func reportedPlans(T) (Plans, error) {
	return newSpecimenPlans(asreported.NewPlanLifecycleService(newID))
}

func reportedChangesets(T) (Changesets, error) {
	return newSpecimenChangesets(func(planID string, store *reported.ChangesetStore) executionContext {
		return asreported.NewPlanExecutionContext(planID, store)
	}), nil
}

func reportedShared(start lifecycle.Position) func(T) (Shared, error) {
	return newSpecimenShared(start, reportedService)
}

func reportedMigrations(T) (Migrations, error) {
	factory := new(reported.EngineFactory)
	cache := asreported.NewEngineCache(factory.Create)
	return newSpecimenMigrations(factory, func() (unitOfWork, error) { return asreported.NewUnitOfWork(cache, memoryURL) })
}

func reportedRefused(t T) (Refused, error) { return newSpecimenRefused(t, reportedService) }

func reportedWorkers(t T) (Workers, error) { return newSpecimenWorkers(t, reportedService) }

func reportedService(table *reported.PlanTable) persistedService {
	return asreported.NewPersistedService(table)
}

func reportedLeases(t T) (Leases, error) { return newSpecimenLeases(t, reportedService) }
