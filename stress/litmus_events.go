package stress

import (
	"context"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/races"
)

// eventLitmus returns the small tests of the events that followers of plans receive.
func eventLitmus() []Litmus {
	told := []Outcome{
		may("all", "each change, in order"), not("lost", "an event is missing"),
		not("invented", "a change is told that was none"), not("out of order", "of the cursors, or of a plan's versions"),
	}
	return []Litmus{
		{"two move one plan, and all is told", told, inService(toldOfOne)},
		{"two make plans, and all is told", told, inService(toldOfMakers)},
		{"two make plans in a database, and all is told", told, func(t races.T) (string, error) {
			return withEngines(t, func(ctx context.Context, e *lifecycle.Engines, _ *races.Openings) (string, error) {
				return withPlan(ctx, lifecycle.Config{URL: litmusURL, Engines: e}, func(s *lifecycle.Service, planID string) (string, error) {
					return toldOfMakers(t, s, planID)
				})
			})
		}},
	}
}

func toldOfOne(t races.T, s *lifecycle.Service, plan string) (string, error) {
	if _, err := twoMovers(t, s, plan); err != nil {
		return "", err
	}
	return told(t.Context(), s)
}

// toldOfMakers lets two goroutines make four plans each.
func toldOfMakers(t races.T, s *lifecycle.Service, _ string) (string, error) {
	make4 := func() {
		for range 4 {
			if _, err := s.UseAction(t.Context(), planAction, lifecycle.UseOptions{}); err != nil {
				t.Errorf("use: %v", err)
			}
		}
	}
	both(t, make4, make4)
	return told(t.Context(), s)
}

// told classifies the events after all changes are done.
func told(ctx context.Context, s *lifecycle.Service) (string, error) {
	plans, err := s.ListPlans(ctx)
	if err != nil {
		return "", err
	}
	last, err := s.LastEvent(ctx)
	if err != nil {
		return "", err
	}
	versions, at := make(map[string]int64), lifecycle.Cursor(0)
	for e, err := range s.Events(ctx, 0) {
		if err != nil {
			return "", err
		}
		versions[e.PlanID]++
		if at++; e.Cursor != at || e.Version > versions[e.PlanID] {
			return "out of order", nil
		}
		if e.Cursor == last {
			break
		}
	}
	for _, p := range plans {
		switch n := versions[p.ID]; {
		case n < p.Version:
			return "lost", nil
		case n > p.Version:
			return "invented", nil
		}
	}
	return "all", nil
}
