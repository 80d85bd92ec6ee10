package search_test

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/programs"
	"github.com/jacquard-go/jacquard/internal/programs/finals"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// DPOR reaches the final states that all schedules together reach, and runs no two
// equivalent ones. With -short it leaves out programs with many schedules.
func TestDPORReachesEverything(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	most := mostSchedules
	if testing.Short() {
		most = 300
	}
	var rows []dporRow
	for _, b := range finals.All() {
		t.Run(b.Name, func(t *testing.T) {
			all := findings(t, b, strategy.DepthFirst(1000), most)
			if testing.Short() && !all.Complete {
				t.Logf("not done after %d schedules", all.Schedules)
				return
			}
			reduced := searchAll(t, b, strategy.DPOR())
			t.Logf("%d schedules, %d orders; dpor %d schedules, %d whole, %d orders; finals %v", all.Schedules, all.Apart, reduced.Schedules, reduced.Whole, reduced.Orders, all.Finals)
			if reduced.Why != "" {
				t.Errorf("got no claim of dpor: %s", reduced.Why)
			}
			want, got := slices.Sorted(maps.Keys(all.Finals)), slices.Sorted(maps.Keys(reduced.Finals))
			if !slices.Equal(got, want) {
				t.Errorf("got final states %q, want %q", got, want)
			}
			if twice := reduced.Whole - reduced.Orders; twice > again[b.Name] {
				t.Errorf("got %d schedules of %d orders, %d of them twice, want at most %d", reduced.Whole, reduced.Orders, twice, again[b.Name])
			}
			if reduced.Orders != all.Apart {
				t.Errorf("got %d orders, want %d", reduced.Orders, all.Apart)
			}
			rows = append(rows, dporRow{b.Name, all, reduced})
		})
	}
	if len(rows) == len(finals.All()) { // -run selected all of them
		checkPage(t, dporPage(rows))
	}
}

// DPOR does the same for programs with timers, where any goroutine may be held up until one
// fires. It runs a few orders twice.
func TestDPORReachesEverythingOfTimers(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	most := mostSchedules / 20
	if testing.Short() {
		most = 500
	}
	for _, b := range finals.Timers() {
		t.Run(b.Name, func(t *testing.T) {
			all := findings(t, b, strategy.DepthFirst(1000), most)
			if testing.Short() && !all.Complete {
				t.Logf("not done after %d schedules", all.Schedules)
				return
			}
			reduced := searchAll(t, b, strategy.DPOR())
			t.Logf("%d schedules, %d orders; dpor %d schedules, %d whole; finals %v", all.Schedules, all.Apart, reduced.Schedules, reduced.Whole, all.Finals)
			if reduced.Why != "" {
				t.Errorf("got no claim of dpor: %s", reduced.Why)
			}
			want, got := slices.Sorted(maps.Keys(all.Finals)), slices.Sorted(maps.Keys(reduced.Finals))
			more := all.Complete && reduced.Orders > all.Apart // an incomplete search has missed some
			if all.Spent {                                     // then what is one order for DPOR depends on when the time was spent
				more, all.Apart = false, 0
			}
			if !slices.Equal(got, want) || more || reduced.Orders < all.Apart {
				t.Errorf("got %d orders and the final states %q, want %d and %q", reduced.Orders, got, all.Apart, want)
			}
		})
	}
}

// A finished search makes DPOR's claim, except in these cases.
func TestDPORClaims(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, c := range []struct {
		name       string
		body       func(*engine.T)
		want       string // part of the summary
		incomplete string // part of what was left out
	}{
		{"one order", programs.Sharing(2), "exhausted: 1 execution, and no other that differs by happens-before", ""},
		{"six orders", programs.Sharing(1), "exhausted: all 6 executions that differ by happens-before", ""},
		{"spinning", programs.SpinsOnFlag, "who spins 10 times taken to wait", ""},
		{"files", programs.WritesFiles, "exhausted: all ", ""},
		{"pipes", programs.WritesPipes, "sampled 2 schedules", "internal/poll"},
	} {
		cfg := search.Config{Name: c.name, MaxSteps: 5000, Plan: []schedule.Stage{{Strategy: strategy.DPOR(), Schedules: 1000}}}
		r := run(t, cfg, c.body)
		if r.Verdict != verdict.Holds || !strings.Contains(r.Summary(), c.want) {
			t.Errorf("%s: got %q, want %q", c.name, r.Summary(), c.want)
		}
		if !strings.Contains(r.Incomplete, c.incomplete) || (r.Incomplete == "") != (c.incomplete == "") || r.Unbounded != (c.incomplete == "") {
			t.Errorf("%s: got incomplete %q, want %q", c.name, r.Incomplete, c.incomplete)
		}
	}
}

