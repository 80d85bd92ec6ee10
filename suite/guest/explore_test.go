package guest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// Correct tests pass in every schedule, whichever features of package testing they use.
func TestRight(t *testing.T) {
	for _, test := range []string{
		"TestSubtests", "TestParallelSubtests", "TestParallelTop", "TestEnvironment", "TestTempDir", "TestTempStays",
		"TestCleanupOrder", "TestContext", "TestGoroutineProfiles", "TestCollected", "TestThreads", "TestGoexitInGoroutine",
		"TestSelectsAreFair",
	} {
		t.Run(test, func(t *testing.T) { right(t, test) })
	}
}

func right(t *testing.T, test string) {
	t.Helper()
	var outside []string
	if test == "TestCollected" {
		outside = []string{"when garbage is collected"}
	}
	e, r := explored(t, test, 200)
	if e.Verdict != "holds" || !e.Concurrent || e.Schedules < 2 || !slices.Equal(e.Outside, outside) || r.code != 0 {
		t.Errorf("got %+v, exit code %d, want holds in several schedules, with %q outside\n%s", e, r.code, outside, r.output)
	}
}

// machinery matches what runs the tests. Reports must not blame it.
var machinery = regexp.MustCompile(`testing\.(go|\w+)|jacquard\.go|by testing|T\.Go`)

// Exploring finds each failure, with its kind and the test's own message. Its card repeats
// the failure in another process.
func TestWrong(t *testing.T) {
	for _, c := range []struct{ test, kind, message string }{
		{"TestLostUpdate", "check", "failures_test.go:24: n = 1, want 2"},
		{"TestFailsInGoroutine", "check", "failures_test.go:39: somebody else was quicker"},
		{"TestFatalInGoroutine", "check", "failures_test.go:48: somebody else was quicker"},
		{"TestFailsWithoutWord", "check", "TestFailsWithoutWord/sub failed"},
		{"TestFailsInParallelSubtest", "check", "failures_test.go:70: somebody else was quicker"},
		{"TestLazy", "check", "lazy_test.go:22: two of them"},
		{"TestNotAgain", "check", "again_test.go:32: two of them"},
		{"TestPanics", "panic", "panic: somebody else was quicker"},
		{"TestPanicsInTest", "panic", "index out of range [2] with length 2"},
		{"TestExits", "exit", "os.Exit(7) called"},
		{"TestGoexit", "panic", "test executed panic(nil) or runtime.Goexit"},
		{"TestConcurrentMap", "race", "data race"},
		{"TestUnlocks", "fatal", "fatal error: sync: unlock of unlocked mutex"},
		{"TestDeadlocks", "deadlock", "wait for one another"},
		{"TestHangs", "deadlock", `"TestHangs" can never go on`},
		{"TestGoexitInSubtest", "panic", "test executed panic(nil) or runtime.Goexit"},
		{"TestPanicsInCleanup", "panic", "panic: too late"},
		{"TestFailsInCleanup", "check", "runtime_test.go:100: n = 2, want 3"},
		{"TestLogsTooLate", "panic", "Log in goroutine after TestLogsTooLate has completed"},
	} {
		t.Run(c.test, func(t *testing.T) { wrong(t, c.test, c.kind, c.message) })
	}
}

// A test that does not wait for a goroutine of its own, which then logs for it, is to blame.
func TestBlamesALateLog(t *testing.T) {
	e, _ := explored(t, "TestLogsTooLate", 50)
	if e.Blame != "test" || !strings.HasSuffix(e.Message, "too late?") || !strings.Contains(e.Report, "went on when the test was over, and logged for it at step") {
		t.Errorf("got %q, the blame %q (%s) and\n%s\nwant the test's, and that the goroutine went on", e.Message, e.Blame, e.Evidence, e.Report)
	}
}

