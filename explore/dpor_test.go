package explore_test

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
	"github.com/jacquard-go/jacquard/explore/bodies"
)

// DPOR reaches the final states that all schedules together reach, and runs no
// two that do not differ.
func TestDPORReachesEverything(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	var rows []dporRow
	for _, b := range bodies.Finals() {
		t.Run(b.Name, func(t *testing.T) {
			all, reduced := searchAll(t, b, explore.DepthFirst(1000)), searchAll(t, b, explore.DPOR())
			t.Logf("%d schedules, %d orders; dpor %d schedules, %d whole, %d orders; finals %v", all.Schedules, all.Orders, reduced.Schedules, reduced.Whole, reduced.Orders, all.Finals)
			if reduced.Why != "" {
				t.Errorf("dpor makes no claim: %s", reduced.Why)
			}
			want, got := slices.Sorted(maps.Keys(all.Finals)), slices.Sorted(maps.Keys(reduced.Finals))
			if !slices.Equal(got, want) {
				t.Errorf("got final states %q, want %q", got, want)
			}
			if reduced.Orders != reduced.Whole {
				t.Errorf("got %d schedules of %d orders: some were run twice", reduced.Whole, reduced.Orders)
			}
			if reduced.Orders != all.Orders {
				t.Errorf("got %d orders, want %d", reduced.Orders, all.Orders)
			}
			rows = append(rows, dporRow{b.Name, all, reduced})
		})
	}
	if len(rows) == len(bodies.Finals()) { // not with -run
		checkPage(t, dporPage(rows))
	}
}

// What DPOR says of a search that came to its end, and when it does not say it.
func TestDPORClaims(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, c := range []struct {
		name       string
		body       func(*explore.T)
		want       string // in the summary
		incomplete string // in what was left out
	}{
		{"one order", bodies.Sharing(2), "exhausted: 1 execution, and no other that differs by happens-before", ""},
		{"six orders", bodies.Sharing(1), "exhausted: all 6 executions that differ by happens-before", ""},
		{"spinning", bodies.SpinsOnFlag, "who spins 10 times taken to wait", ""},
		{"files", bodies.WritesFiles, "sampled 2 schedules", "internal/poll"},
	} {
		cfg := explore.Config{Name: c.name, MaxSteps: 5000, Plan: []explore.Stage{{Strategy: explore.DPOR(), Schedules: 1000}}}
		r := run(t, cfg, c.body)
		if r.Verdict != explore.Holds || !strings.Contains(r.Summary(), c.want) {
			t.Errorf("%s: got %q, want %q", c.name, r.Summary(), c.want)
		}
		if !strings.Contains(r.Incomplete, c.incomplete) || (r.Incomplete == "") != (c.incomplete == "") || r.Unbounded != (c.incomplete == "") {
			t.Errorf("%s: got incomplete %q, want %q", c.name, r.Incomplete, c.incomplete)
		}
	}
}

type dporRow struct {
	name         string
	all, reduced explore.Search
}

// updateEnv names the variable that, if it is not empty, makes the test write
// its page.
const updateEnv = "JACQUARD_UPDATE"

const dporFile = "../docs/dpor.md"

// checkPage compares the page with the one in the tree, or writes it. How many
// points there are depends on the release of Go.
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
		t.Errorf("%s is out of date: write it with %s=1 go test -run TestDPORReachesEverything ./explore", dporFile, updateEnv)
	}
}

func dporPage(rows []dporRow) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# What DPOR leaves out

Small programs, with all of their schedules and with those that DPOR runs: the
number of schedules, how many of them differ by happens-before, and the number of
final states, which is what the program has computed and how the execution ended. DPOR
must reach the same final states, and one schedule for each order of the operations
that conflict; a few more may be begun and given up. The test that makes this page
fails where it is not so.

%s, by the command

    %s=1 go test -run TestDPORReachesEverything ./explore

| program | schedules | DPOR | given up | orders | final states |
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

func searchAll(t *testing.T, b bodies.Final, s explore.Strategy) explore.Search {
	t.Helper()
	var final func() string
	body := func(t *explore.T) { b.Run(t, func(f func() string) { final = f }) }
	got, err := explore.SearchAll(explore.Config{Name: b.Name, MaxSteps: 2000}, s, mostSchedules, body, func() string { return final() })
	if err != nil {
		t.Fatal(err)
	}
	if !got.Complete {
		t.Fatalf("%s: not done after %d schedules", s.Name(), got.Schedules)
	}
	return got
}

// A body that does not repeat itself may end before the step at which the next
// schedule was to leave the last one.
func TestDPORThatDoesNotRepeat(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	runs := 0
	body := func(t *explore.T) {
		var x atomic.Int64
		if runs++; runs < 6 {
			for range 50 {
				x.Add(1)
			}
		}
		for _, name := range []string{"one", "other"} {
			t.Go(name, func() {
				for range 5 {
					x.Add(1)
				}
			})
		}
	}
	cfg := explore.Config{Name: t.Name(), Plan: []explore.Stage{{Strategy: explore.DPOR(), Schedules: 100}}}
	if r := run(t, cfg, body); r.Exhausted {
		t.Errorf("got %v (%s)", r.Verdict, r.Summary())
	}
}

// An execution of too many steps of too many goroutines to be looked at is given up,
// wherever the next schedule is to leave it.
func TestDPORThatIsTooLarge(t *testing.T) {
	const goroutines = 100_000
	steps := make([]explore.Step, 400)
	for i := range steps {
		steps[i] = explore.Step{Goroutine: 1, Cause: -1}
	}
	steps[0].Goroutine = goroutines
	s := explore.DPOR()
	s.Reset(0)
	for schedule := range 2 { // which differ by the last step's case
		if _, ok := s.Begin(); !ok {
			t.Fatalf("no schedule %d", schedule)
		}
		c := s.Pick(&explore.Point{Runnable: []uint32{1}, Steps: steps[:len(steps)-1]})
		s.End(explore.Trace{Steps: steps, Decisions: []explore.Decision{{Runnable: 1, Ready: 2, Chosen: c, Goroutine: 1}}})
	}
	if _, ok := s.Begin(); ok {
		t.Error("got a third schedule, want two")
	}
	if why := explore.Omitted(s); !strings.Contains(why, "too many steps") {
		t.Errorf("got %q left out", why)
	}
}
