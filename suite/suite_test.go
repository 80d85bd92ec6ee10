package suite_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/jacquard-go/jacquard/suite"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

func TestMain(m *testing.M) {
	if os.Getenv(protocol.RequestVar) != "" {
		os.Exit(beFake())
	}
	if os.Getenv(hostVar) != "" {
		os.Exit(beHost())
	}
	if os.Getenv(stallVar) != "" {
		new(fake).hang()
	}
	if os.Getenv(fakeTests) != "" { // without control
		os.Exit(beFake())
	}
	goleak.VerifyTestMain(m)
}

// said is what a run of a fake came to.
type said struct {
	ok        bool
	out, errs string
}

// runs runs a package whose tests are a fake's.
func runs(t *testing.T, cfg suite.Config, tests ...string) said {
	t.Helper()
	t.Setenv(fakeTests, names(tests...))
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Cache == "" {
		cfg.Cache = t.TempDir()
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	var out, errs bytes.Buffer
	cfg.Out, cfg.Errs = &out, &errs
	ok, err := suite.Run(t.Context(), suite.WithBinary(cfg, binary))
	if err != nil {
		t.Fatal(err)
	}
	empty(t, temp)
	return said{ok, times.ReplaceAllString(out.String(), "0.02s"), errs.String()}
}

// empty checks that nothing is left of the temporary files in a folder.
func empty(t *testing.T, temp string) {
	t.Helper()
	left, err := os.ReadDir(temp)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) > 0 {
		t.Errorf("%v stayed behind", left)
	}
}

// times are no business of a test.
var times = regexp.MustCompile(`\d+\.\d+s`)

func (s said) want(t *testing.T, ok bool, out string) {
	t.Helper()
	if s.ok != ok || s.out != out {
		t.Errorf("got ok: %t\n%s\nwant ok: %t\n%s", s.ok, s.out, ok, out)
	}
	if s.errs != "" {
		t.Errorf("got %q on standard error", s.errs)
	}
}

const here = "github.com/jacquard-go/jacquard/suite"

func TestAllIsWell(t *testing.T) {
	runs(t, suite.Config{}, "TestPlain", "TestMany", "TestFew", "TestSkipped").want(t, true,
		"ok  \t"+here+"\t0.02s\t4 tests, 2 concurrent, 2,000 schedules (1,003 distinct)\n")
}

func TestVerbose(t *testing.T) {
	runs(t, suite.Config{Verbose: true, Schedules: 200}, "TestChatty", "TestMany", "TestFew", "TestNetwork", "TestUnknown", "TestSkipped").want(t, true, `TestMain begins
=== RUN   TestChatty
it says hello
--- PASS: TestChatty (0.02s)
    fake_test.go:1: pass
=== RUN   TestMany
    200 schedules, 200 distinct by happens-before, 7 points
--- PASS: TestMany (0.02s)
    fake_test.go:1: pass
=== RUN   TestFew
    200 schedules, 3 distinct by happens-before, 7 points; exhausted at ≤ 0 preemptions
--- PASS: TestFew (0.02s)
    fake_test.go:1: pass
=== RUN   TestNetwork
    200 schedules, 200 distinct by happens-before, 7 points; cannot be exhausted: the order of system calls was not seen; not controlled: the network
--- PASS: TestNetwork (0.02s)
    fake_test.go:1: pass
=== RUN   TestUnknown
    unknown: not repeatable
--- PASS: TestUnknown (0.02s)
    fake_test.go:1: pass
=== RUN   TestSkipped
--- SKIP: TestSkipped (0.02s)
    fake_test.go:1: skip
PASS
ok  	`+here+`	0.02s	6 tests, 4 concurrent, 700 schedules (503 distinct), 1 unknown, 1 not wholly controlled (the network)
`)
}

// A test of which a few schedules take more than the budget has had one.
func TestTooSlow(t *testing.T) {
	runs(t, suite.Config{Verbose: true, Budget: time.Minute}, "TestSlow").want(t, true, `TestMain begins
=== RUN   TestSlow
    1 schedule, 1 distinct by happens-before, 7 points; after 200,000 steps in turns of many operations; not explored: that would take more than 4h0m0s, and the budget is 1m0s
--- PASS: TestSlow (0.02s)
    fake_test.go:1: pass
PASS
ok  	`+here+`	0.02s	1 test, 1 concurrent, 1 schedule (1 distinct)
jacquard: there was no time for all schedules of 1 test: TestSlow (1 of 1,000 schedules); -budget 1111h0m0s -timeout 1111h0m0s would be enough
`)
}