// again has the number of orders that DPOR runs twice: in Cond.Wait the step on the condition depends
// on all others on it, although the mutex orders them.
var again = map[string]int{"two wait, one is signalled": 4}

type dporRow struct {
	name         string
	all, reduced search.Search
}

// updateEnv names the environment variable that makes the test write its page, if not
// empty.
const updateEnv = "JACQUARD_UPDATE"

const dporFile = "../../docs/dpor.md"

// checkPage compares the page with the stored one if both are of the same Go release,
// because the number of points depends on it. With updateEnv it writes the page first.
func checkPage(t *testing.T, page string) {
	if os.Getenv(updateEnv) != "" {
		if err := os.WriteFile(dporFile, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old, err := os.ReadFile(dporFile)
	if err != nil {
		t.Fatal(err)
	}
	if release := runtime.Version()[:len("go1.26")]; strings.Contains(string(old), release) && string(old) != page {
		t.Errorf("%s is out of date: write it with %s=1 go test -run TestDPORReachesEverything ./internal/search", dporFile, updateEnv)
	}
}

func dporPage(rows []dporRow) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# What DPOR leaves out

Small programs, with all of their schedules and with those that DPOR runs: the
number of schedules, how many of them differ by happens-before, and the number of
final states, which is what the program has computed and how the execution ended. DPOR
must reach the same final states, and one schedule for each order of the operations
that conflict (a happens-before class). A few more may be begun and given up, when all
that could go on would only repeat such a class (sleep-set blocked). The test that makes
this page fails where it is not so.

%s, by the command

    %s=1 go test -run TestDPORReachesEverything ./internal/search

| program | schedules | DPOR | sleep-set blocked | classes | final states |
|---|--:|--:|--:|--:|--:|
`, runtime.Version()[:len("go1.26")], updateEnv)
	schedules, reduced := 0, 0
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", r.name, r.all.Schedules, r.reduced.Schedules,
			r.reduced.Schedules-r.reduced.Whole, r.reduced.Orders, len(r.reduced.Finals))
		schedules += r.all.Schedules
		reduced += r.reduced.Schedules
	}
	fmt.Fprintf(&b, "\nTogether %d programs, %d schedules, and %d by DPOR.\n", len(rows), schedules, reduced)
	return b.String()
}

// mostSchedules is more than any of the programs has.
const mostSchedules = 300_000

// searchAll runs a search, which must come to its end.
func searchAll(t *testing.T, b finals.Final, s schedule.Strategy) search.Search {
	t.Helper()
	got := findings(t, b, s, mostSchedules)
	if !got.Complete {
		t.Fatalf("%s: not done after %d schedules", s.Name(), got.Schedules)
	}
	return got
}

func findings(t *testing.T, b finals.Final, s schedule.Strategy, most int) search.Search {
	t.Helper()
	var final func() string
	body := func(t *engine.T) { b.Run(t, func(f func() string) { final = f }) }
	got, err := search.SearchAll(search.Config{Name: b.Name, MaxSteps: 2000}, s, most, body, func() string { return final() })
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// If a body does not repeat itself, an execution may end before the step at which it should
// differ from the last one. Then DPOR makes no claim.
func TestDPORThatDoesNotRepeat(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	runs := 0
	body := func(t *engine.T) {
		var x atomic.Int64
		if runs++; runs < 6 {
			for range 50 {
				x.Store(1)
			}
		}
		for _, name := range []string{"one", "other"} {
			t.Go(name, func() {
				for range 5 {
					x.Store(1)
				}
			})
		}
	}
	cfg := search.Config{Name: t.Name(), Plan: []schedule.Stage{{Strategy: strategy.DPOR(), Schedules: 100}}}
	if r := run(t, cfg, body); r.Exhausted {
		t.Errorf("got %v (%s), want it not exhausted", r.Verdict, r.Summary())
	}
}

// A search makes no claim if an execution reached its decisions through other code than the
// rest, even with operations on the same objects.
func TestSearchesOfOneExecutionThatDiffers(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, by := range []func() schedule.Strategy{strategy.DPOR, func() schedule.Strategy { return strategy.DepthFirst(2) }} {
		schedules := 0
		const none = -10
		for other := none; other < schedules; other = max(other+1, 0) {
			runs := -warm // warm executions run before the first schedule
			body := func(t *engine.T) {
				var x, y atomic.Int64
				if runs++; runs-1 != other {
					y.Add(1)
				} else {
					y.Add(1)
				}
				for _, name := range []string{"one", "other"} {
					t.Go(name, func() { x.Store(1); x.Store(1) })
				}
			}
			r := run(t, search.Config{Name: t.Name(), Plan: []schedule.Stage{{Strategy: by(), Schedules: 100}}, Workers: 1}, body)
			if other == none {
				schedules = r.Schedules
			}
			if r.Exhausted != (other == none) {
				t.Errorf("%s: got %[4]s, want no claim with another course in schedule %[2]d of %[3]d", by().Name(), other+1, schedules, r.Summary())
			}
		}
	}
}

// DPOR gives up an execution with too many steps of too many goroutines, whichever step the
// next schedule would change.
func TestDPORThatIsTooLarge(t *testing.T) {
	const goroutines = 100_000
	steps := make([]schedule.Step, 400)
	for i := range steps {
		steps[i] = schedule.Step{Goroutine: 1, Cause: -1}
	}
	steps[0].Goroutine = goroutines
	s := strategy.DPOR()
	s.Reset(0)
	for theSchedule := range 2 { // the last step's case differs
		if _, ok := s.Begin(); !ok {
			t.Fatalf("got no schedule %d, want two", theSchedule)
		}
		c := s.Pick(&schedule.Point{Runnable: []uint32{1}, Steps: steps[:len(steps)-1]})
		s.End(schedule.Trace{Steps: steps, Decisions: []schedule.Decision{{Runnable: 1, Ready: 2, Chosen: c, Goroutine: 1}}})
	}
	if _, ok := s.Begin(); ok {
		t.Error("got a third schedule, want two")
	}
	if why := search.Omitted(s); !strings.Contains(why, "too many steps") {
		t.Errorf("got %q left out, want too many steps", why)
	}
}

// In bubbles DPOR reaches every final state that sampling reaches, also with goroutines
// outside, and runs no order twice.
func TestDPORInBubbles(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	if !explore.Control(t) {
		return
	}
	for _, b := range finals.InBubbles() {
		t.Run(b.Name, func(t *testing.T) {
			findings := func(s schedule.Strategy) search.Search {
				var final func() string
				body := func(t *engine.T) { b.Run(t, func(f func() string) { final = f }) }
				got, err := search.SearchAll(small(b.Name), s, 3000, body, func() string { return final() })
				if err != nil {
					t.Fatal(err)
				}
				return got
			}
			quietly(t)
			sampled, reduced := findings(strategy.RandomWalk()), findings(strategy.DPOR())
			want, got := slices.Sorted(maps.Keys(sampled.Finals)), slices.Sorted(maps.Keys(reduced.Finals))
			if len(want) < 2 || !slices.Equal(got, want) {
				t.Errorf("got final states %q, want %q", got, want)
			}
			if !reduced.Complete || reduced.Orders != reduced.Whole || reduced.Orders < sampled.Orders {
				t.Errorf("got %d schedules of %d orders, want one each and at least the %d sampled", reduced.Whole, reduced.Orders, sampled.Orders)
			}
			if reduced.Why != "" {
				t.Errorf("got no claim of dpor: %s", reduced.Why)
			}
		})
	}
}
