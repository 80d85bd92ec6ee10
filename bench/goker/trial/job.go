package trial

import (
	"fmt"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/timeline"
)

// A Job explores one kernel by one plan with the seeds 1, 2, 3 ….
type Job struct {
	Kernel  string // as it registers itself, such as "Etcd6708"
	Plan    Plan
	Seeds   int
	Limit   int // schedules for each seed
	Replays int // of each card; if 0, failing schedules are not minimised
}

// A Plan names the strategies of a search.
type Plan string

// The plans.
const (
	Default  Plan = "default plan" // explore.DefaultPlan, cut off at the limit
	Random   Plan = "random walk"
	Sampling Plan = "sampling" // several strategies, the same number of schedules of each
	DPOR     Plan = "dpor"     // all executions that differ by happens-before
)

// stages returns the stages of the plan, with at most limit schedules in all.
func (p Plan) stages(limit int) ([]explore.Stage, error) {
	if limit < 1 {
		return nil, fmt.Errorf("got a limit of %d schedules, want at least 1", limit)
	}
	switch p {
	case Default:
		return atMost(explore.DefaultPlan(), limit), nil
	case Random:
		return []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: limit}}, nil
	case Sampling:
		var all []explore.Stage
		for _, s := range []explore.Strategy{explore.POS(), explore.SURW(), explore.PCT(0), explore.RandomWalk()} {
			all = append(all, explore.Stage{Strategy: s, Schedules: (limit + 3) / 4})
		}
		return atMost(all, limit), nil
	case DPOR:
		return []explore.Stage{{Strategy: explore.DPOR(), Schedules: limit}}, nil
	}
	return nil, fmt.Errorf("got plan %q, want %q, %q, %q or %q", p, Default, Random, Sampling, DPOR)
}

// atMost cuts a plan off after limit schedules.
func atMost(plan []explore.Stage, limit int) []explore.Stage {
	var cut []explore.Stage
	for _, s := range plan {
		if s.Schedules = min(s.Schedules, limit); s.Schedules > 0 {
			cut = append(cut, s)
		}
		limit -= s.Schedules
	}
	return cut
}

// An Answer has a search for each seed, in their order.
type Answer struct {
	Searches []Search
	Error    string // why there are no searches
}

// A Search is one exploration of a kernel.
type Search struct {
	Verdict     string // explore.Verdict
	Summary     string // of the result, in a few words
	Schedules   int    // that were run, up to the failing one if there is one
	Exhausted   bool   // there are no other schedules
	Kind        explore.Kind
	Message     string
	Strategy    string
	Preemptions int // of the minimised schedule
	Steps       int
	Card        string
	Replayed    int    // replays with exactly the same result
	Departed    string // the result of the first other replay
	Races       int    // data races noted
	Timeline    *timeline.Timeline
}

// Found reports whether the search found a goroutine that can never continue: a deadlock
// or a leak.
func (s *Search) Found() bool {
	return s.Kind == explore.KindDeadlock || s.Kind == explore.KindLeak
}