// What its one schedule has failed with is told, and that it was not explored.
func TestTooSlowToTryAgain(t *testing.T) {
	got := runs(t, suite.Config{Verbose: true, Budget: time.Minute}, "TestDoubted")
	for _, want := range []string{"    unknown: -50 left, but not by the same schedule in a process of its own; not explored: that would take more than 4h0m0s", ", 1 unknown"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s", want, got.out)
		}
	}
}

// Why a test was not explored has to do with others only if one has failed.
func TestTooSlowToFailFast(t *testing.T) {
	got := runs(t, suite.Config{Verbose: true, FailFast: true}, "TestSlow")
	if want := "not explored: that would take more than 4h0m0s"; !got.ok || !strings.Contains(got.out, want) {
		t.Errorf("no %q in\n%s", want, got.out)
	}
}

// A test that waits for other processes is not explored unless there is time for
// many schedules of it.
func TestOtherProcesses(t *testing.T) {
	runs(t, suite.Config{Verbose: true, Budget: time.Minute}, "TestOthers").want(t, true, `TestMain begins
=== RUN   TestOthers
    1 schedule, 1 distinct by happens-before, 7 points; not explored: it starts other processes, and 50 schedules would take more than the budget of 1m0s; not controlled: goroutine "p.wait #2" waited for another process, at a_test.go:9, other processes; what other processes change on disk is not seen
--- PASS: TestOthers (0.02s)
    fake_test.go:1: pass
PASS
ok  	`+here+`	0.02s	1 test, 1 concurrent, 1 schedule (1 distinct), 1 not wholly controlled (another process, other processes)
`)
	got := runs(t, suite.Config{Schedules: 200, Budget: 101 * time.Second}, "TestOthers")
	if want := "1 concurrent, 200 schedules"; !got.ok || !strings.Contains(got.out, want) {
		t.Errorf("no %q in\n%s", want, got.out)
	}
}

// What came to no end in the discovery run has neither passed nor failed.
func TestEndless(t *testing.T) {
	runs(t, suite.Config{Verbose: true}, "TestEndless").want(t, true, `TestMain begins
=== RUN   TestEndless
    unknown: no end after 100 steps; not controlled: the network
--- SKIP: TestEndless (0.02s)
PASS
ok  	`+here+`	0.02s	1 test, 1 unknown, 1 not wholly controlled (the network)
`)
}

// What failed in the discovery run, what failed when it was explored, and what was
// written besides.
func TestFailures(t *testing.T) {
	runs(t, suite.Config{Command: "loom"}, "TestWrong", "TestRacy", "TestChatty").want(t, false, `TestMain begins
--- FAIL: TestWrong (0.02s)
    fake_test.go:1: fail
--- FAIL: TestRacy (0.02s)
    account_test.go:9: -50 left
    violated: check
      -50 left

    replay: loom replay `+here+`.TestRacy jq2-fake
it says hello
FAIL
FAIL	`+here+`	0.02s	3 tests, 1 concurrent, 3 schedules (100 distinct)
FAIL
`)
}

func TestVerboseFailures(t *testing.T) {
	runs(t, suite.Config{Verbose: true}, "TestWrong", "TestRacy").want(t, false, `TestMain begins
=== RUN   TestWrong
--- FAIL: TestWrong (0.02s)
    fake_test.go:1: fail
=== RUN   TestRacy
    account_test.go:9: -50 left
    violated: check
      -50 left

    replay: jacquard replay `+here+`.TestRacy jq2-fake
--- FAIL: TestRacy (0.02s)
FAIL
FAIL	`+here+`	0.02s	2 tests, 1 concurrent, 3 schedules (100 distinct)
FAIL
`)
}

// What fails without any preemption is explored all the same, for its card.
func TestFailsAtOnce(t *testing.T) {
	for _, failfast := range []bool{false, true} {
		runs(t, suite.Config{FailFast: failfast}, "TestEarly", "TestPlain").want(t, false, `TestMain begins
--- FAIL: TestEarly (0.02s)
    account_test.go:9: -50 left
    violated: check
      -50 left

    replay: jacquard replay `+here+`.TestEarly jq2-fake
`+map[bool]string{false: "TestMain begins\n"}[failfast]+`FAIL
FAIL	`+here+`	0.02s	`+map[bool]string{false: "2 tests", true: "1 test"}[failfast]+`, 1 concurrent, 3 schedules (100 distinct)
FAIL
`)
	}
}