// Of a test that fails in the default schedule it is told with which goroutine first it passes: by
// what the two did before the failure, and not by who had a lock first, which decides nothing.
func TestTellsWhatPasses(t *testing.T) {
	for test, what := range map[string][2]string{
		"TestReadsTooSoon": {`Load v = 0`, `Store v 0 → 1`},
		"TestReadsTooLate": {`Store v 0 → 1`, `Load v = 1`},
		"TestReadsBetween": {`Load v = 0`, `Store v 0 → 1`},
		"TestReadsOnceSet": {`Load v = 0`, `Store v 0 → 1`},
		"TestPanicsAgain":  {`Store n 0 → 1`, `Load n = 1`},
		"TestCallsDeeper":  {`Store set false → true`, `Load set`},
		"TestCallsTwice":   {`Add\(1\) calls = 1`, `Add\(1\) calls = 2`},
	} {
		e, _ := explored(t, test, 50)
		want := regexp.MustCompile(`cause: "(.*)" did ` + what[0] + ` \(step \d+\) before "(.*)", which could run too, did ` + what[1] + ` \(step \d+\); if "(.*)" goes first there, the test passes`)
		if got := want.FindStringSubmatch(strings.Join(strings.Fields(e.Report), " ")); got == nil || got[2] != got[3] || e.Blame != "test" {
			t.Errorf("got the blame %q and\n%s\nwant the test's, and %s", e.Blame, e.Report, want)
		}
		// The report of an endless recursion has the calls, innermost first.
		if test == "TestCallsDeeper" && (e.Kind != "fatal" || !strings.Contains(e.Report, ".callsItself causes_test.go:")) {
			t.Errorf("got %s and\n%s\nwant the function that calls itself", e.Kind, e.Report)
		}
	}
}

// A goroutine that looks at a channel and then waits for it misses nothing by the look.
func TestTellsNoMiss(t *testing.T) {
	for test, want := range map[string]string{"TestClosesThePipe": "did Once.Do", "TestClosesTheConn": "did close chan#1"} {
		e, _ := explored(t, test, 50)
		if text := strings.Join(strings.Fields(e.Report), " "); !strings.Contains(text, want) || strings.Contains(text, "went on without") {
			t.Errorf("got\n%s\nwant who closed the pipe first", e.Report)
		}
	}
}

// Where a goroutine that waits in an operation could go on first, the cause says so: the row in which
// it began to wait comes before the other one.
func TestTellsWhoGoesOn(t *testing.T) {
	e, _ := explored(t, "TestLocksAgain", 50)
	const want = ".func1\", which could run too, went on with Lock mu (step "
	if text := strings.Join(strings.Fields(e.Report), " "); !strings.Contains(text, want) {
		t.Errorf("got\n%s\nwant %s", e.Report, want)
	}
}

// If only the order in which goroutines begin is told, it is in no operation of which to say where.
func TestBlamesNoOperation(t *testing.T) {
	const want = "it is not known which operations decide"
	if e, _ := explored(t, "TestReceivesReflected", 50); e.Blame != "undecided" || e.Evidence != want {
		t.Errorf("got the blame %q (%s), want undecided: %s\n%s", e.Blame, e.Evidence, want, e.Report)
	}
}

// What only fails the test when it is over has logged nothing.
func TestBlamesALateFail(t *testing.T) {
	e, _ := explored(t, "TestFailsTooLate", 50)
	for _, want := range []string{"went on when the test was over, and failed it at step", "and fails the test (failures_test.go:"} {
		if text := strings.Join(strings.Fields(e.Report), " "); !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwant it to contain %q", e.Report, want)
		}
	}
}

// A test that fails because another process is slower than the virtual clock, and that passes
// without control, is unknown: also if only later processes are slow, or one and those of another
// run, which repeats the failure. On a busy machine a process may be slow for a schedule and quick
// when that is repeated; then the test is tried again, with one more that is quick.
func TestOthersAreSlow(t *testing.T) {
	for name, quick := range map[string]string{"all": "none", "later": "[1-N]", "one": "[^N]|[0-9]{2,}"} {
		want := "it passed without control, but not under it: process_test.go:191: it is still there"
		for try := 1; ; try++ {
			t.Setenv("LEAVES_AT_ONCE", strings.ReplaceAll(quick, "N", strconv.Itoa(3+try)))
			t.Setenv("LEFT", filepath.Join(t.TempDir(), "left"))
			e, r := explored(t, "TestLeavesSlowly", 20)
			if e.Verdict == "unknown" && e.Reason == want {
				break
			}
			if e.Verdict != "unknown" || !strings.Contains(e.Reason, "repeat") || try == 5 {
				t.Errorf("slow are %s: got %s, %q, want unknown and %q\n%s", name, e.Verdict, e.Reason, want, r.output)
				break
			}
		}
	}
}

