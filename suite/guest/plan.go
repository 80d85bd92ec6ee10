package guest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// plan returns the stages that a request asks for, in order. Without a plan, guided sampling fills
// the remaining schedules if the searches end early.
func plan(q *protocol.Request) (stages []schedule.Stage, err error) {
	if len(q.Plan) == 0 {
		return append(portfolio(q), schedule.Stage{Strategy: strategy.Guided(), Schedules: max(q.Schedules, 1)}), nil
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

// further returns the plan with a last stage: a search that is near its end goes on beyond the
// schedules that the request allows.
func further(q *protocol.Request) ([]schedule.Stage, error) {
	stages, err := plan(q)
	if i := slices.IndexFunc(stages, func(s schedule.Stage) bool { return s.Near }); i >= 0 && q.Further > 0 {
		stages = append(stages, schedule.Stage{Strategy: stages[i].Strategy, Schedules: q.Further, Near: true, Beyond: true})
	}
	return stages, err
}

// portfolio returns the explorer's default plan, or one aimed at the failure that is sought.
func portfolio(q *protocol.Request) []schedule.Stage {
	if q.Seek == nil {
		return strategy.DefaultPlan()
	}
	return strategy.AimedPlan(strategy.Aim{
		Targets: targets(q.Seek), Waiting: q.Seek.Kind == string(engine.KindDeadlock), Racing: q.Seek.Kind == string(engine.KindRace),
	})
}

// targets returns the places of a failure: its stacks, or else the lines and functions.
func targets(s *protocol.Sought) (all []string) {
	for _, stack := range s.Stacks {
		all = append(all, strings.Join(stack, "\n"))
	}
	if len(all) > 0 {
		return all
	}
	return slices.Concat(s.Lines, s.Functions)
}