func TestNoTests(t *testing.T) {
	runs(t, suite.Config{Run: "TestNone"}, "TestPlain").want(t, true, "ok  \t"+here+"\t0.02s [no tests to run]\n")
}

func TestFailFast(t *testing.T) {
	runs(t, suite.Config{FailFast: true, Workers: 1, Verbose: true}, "TestRacy", "TestMany").want(t, false, `TestMain begins
=== RUN   TestRacy
    account_test.go:9: -50 left
    violated: check
      -50 left

    replay: jacquard replay `+here+`.TestRacy jq2-fake
--- FAIL: TestRacy (0.02s)
=== RUN   TestMany
    1 schedule, 1 distinct by happens-before, 7 points; not explored: another test has failed
--- PASS: TestMany (0.02s)
    fake_test.go:1: pass
FAIL
FAIL	`+here+`	0.02s	2 tests, 2 concurrent, 4 schedules (101 distinct)
FAIL
`)
}

// Of a test only the subtests that were asked for are explored, and its failure is
// theirs: the command that replays it says so, and without them it is another test.
func TestSubtests(t *testing.T) {
	cfg := suite.Config{Cache: t.TempDir(), Schedules: 100, Workers: 1, Run: "Racy/a|Many/b", Skip: "/c d"}
	got, log := logged(t, cfg, "TestRacy")
	if want := "TestRacy from 0 /a without /c d\n"; log != want {
		t.Errorf("got\n%s\nwant\n%s", log, want)
	}
	if want := "replay: jacquard replay -run 'Racy/a|Many/b' -skip '/c d' " + here + ".TestRacy jq2-fake\n"; !strings.Contains(got.out, want) {
		t.Errorf("no %q in\n%s", want, got.out)
	}
	if _, log := logged(t, cfg, "TestRacy"); log != "TestRacy by jq2-fake /a without /c d\n" {
		t.Errorf("again: got\n%s", log)
	}
	cfg.Run, cfg.Skip = "", ""
	if _, log := logged(t, cfg, "TestRacy"); log != "TestRacy from 0\n" {
		t.Errorf("all of them: got\n%s", log)
	}
}