// Nothing is claimed of a test that can run only once in a process. If one of its first runs
// fails, that is reported.
func TestRunOnce(t *testing.T) {
	e, _ := explored(t, "TestWellOnce", 300)
	for _, want := range []string{"it passes when it is run first, and fails when it is run again", " of its first execution, each in a process of its own, passed"} {
		if e.Verdict != "unknown" || e.Exhausted || !strings.Contains(e.Reason, want) {
			t.Errorf("got %s, %q, want unknown and %q", e.Verdict, e.Reason, want)
		}
	}
}

// The report on an example shows what it printed. If only the order of the lines differs, the
// blame is undecided.
func TestExampleOrder(t *testing.T) {
	wrong(t, "Example_order", "check", `its lines are in another order: got "`)
	e, _ := explored(t, "Example_order", 300)
	if e.Blame != "undecided" || !strings.Contains(e.Evidence, "in another order") {
		t.Errorf("got the blame %q: %s, want undecided because of the order", e.Blame, e.Evidence)
	}
}

func wrong(t *testing.T, test, kind, message string) {
	t.Helper()
	e, r := explored(t, test, 300)
	if e.Verdict != "violated" || e.Kind != kind || !strings.Contains(e.Message, message) || r.code != 1 {
		t.Fatalf("got %s, %s, %q, %s, exit code %d; want %s, %q\n%s", e.Verdict, e.Kind, e.Message, e.Reason, r.code, kind, message, r.output)
	}
	if !strings.Contains(strings.Join(strings.Fields(e.Output+e.Report), " "), message) { // the lines may be wrapped
		t.Errorf("want %q in the output or the report, got:\n%s%s", message, e.Output, e.Report)
	}
	if e.Schedule < 1 || e.Schedules < e.Schedule {
		t.Errorf("got a failure at schedule %d of %d, want it among them", e.Schedule, e.Schedules)
	}
	if ours := machinery.FindString(e.Report); ours != "" {
		t.Errorf("got %q in the report, want none of it:\n%s", ours, e.Report)
	}
	again := start(t, protocol.Request{Mode: protocol.Replay, Card: e.Card}, only(test)).of(t, test)
	if again.Verdict != "violated" || again.Kind != e.Kind || again.Message != e.Message || again.Card != e.Card {
		t.Errorf("replayed: got %+v\nwant %+v", again, e)
	}
}

// Where a process ends is where the program has called for it. Only the stack goes on into package os.
func TestExitIsThePrograms(t *testing.T) {
	if e, _ := explored(t, "TestExits", 300); strings.Count(e.Report, "proc.go") != 1 {
		t.Errorf("want package os in the stack only, got\n%s", e.Report)
	}
}

// Only the first schedule of a process finds package variables as the program's start left
// them. So some first schedules are explored too, each in a process of its own, and the claim
// says which state the others found.
func TestFirstSchedules(t *testing.T) {
	for test, message := range map[string]string{"TestLazyOrder": "they came as", "TestLazyStuck": "can never go on"} {
		e, _ := explored(t, test, 300)
		if e.Verdict != "violated" || e.Schedule < 1 || !strings.Contains(e.Message, message) || strings.Contains(e.Report, "another failure") {
			t.Errorf("got %+v, want one failure", e)
		}
	}
	const want = "exhausted, what outlives a schedule as an earlier one left it"
	for _, test := range []string{"TestLazyTwo", "TestLazyWinner", "TestLazyHeap", "TestKeptSeldom", "TestKeptAtomic", "TestKeptBuffer", "TestKeptLevels", "TestKeptFile", "TestKeptAdded"} {
		if e, _ := explored(t, test, 300); !e.Exhausted || !strings.Contains(e.Summary, want) {
			t.Errorf("%s: got %+v, want %q", test, e, want)
		}
	}
	for _, test := range []string{"TestKeptNone", "TestKeptNothing", "TestKeptAnew"} {
		if e, _ := explored(t, test, 300); !e.Exhausted || strings.Contains(e.Summary, "outlives") {
			t.Errorf("%s: got %+v, want it exhausted, with nothing that outlives a schedule", test, e)
		}
	}
}

