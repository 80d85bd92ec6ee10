package guest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// plan is what a request wants to be tried, in order. Where it does not say, and
// the searches come to their end early, sampling goes on, with what gets on by many schedules.
func plan(q *protocol.Request) (stages []schedule.Stage, err error) {
	if len(q.Plan) == 0 {
		return append(directed(q), schedule.Stage{Strategy: strategy.Guided(), Schedules: max(q.Schedules, 1)}), nil
	}
	for _, s := range q.Plan {
		i := slices.IndexFunc(strategy.All(), func(make func() schedule.Strategy) bool { return make().Name() == s.Strategy })
		if i < 0 {
			return nil, fmt.Errorf("strategy: got %q, want one of %s", s.Strategy, strings.Join(protocol.Strategies(), ", "))
		}
		stages = append(stages, schedule.Stage{Strategy: strategy.All()[i](), Schedules: s.Schedules})
	}
	return stages, nil
}

// directed is the explorer's own plan, directed at where the failure is that is sought.
func directed(q *protocol.Request) []schedule.Stage {
	stages := strategy.DefaultPlan()
	if q.Seek == nil {
		return stages
	}
	for i := range stages {
		if s := &stages[i]; s.Strategy.Name() == strategy.Directed().Name() {
			s.Strategy = strategy.DirectedAt(slices.Concat(q.Seek.Lines, q.Seek.Functions))
		}
	}
	return stages
}
