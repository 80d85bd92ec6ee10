package guest

import (
	"fmt"
	"strings"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// strategies are those that a request can name.
var strategies = map[string]func() explore.Strategy{
	"random": explore.RandomWalk,
	"pos":    explore.POS,
	"surw":   explore.SURW,
	"pct":    func() explore.Strategy { return explore.PCT(0) },
	"dfs":    func() explore.Strategy { return explore.DepthFirst(2) },
	"dpor":   explore.DPOR,
}

// plan is what a request wants to be tried, in order. Where it does not say, and
// the searches come to their end early, sampling goes on.
func plan(q *protocol.Request) (stages []explore.Stage, err error) {
	if len(q.Plan) == 0 {
		return append(explore.DefaultPlan(), explore.Stage{Strategy: explore.POS(), Schedules: max(q.Schedules, 1)}), nil
	}
	for _, s := range q.Plan {
		strategy, ok := strategies[s.Strategy]
		if !ok {
			return nil, fmt.Errorf("strategy: got %q, want one of %s", s.Strategy, strings.Join(protocol.Strategies(), ", "))
		}
		stages = append(stages, explore.Stage{Strategy: strategy(), Schedules: s.Schedules})
	}
	return stages, nil
}
