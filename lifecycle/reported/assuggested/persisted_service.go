package assuggested

import (
	"cmp"
	"context"
	"slices"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/reported"
)

// PersistedService is the service of #7424, plan_lifecycle_service.py with a database: the table is what lasts, and the dictionary
// is a cache of it. In the original it is the same class as PlanLifecycleService; here it is a type of its own, so
// that each report's patch can be seen by itself. One instance is for one goroutine at a time, as the report is about several
// instances, each with its own cache.
type PersistedService struct {
	table *reported.PlanTable
	plans map[string]*lifecycle.Plan
}

// NewPersistedService returns a service over table with an empty cache. It does not close the table.
func NewPersistedService(table *reported.PlanTable) *PersistedService {
	return &PersistedService{table: table, plans: make(map[string]*lifecycle.Plan)}
}

// GetPlan returns the plan with that identifier, as it is in the table, and refreshes the cache.
func (s *PersistedService) GetPlan(ctx context.Context, id string) (*lifecycle.Plan, error) {
	persisted, err := s.table.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	s.plans[id] = persisted
	return persisted, nil
}

// ListPlans returns all plans, ordered by identifier. It reads the table to learn of those that are not in the cache yet, and
// returns what the cache holds.
func (s *PersistedService) ListPlans(ctx context.Context) ([]*lifecycle.Plan, error) {
	persisted, err := s.table.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, plan := range persisted {
		if _, ok := s.plans[plan.ID]; !ok {
			s.plans[plan.ID] = plan
		}
	}
	plans := make([]*lifecycle.Plan, 0, len(s.plans))
	for _, plan := range s.plans {
		plans = append(plans, plan)
	}
	slices.SortFunc(plans, func(a, b *lifecycle.Plan) int { return cmp.Compare(a.ID, b.ID) })
	return plans, nil
}

// StartStrategize takes a plan from strategize/queued to strategize/processing.
func (s *PersistedService) StartStrategize(ctx context.Context, id string) (*lifecycle.Plan, error) {
	return s.move(ctx, id, lifecycle.CommandStartStrategize)
}

// CompleteStrategize takes a plan from strategize/processing to strategize/complete.
func (s *PersistedService) CompleteStrategize(ctx context.Context, id string) (*lifecycle.Plan, error) {
	return s.move(ctx, id, lifecycle.CommandCompleteStrategize)
}

// ApplyPlan takes a plan from execute/complete to apply/queued.
func (s *PersistedService) ApplyPlan(ctx context.Context, id string) (*lifecycle.Plan, error) {
	return s.move(ctx, id, lifecycle.CommandApplyPlan)
}

// Execute does the work of a plan that is queued for its execution, and then says what came of it: the plan goes to execute/complete,
// or to execute/errored if work fails (#7989, #3995). The error is the guard's, or the table's; that of work is the plan's.
func (s *PersistedService) Execute(ctx context.Context, id string, work func() error) (*lifecycle.Plan, error) {
	plan, err := s.GetPlan(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := reported.Check(plan, lifecycle.CommandStartExecute); err != nil {
		return nil, err
	}
	end := lifecycle.CommandCompleteExecute
	if work() != nil {
		end = lifecycle.CommandFailExecute
	}
	for _, command := range []lifecycle.Command{lifecycle.CommandStartExecute, end} {
		if err := reported.Move(plan, command); err != nil {
			return nil, err
		}
	}
	return plan, s.table.Update(ctx, plan)
}

// Resume queues the work of an errored plan again.
func (s *PersistedService) Resume(ctx context.Context, id string) (*lifecycle.Plan, error) {
	return s.move(ctx, id, lifecycle.CommandResume)
}

// move gets the plan, checks whether it may go where command leads it, changes the object and commits it.
func (s *PersistedService) move(ctx context.Context, id string, command lifecycle.Command) (*lifecycle.Plan, error) {
	plan, err := s.GetPlan(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := reported.Move(plan, command); err != nil {
		return nil, err
	}
	return plan, s.table.Update(ctx, plan)
}
