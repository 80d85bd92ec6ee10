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

func (s *searching) Stall(most time.Duration) time.Duration {
	if by, ok := s.Strategy.(interface {
		Stall(most time.Duration) time.Duration
	}); ok {
		return by.Stall(most)
	}
	return most
}

func (s *searching) Once() time.Duration {
	if by, ok := s.Strategy.(interface{ Once() time.Duration }); ok {
		return by.Once()
	}
	return time.Hour
}

func (s *searching) Pick(p *explore.Point) explore.Choice {
	c := s.Strategy.Pick(p)
	s.stopped = s.stopped || c.Stop
	return c
}

// search returns the outcomes that a strategy reaches; ended says that it has no schedule
// left and claims to be exhausted.
func search(p litmus.Program, stall int, by explore.Stage) (outcomes map[litmus.Outcome]bool, n int, ended bool, err error) {
	s := &searching{Strategy: by.Strategy}
	outcomes = make(map[litmus.Outcome]bool)
	var run *litmus.Run
	if stall == 0 {
		stall = -1
	}
	cfg := explore.Config{
		Plan:  []explore.Stage{{Strategy: s, Schedules: by.Schedules}},
		Leaks: explore.LeaksIgnore, Races: explore.RacesNote, Workers: 1, MaxSteps: 2000, Minimise: -1,
		Stall: time.Duration(stall) * time.Millisecond,
		Enough: func(explore.Result) bool {
			if d, ok := by.Strategy.(interface{ Beyond() bool }); !s.stopped && !(ok && d.Beyond()) {
				outcomes[run.Outcome()] = true
			}
			n++
			return false
		},
	}
	r, err := explore.Run(context.Background(), cfg, func(*explore.T) {
		run = litmus.NewRun(p, false)
		run.Task(0)
		run.End()
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
func disagreement(p litmus.Program, stall int, allowed map[litmus.Outcome]bool, by explore.Stage) (lines []string, n int, ended bool) {
	got, n, ended, err := search(p, stall, by)
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
	reachExactly(t, 0, litmus.Generate)
}

// The same holds where goroutines may be held up: for longer than most programs go on, or
// for a shorter time, which is used up.
func TestSearchesReachExactlyWhatIsAllowedBesideTimers(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, stall := range []int{10, 3} {
		reachExactly(t, stall, litmus.GenerateTimed)
	}
}

// reachExactly compares searches with the enumerator where goroutines may be held up for stall ms;
// unless that is 0, only for programs in which time passes.
func reachExactly(t *testing.T, stall int, generate func(seed uint64) litmus.Program) {
	t.Helper()
	first, last, until := extent(t)
	programs, large, schedules := 0, 0, 0
	ended := make(map[string]int)
	seed := first
	for wrong := 0; seed < last && wrong < mostWrong && (until.IsZero() || time.Now().Before(until)); seed++ {
		p := generate(seed)
		if stall > 0 && !p.Timed() {
			continue
		}
		allowed, _, err := litmus.Enumerate(p, stall, mostStates)
		if err != nil {
			large++
			continue
		}
		programs++
		for _, s := range searches() {
			lines, n, done := disagreement(p, stall, allowed, s)
			schedules += n
			if done {
				ended[s.Strategy.Name()]++
			}
			if len(lines) > 0 {
				wrong++
				reportSmallest(t, seed, p, stall, s)
			}
		}
	}
	t.Logf("held up for %d ms, seeds %d to %d: %d programs, %d with too many states; dpor came to the end of %d, depth first of %d; %d schedules",
		stall, first, seed-1, programs, large, ended["dpor"], ended["dfs"], schedules)
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
func reportSmallest(t *testing.T, seed uint64, p litmus.Program, stall int, s explore.Stage) {
	t.Helper()
	wrong := func(p litmus.Program) []string {
		allowed, _, err := litmus.Enumerate(p, stall, mostStates)
		if err != nil {
			return nil
		}
		lines, _, _ := disagreement(p, stall, allowed, s)
		return lines
	}
	small := litmus.Shrink(p, func(q litmus.Program) bool { return len(wrong(q)) > 0 })
	t.Errorf("seed %d, held up for %d ms, %s:\n%s\n%s", seed, stall, s.Strategy.Name(), strings.Join(wrong(small), "\n"), small)
}
