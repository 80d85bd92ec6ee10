package lifecycle

import "github.com/jacquard-go/jacquard/lifecycle/internal/events"

// The events of a plan hang on the value that a change stores, so they become visible in the same
// step.

// event returns a node for the plan's present state, after the plan's earlier node.
func (s *memoryStore) event(before *events.Node, p *Plan) *events.Node {
	return events.NewNode(PlanEvent{
		PlanID: p.ID, Version: p.Version, Position: p.Position(), Archived: p.Archived, At: s.clock.Now(),
	}, before)
}

// succession returns the node for a change of a plan from was to is, after one for the position in
// between, if there is one.
func (s *memoryStore) succession(was planState, is *Plan) *events.Node {
	told := was.told
	if at, ok := events.Between(was.plan, is); ok {
		between := Plan{ID: is.ID, Version: is.Version - 1, Phase: at.Phase, State: at.State, Archived: was.plan.Archived}
		told = s.event(told, &between)
	}
	return s.event(told, is)
}

// deletion returns the node for the deletion of a plan.
func (s *memoryStore) deletion(was planState) *events.Node {
	return events.NewNode(PlanEvent{
		PlanID: was.plan.ID, Version: was.plan.Version + 1, Position: was.plan.Position(), Archived: was.plan.Archived,
		Deleted: true, At: s.clock.Now(),
	}, was.told)
}

func (s *memoryStore) events() events.Store { return &s.log }
