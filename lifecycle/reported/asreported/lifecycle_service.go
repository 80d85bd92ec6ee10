package asreported

import (
	"cmp"
	"slices"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/reported"
)

// PlanLifecycleService is the service of #1281 without a database (plan_lifecycle_service.py lines 213-214): its actions and plans
// are in two dictionaries, which hold the objects that its methods return.
type PlanLifecycleService struct {
	newID   func() string
	actions map[lifecycle.Name]*lifecycle.Action
	plans   map[string]*lifecycle.Plan
}

// NewPlanLifecycleService returns a service without actions and plans, which takes the identifiers of its plans from newID.
func NewPlanLifecycleService(newID func() string) *PlanLifecycleService {
	return &PlanLifecycleService{
		newID:   newID,
		actions: make(map[lifecycle.Name]*lifecycle.Action),
		plans:   make(map[string]*lifecycle.Plan),
	}
}

// CreateAction looks the name up and, if it is free, stores an action under it.
func (s *PlanLifecycleService) CreateAction(spec lifecycle.ActionSpec) (*lifecycle.Action, error) {
	action, err := reported.NewAction(spec)
	if err != nil {
		return nil, err
	}
	_, taken := s.actions[action.Name]
	if taken {
		return nil, &lifecycle.AlreadyExistsError{Kind: lifecycle.KindAction, ID: action.Name.String()}
	}
	s.actions[action.Name] = action
	return action, nil
}

// GetAction returns the action of that name.
func (s *PlanLifecycleService) GetAction(name string) (*lifecycle.Action, error) {
	normalised, err := lifecycle.ParseName(name)
	if err != nil {
		return nil, err
	}
	action, ok := s.actions[normalised]
	if !ok {
		return nil, &lifecycle.NotFoundError{Kind: lifecycle.KindAction, ID: normalised.String()}
	}
	return action, nil
}

// UseAction makes a plan from the action of that name and stores it.
func (s *PlanLifecycleService) UseAction(name string) (*lifecycle.Plan, error) {
	action, err := s.GetAction(name)
	if err != nil {
		return nil, err
	}
	plan := reported.NewPlan(s.newID(), action)
	s.plans[plan.ID] = plan
	return plan, nil
}

// GetPlan returns the plan with that identifier.
func (s *PlanLifecycleService) GetPlan(id string) (*lifecycle.Plan, error) {
	plan, ok := s.plans[id]
	if !ok {
		return nil, &lifecycle.NotFoundError{Kind: lifecycle.KindPlan, ID: id}
	}
	return plan, nil
}

// ListPlans returns all plans, ordered by identifier.
func (s *PlanLifecycleService) ListPlans() []*lifecycle.Plan {
	plans := make([]*lifecycle.Plan, len(s.plans))
	i := 0
	for _, plan := range s.plans {
		plans[i] = plan
		i++
	}
	slices.SortFunc(plans, func(a, b *lifecycle.Plan) int { return cmp.Compare(a.ID, b.ID) })
	return plans
}

// StartStrategize takes a plan from strategize/queued to strategize/processing. It changes the object that the dictionary holds,
// and so what everyone sees who has it from GetPlan or ListPlans.
func (s *PlanLifecycleService) StartStrategize(id string) (*lifecycle.Plan, error) {
	plan, err := s.GetPlan(id)
	if err != nil {
		return nil, err
	}
	return plan, reported.Move(plan, lifecycle.CommandStartStrategize)
}
