package stress

import (
	"errors"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// applierWorkloads returns R7's: twice as many goroutines, half of them through each service, contend for every transition of a plan.
func applierWorkloads() []Workload {
	return onBothStores("movers of one plan", newApplierSite)
}

type applierSite struct {
	*ground
	won int // transitions
}

func newApplierSite(t *tally, g *ground) (site, error) {
	_, err := g.of(0).CreateAction(t.ctx, actionSpec(planAction, "what the plans are made from"))
	return &applierSite{ground: g}, err
}

// round leads a plan through its life. For each transition exactly one goroutine wins, and the others are told the state
// that they lost to. In one round of two the requests state the version that they are based on.
func (s *applierSite) round(t *tally) {
	plan, err := s.of(0).UseAction(t.ctx, planAction, lifecycle.UseOptions{})
	if !t.done("use the action", err) {
		return
	}
	told := t.rng.IntN(2) == 0
	for _, command := range life() {
		to, err := lifecycle.Guard(command, plan.Position())
		if !t.done("guard", err) {
			return
		}
		request := lifecycle.Request{PlanID: plan.ID, Command: command}
		if told {
			request.IfVersion = plan.Version
		}
		s.contend(t, request, to)
		if plan, err = s.of(1).GetPlan(t.ctx, plan.ID); err != nil || plan.Position() != to {
			t.failf("after %s the plan is at %s (%v), want %s", command, plan.Position(), err, to)
			return
		}
	}
	t.sum("versions of the plans at their end", int(plan.Version), 1+len(life()))
}

// contend lets all goroutines request one transition.
func (s *applierSite) contend(t *tally, request lifecycle.Request, to lifecycle.Position) {
	won := make([]int, 2*t.size)
	t.together(len(won), func(i int, m *member) {
		_, err := s.of(i).Transition(t.ctx, request)
		if m.did(err, func(err error) bool { return lostTo(err) == to }) {
			won[i]++
		}
	})
	t.sum("transitions that were won", total(won), 1)
	s.won += total(won)
}

func (s *applierSite) settle(t *tally) {
	all, err := s.of(1).ListPlans(t.ctx)
	t.done("list the plans", err)
	moves := 0
	for _, p := range all {
		moves += int(p.Version) - 1
	}
	t.sum("transitions in the store", moves, s.won)
}

// lostTo returns the position that a refusal names.
func lostTo(err error) lifecycle.Position {
	var conflict *lifecycle.ConflictError
	var invalid *lifecycle.InvalidTransitionError
	var early *lifecycle.NotReadyError
	switch {
	case errors.As(err, &conflict):
		return conflict.Current
	case errors.As(err, &invalid):
		return invalid.Current
	case errors.As(err, &early):
		return early.Current
	}
	return lifecycle.Position{}
}