// Every process runs only the requested subtests.
func TestSubtestsThatWereAskedFor(t *testing.T) {
	for flag, want := range map[string]string{"-test.run=Halves/right": "holds", "-test.run=Plain|Halves/wrong": "violated", "-test.skip=/wrong": "holds"} {
		q := protocol.Request{Mode: protocol.Explore, Schedules: 100}
		flags := []string{only("TestHalves"), flag} // the last one of two equal flags counts
		e := start(t, q, flags...).of(t, "TestHalves")
		if e.Verdict != want {
			t.Errorf("%s: got %+v, want %s", flag, e, want)
		}
	}
}

// Equal requests get equal results, to the byte.
func TestRepeatable(t *testing.T) {
	for _, test := range []string{"TestLostUpdate", "TestParallelSubtests", "TestFailsInParallelSubtest"} {
		first, _ := explored(t, test, 200)
		second, _ := explored(t, test, 200)
		first.Took, second.Took = 0, 0
		if first.Report != second.Report || first.Card != second.Card || first.Distinct != second.Distinct || first.Points != second.Points {
			t.Errorf("got %+v\nand then %+v, want the same", first, second)
		}
	}
}

// The process that grants turns gets reports of the executions.
func TestTellsThatItIsAlive(t *testing.T) {
	turns := filepath.Join(t.TempDir(), "turns")
	if err := os.WriteFile(turns, []byte(`{"Time":1,"Processes":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	r := start(t, protocol.Request{Mode: protocol.Explore, Schedules: 10, Turns: turns}, only("TestLostUpdate"))
	if !slices.ContainsFunc(r.events, func(e protocol.Event) bool { return e.Alive && e.Test == "TestLostUpdate" }) {
		t.Errorf("got %+v, want a report of an execution", r.events)
	}
}

// After the last turn the process tells its result, and does not say once more that a turn is over,
// even if it counts another schedule meanwhile.
func TestEndsAfterTheLastTurn(t *testing.T) {
	turns := filepath.Join(t.TempDir(), "turns")
	if err := os.WriteFile(turns, []byte(`{"Time":1,"Processes":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	r := start(t, protocol.Request{Mode: protocol.Explore, Schedules: 300, Turns: turns}, only("TestLazyTwo"))
	ends := 0
	for _, e := range r.events {
		if e.Pause {
			ends++
		}
	}
	if e := r.last(t, "TestLazyTwo"); ends != 1 || e.Schedules == 0 {
		t.Errorf("got %d ends of a turn, and then %+v, want one, and a result", ends, e)
	}
}

// Several processes, each continuing where the previous one ended, explore the same schedules
// as one process. They find the same failure at the same schedule.
func TestGoesOnInAnotherProcess(t *testing.T) {
	for test, schedules := range map[string]int{"TestSubtests": 12, "TestLazy": 300} {
		want, _ := explored(t, test, schedules)
		turns := filepath.Join(t.TempDir(), "turns")
		if err := os.WriteFile(turns, []byte(strings.Repeat(`{"Time":1,"Processes":1}`+"\n", 3)), 0o600); err != nil { // a schedule each
			t.Fatal(err)
		}
		var got protocol.Event
		parts := 0
		for ; parts == 0 || len(got.Bookmark) > 0; parts++ {
			got = start(t, protocol.Request{Mode: protocol.Explore, Schedules: schedules, Turns: turns, Bookmark: got.Bookmark}, only(test)).last(t, test)
		}
		if parts < 2 || got.Schedules != want.Schedules || got.Distinct != want.Distinct || got.Points != want.Points ||
			got.Verdict != want.Verdict || got.Card != want.Card || got.Exhausted != want.Exhausted {
			t.Errorf("%s: in %d parts: got %+v\nwant %+v", test, parts, got, want)
		}
	}
}

// A test that waits for ever after it has failed does so without control too, and that is told
// after a short time: it needs no longer than what waits for ever under control.
func TestFailsAndHangs(t *testing.T) {
	r := start(t, protocol.Request{Mode: protocol.Explore, Schedules: 20, End: time.Now().Add(8 * time.Second)}, only("TestFailsAndWaits"))
	const want = "the test does not end after that, and without control it does not end either"
	if e := r.of(t, "TestFailsAndWaits"); e.Kind != "check" || !strings.Contains(strings.Join(strings.Fields(e.Report), " "), want) {
		t.Errorf("got %s and\n%s\nwant a failed check, and %q", e.Kind, e.Report, want)
	}
}
