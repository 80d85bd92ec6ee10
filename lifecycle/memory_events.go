package lifecycle

import "github.com/jacquard-go/jacquard/lifecycle/internal/events"

// What there is to tell of a plan is in the value that a change puts in its place, so
// it is there in that step.

// event returns that a plan is as it is, behind what there was to tell of it before.
func (s *memoryStore) event(before *events.Node, p *Plan) *events.Node {
	return events.NewNode(PlanEvent{
		PlanID: p.ID, Version: p.Version, Position: p.Position(), Archived: p.Archived, At: s.clock.Now(),
	}, before)
}

// succession returns that a plan has taken the place of another one, and first where it
// was in between.
func (s *memoryStore) succession(was planState, is *Plan) *events.Node {
	told := was.told
	if at, ok := events.Between(was.plan, is); ok {
		between := Plan{ID: is.ID, Version: is.Version - 1, Phase: at.Phase, State: at.State, Archived: was.plan.Archived}
		told = s.event(told, &between)
	}
	return s.event(told, is)
}

// deletion returns that a plan was deleted.
func (s *memoryStore) deletion(was planState) *events.Node {
	return events.NewNode(PlanEvent{
		PlanID: was.plan.ID, Version: was.plan.Version + 1, Position: was.plan.Position(), Archived: was.plan.Archived,
		Deleted: true, At: s.clock.Now(),
	}, was.told)
}

func (s *memoryStore) events() events.Store { return &s.log }