// Who meets what is new has the next turn; who does not waits.
func TestTurnsGoWhereTheyYield(t *testing.T) {
	log := filepath.Join(t.TempDir(), "turns")
	t.Setenv(fakeLog, log)
	runs(t, suite.Config{Workers: 1, Schedules: 300}, "TestFew", "TestMany")
	got, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	want := `TestFew from 0
TestMany from 0
TestMany from 100
TestMany from 200
TestFew from 100
TestFew from 200
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What goes on beyond its schedules waits for all others, and does not where these are given.
func TestTurnsBeyondSchedules(t *testing.T) {
	log := filepath.Join(t.TempDir(), "turns")
	t.Setenv(fakeLog, log)
	runs(t, suite.Config{Workers: 1}, "TestFew", "TestNear")
	got, err := os.ReadFile(log)
	if lines := strings.Split(string(got), "\n"); err != nil || len(lines) != 23 || lines[19] == "TestNear from 900" || lines[20] != "TestNear from 1000" || lines[21] != "TestNear from 1100" {
		t.Errorf("got %v and\n%s\nwant ten turns each, and then two more of TestNear", err, got)
	}
	if _, given := logged(t, suite.Config{Workers: 1, Schedules: 1000}, "TestNear"); strings.Contains(given, "from 1000") {
		t.Errorf("got\n%s\nwant 1,000 schedules", given)
	}
}

// What was explored is not explored again, and what was not is gone on with.
func TestResumed(t *testing.T) {
	cfg := suite.Config{Cache: t.TempDir(), Schedules: 300, Workers: 1, Verbose: true}
	runs(t, cfg, "TestMany")
	again := runs(t, cfg, "TestMany", "TestFew")
	for _, want := range []string{"300 schedules, 300 distinct by happens-before, 7 points; explored by an earlier run", "300 schedules, 3 distinct by happens-before, 7 points; exhausted at ≤ 0 preemptions\n"} {
		if !strings.Contains(again.out, want) {
			t.Errorf("no %q in\n%s", want, again.out)
		}
	}
	cfg.Fresh = true
	if fresh := runs(t, cfg, "TestMany"); strings.Contains(fresh.out, "earlier") {
		t.Errorf("got\n%s\nwant it explored afresh", fresh.out)
	}
}

// What came to no end is gone on with where it was, by the next run of the same
// program and by the next process of a run that can keep so many only.
func TestGoesOn(t *testing.T) {
	cfg := suite.Config{Cache: t.TempDir(), Schedules: 300, Workers: 1, FailFast: true}
	first, log := logged(t, cfg, "TestMany", "TestRacy")
	if want := "TestMany from 0\nTestRacy from 0\n"; log != want || !strings.Contains(first.out, "103 schedules (200 distinct)") {
		t.Errorf("got\n%s\n%s\nwant\n%s", log, first.out, want)
	}
	again, log := logged(t, cfg, "TestMany")
	if want := "TestMany from 100\nTestMany from 200\n"; log != want || !strings.Contains(again.out, "300 schedules (300 distinct)") {
		t.Errorf("got\n%s\n%s\nwant\n%s", log, again.out, want)
	}
	for _, change := range []func(*suite.Config){
		func(c *suite.Config) { c.Seed = 2 },
		func(c *suite.Config) { c.Plan = []protocol.Stage{{Strategy: "pos", Schedules: 300}} },
		func(c *suite.Config) { c.Schedules = 301 },
		func(c *suite.Config) { c.Leaks = protocol.LeaksFail },
	} {
		other := cfg
		change(&other)
		if _, log := logged(t, other, "TestMany"); !strings.HasPrefix(log, "TestMany from 0\n") {
			t.Errorf("%+v: got\n%s", other, log)
		}
	}
}

func TestGoesOnAfterOthers(t *testing.T) {
	var tests []string
	want := make(map[string]int)
	for i := range 20 {
		name := fmt.Sprintf("TestMany%02d", i)
		tests = append(tests, name)
		for _, from := range []int{0, 100, 200} {
			want[fmt.Sprintf("%s from %d", name, from)] = 1
		}
	}
	_, log := logged(t, suite.Config{Schedules: 300, Workers: 2}, tests...)
	got := make(map[string]int)
	for line := range strings.Lines(log) {
		turn, _, _ := strings.Cut(strings.TrimSpace(line), " with ") // the last one has both processes
		got[turn]++
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// Processes for which there are no tests run schedules of those that there are.
func TestProcessesAreShared(t *testing.T) {
	_, log := logged(t, suite.Config{Schedules: 200, Workers: 3}, "TestMany", "TestPlain")
	if want := "TestMany from 0 with 3 processes\nTestMany from 100 with 3 processes\n"; log != want {
		t.Errorf("got\n%s\nwant\n%s", log, want)
	}
	for _, c := range []struct{ workers, tests, done, want int }{{1, 1, 0, 1}, {8, 3, 0, 2}, {8, 3, 1, 4}, {8, 3, 2, 8}, {2, 5, 0, 1}, {2, 5, 4, 2}} {
		if got := suite.Share(c.workers, c.tests, c.done); got != c.want {
			t.Errorf("%d processes, %d of %d tests done: got %d for each, want %d", c.workers, c.done, c.tests, got, c.want)
		}
	}
}

// If most failures are those of tests that rely on sleeps, that is said once.
func TestTimingIsSaidOnce(t *testing.T) {
	const line = "jacquard: 2 of the 3 tests that failed fail only where a goroutine that could run is held up while a timer fires, " +
		"as on a busy machine: they rely on a sleep or a time-out (-stall 0 holds nobody up; up to 10ms now)\nFAIL\t"
	if got := runs(t, suite.Config{}, "TestSleeps", "TestNaps", "TestRacy"); !strings.Contains(got.out, line) {
		t.Errorf("no %q in\n%s", line, got.out)
	}
	for _, few := range [][]string{{"TestSleeps", "TestRacy"}, {"TestSleeps"}, {"TestSleeps", "TestNaps", "TestRacy", "TestLoses"}, {"TestSleeps", "TestCut"}} {
		if got := runs(t, suite.Config{}, few...); strings.Contains(got.out, "-stall") {
			t.Errorf("%v: got\n%s", few, got.out)
		}
	}
}
