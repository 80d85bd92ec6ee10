package litmus_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/litmus"
)

// A searching strategy forwards to another one and records how its search ended.
type searching struct {
	explore.Strategy
	stopped bool // the schedule was given up, because the rest of it is known
	ended   bool // there are no more schedules
}

func (s *searching) Begin() (uint64, bool) {
	seed, ok := s.Strategy.Begin()
	s.stopped, s.ended = false, !ok
	return seed, ok
}

func (s *searching) Exhausted() explore.Extent { return s.Strategy.(explore.Exhauster).Exhausted() }

func (s *searching) Pick(p *explore.Point) explore.Choice {
	c := s.Strategy.Pick(p)
	s.stopped = s.stopped || c.Stop
	return c
}

// search returns the outcomes that a strategy reaches; ended says that it has no schedule
// left and claims to be exhausted.
func search(p litmus.Program, by explore.Stage) (outcomes map[litmus.Outcome]bool, n int, ended bool, err error) {
	s := &searching{Strategy: by.Strategy}
	outcomes = make(map[litmus.Outcome]bool)
	var run *litmus.Run
	cfg := explore.Config{
		Plan:  []explore.Stage{{Strategy: s, Schedules: by.Schedules}},
		Leaks: explore.LeaksIgnore, Races: explore.RacesNote, Workers: 1, MaxSteps: 2000, Minimise: -1,
		Stall: -1, // for the enumerator time passes only when no task can run
		Enough: func(explore.Result) bool {
			if !s.stopped {
				outcomes[run.Outcome()] = true
			}
			n++
			return false
		},
	}
	r, err := explore.Run(context.Background(), cfg, func(*explore.T) {
		run = litmus.NewRun(p, false)
		run.Task(0)
	})
	switch {
	case err != nil:
		return nil, n, false, err
	case r.Verdict == explore.Violated:
		return nil, n, false, fmt.Errorf("%s: %s", r.Failure.Kind, r.Failure.Message)
	case r.Verdict == explore.Unknown && !s.ended:
		return nil, n, false, fmt.Errorf("unknown: %s", r.Reason)
	}
	return outcomes, n, s.ended && r.Exhausted, nil
}

// difference lists the errors of a search: outcomes that it missed, if it has
// ended, and outcomes that cannot happen.
func difference(got, want map[litmus.Outcome]bool, ended bool) []string {
	var lines []string
	for _, o := range slices.Sorted(maps.Keys(want)) {
		if ended && !got[o] {
			lines = append(lines, "missing "+string(o))
		}
	}
	for _, o := range slices.Sorted(maps.Keys(got)) {
		if !want[o] {
			lines = append(lines, "impossible "+string(o))
		}
	}
	return lines
}

// searches returns the strategies that can claim to be exhausted, and how many
// schedules each may run. Depth first search is a check of DPOR, and completes
// only for the smallest programs.
func searches() []explore.Stage {
	return []explore.Stage{{Strategy: explore.DPOR(), Schedules: 500}, {Strategy: explore.DepthFirst(1000), Schedules: 100}}
}

// mostStates bounds the states that the enumerator may visit for one program.
const mostStates = 50_000

// mostWrong is how many disagreements are reported before the test ends.
const mostWrong = 3

// disagreement returns the errors of the search of a program, the number of
// schedules that it ran, and whether it completed.
func disagreement(p litmus.Program, allowed map[litmus.Outcome]bool, by explore.Stage) (lines []string, n int, ended bool) {
	got, n, ended, err := search(p, by)
	if err != nil {
		return []string{err.Error()}, n, ended
	}
	return difference(got, allowed, ended), n, ended
}

// litmusEnv names the variable that says how long to look for disagreements, such as
// 30m, instead of trying the programs of the first few seeds.
const litmusEnv = "JACQUARD_LITMUS"

// seedEnv names the variable that holds the first seed.
const seedEnv = "JACQUARD_LITMUS_SEED"

// few returns how many programs are tried by default; with -short there are fewer.
func few() uint64 {
	if testing.Short() {
		return 100
	}
	return 300
}

// A search that has ended has reached exactly the outcomes that the enumerator allows, and
// one that has not ended has reached no others.
func TestSearchesReachExactlyWhatIsAllowed(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	first, last, until := extent(t)
	programs, large, schedules := 0, 0, 0
	ended := make(map[string]int)
	seed := first
	for wrong := 0; seed < last && wrong < mostWrong && (until.IsZero() || time.Now().Before(until)); seed++ {
		p := litmus.Generate(seed)
		allowed, _, err := litmus.Enumerate(p, mostStates)
		if err != nil {
			large++
			continue
		}
		programs++
		for _, s := range searches() {
			lines, n, done := disagreement(p, allowed, s)
			schedules += n
			if done {
				ended[s.Strategy.Name()]++
			}
			if len(lines) > 0 {
				wrong++
				reportSmallest(t, seed, p, s)
			}
		}
	}
	t.Logf("seeds %d to %d: %d programs, %d with too many states; dpor came to the end of %d, depth first of %d; %d schedules",
		first, seed-1, programs, large, ended["dpor"], ended["dfs"], schedules)
}

// extent returns the seeds to try, and the time to stop.
func extent(t *testing.T) (first, last uint64, until time.Time) {
	last = few()
	if v := os.Getenv(seedEnv); v != "" {
		n, err := strconv.ParseUint(v, 10, 64)
		if err != nil {
			t.Fatalf("%s: got %q, want a seed", seedEnv, v)
		}
		first, last = n, n+few()
	}
	if v := os.Getenv(litmusEnv); v != "" {
		d, err := time.ParseDuration(v)
		if err != nil {
			t.Fatalf("%s: got %q, want a duration such as 30m", litmusEnv, v)
		}
		until, last = time.Now().Add(d), math.MaxUint64
	}
	return first, last, until
}

// reportSmallest fails the test with the smallest program on which the search and the
// enumerator disagree.
func reportSmallest(t *testing.T, seed uint64, p litmus.Program, s explore.Stage) {
	t.Helper()
	wrong := func(p litmus.Program) []string {
		allowed, _, err := litmus.Enumerate(p, mostStates)
		if err != nil {
			return nil
		}
		lines, _, _ := disagreement(p, allowed, s)
		return lines
	}
	small := litmus.Shrink(p, func(q litmus.Program) bool { return len(wrong(q)) > 0 })
	t.Errorf("seed %d, %s:\n%s\n%s", seed, s.Strategy.Name(), strings.Join(wrong(small), "\n"), small)
}
