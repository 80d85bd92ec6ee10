package races

import (
	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/reported"
	"github.com/jacquard-go/jacquard/lifecycle/reported/assuggested"
)

func suggestedEngines(T) (Engines, error) {
	factory := new(reported.EngineFactory)
	cache := assuggested.NewEngineCache(factory.Create)
	return specimenEngines{
		factory: factory,
		open: func() (*reported.Engine, error) {
			work, err := assuggested.NewUnitOfWork(cache, memoryURL)
			if err != nil {
				return nil, err
			}
			return work.Engine(), nil
		},
		migrate: assuggested.NewMigrationRunner(cache, memoryURL).Engine,
	}, nil
}

func suggestedActions(T) (Actions, error) {
	return specimenActions{assuggested.NewPlanLifecycleService(newID)}, nil
}

func suggestedPlans(T) (Plans, error) {
	return newSpecimenPlans(assuggested.NewPlanLifecycleService(newID))
}

func suggestedChangesets(T) (Changesets, error) {
	return newSpecimenChangesets(func(planID string, store *reported.ChangesetStore) executionContext {
		return assuggested.NewPlanExecutionContext(planID, store)
	}), nil
}

func suggestedShared(start lifecycle.Position) func(T) (Shared, error) {
	return newSpecimenShared(start, suggestedService)
}

func suggestedMigrations(T) (Migrations, error) {
	factory := new(reported.EngineFactory)
	cache := assuggested.NewEngineCache(factory.Create)
	return newSpecimenMigrations(factory, func() (unitOfWork, error) { return assuggested.NewUnitOfWork(cache, memoryURL) })
}

func suggestedRefused(t T) (Refused, error) { return newSpecimenRefused(t, suggestedService) }

func suggestedWorkers(t T) (Workers, error) { return newSpecimenWorkers(t, suggestedService) }

func suggestedService(table *reported.PlanTable) persistedService {
	return assuggested.NewPersistedService(table)
}

func suggestedLeases(t T) (Leases, error) { return newSpecimenLeases(t, suggestedService) }
