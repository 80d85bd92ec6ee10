package guest_test

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

func discover(t *testing.T, flags ...string) run {
	t.Helper()
	return start(t, protocol.Request{Mode: protocol.Discover}, flags...)
}

// A discovery run prints what go test prints and exits with the same code.
func TestDiscoveryPrintsLikeGoTest(t *testing.T) {
	r := discover(t, "-test.v", "-test.run=^(TestPlain|TestPlainFails|TestSkipped|TestHelperInCleanup|TestSubtests|Example|Example_unordered|Example_wrong|FuzzSeeds)$")
	want := `=== RUN   TestSubtests
=== RUN   TestSubtests/a
=== RUN   TestSubtests/a/deep
=== RUN   TestSubtests/b
=== RUN   TestSubtests/b/deep
=== RUN   TestSubtests/b#01
=== RUN   TestSubtests/b#01/deep
--- PASS: TestSubtests (0.00s)
    --- PASS: TestSubtests/a (0.00s)
        --- PASS: TestSubtests/a/deep (0.00s)
    --- PASS: TestSubtests/b (0.00s)
        --- PASS: TestSubtests/b/deep (0.00s)
    --- PASS: TestSubtests/b#01 (0.00s)
        --- PASS: TestSubtests/b#01/deep (0.00s)
=== RUN   TestPlain
printed
    plain_test.go:14: logged
--- PASS: TestPlain (0.00s)
=== RUN   TestPlainFails
    plain_test.go:17: got 1, want 2
--- FAIL: TestPlainFails (0.00s)
=== RUN   TestSkipped
    plain_test.go:19: not today
--- SKIP: TestSkipped (0.00s)
=== RUN   TestHelperInCleanup
    plain_test.go:117: cleaned
--- PASS: TestHelperInCleanup (0.00s)
=== RUN   FuzzSeeds
=== RUN   FuzzSeeds/seed#0
    plain_test.go:73: seed
--- PASS: FuzzSeeds (0.00s)
    --- PASS: FuzzSeeds/seed#0 (0.00s)
=== RUN   Example
--- PASS: Example (0.00s)
=== RUN   Example_unordered
--- PASS: Example_unordered (0.00s)
=== RUN   Example_wrong
--- FAIL: Example_wrong (0.00s)
got:
x
want:
y
FAIL
`
	if r.output != want || r.code != 1 {
		t.Errorf("got exit code %d, want 1; got output\n%s\nwant\n%s", r.code, r.output, want)
	}
}

// A discovery run says which tests have schedules to choose from.
func TestDiscoverySays(t *testing.T) {
	r := discover(t, "-test.run=^(TestPlain|TestPlainFails|TestSkipped|TestSubtests|TestTimers|TestDeadline|Example)$")
	for _, c := range []struct {
		test, verdict       string
		concurrent, skipped bool
	}{
		{"TestPlain", "holds", false, false},
		{"TestPlainFails", "violated", false, false},
		{"TestSkipped", "holds", false, true},
		{"TestSubtests", "unknown", true, false},
		{"TestTimers", "unknown", true, false}, // a goroutine may be held up until a timer fires
		{"TestDeadline", "unknown", true, false},
		{"Example", "holds", false, false},
	} {
		e := r.of(t, c.test)
		if e.Verdict != c.verdict || e.Concurrent != c.concurrent || e.Skipped != c.skipped || e.Schedules != 1 {
			t.Errorf("%s: got %+v, want the verdict and flags of the table", c.test, e)
		}
	}
	if got := r.of(t, "TestSkipped").Why; got != "plain_test.go:19: not today" {
		t.Errorf("got %q, want what t.Skip was given", got)
	}
	if got := r.of(t, "TestPlainFails").Message; got != "plain_test.go:17: got 1, want 2" {
		t.Errorf("got %q, want the message of t.Errorf", got)
	}
}

// A discovery run reports which tests change files that other tests may change, too.
func TestDiscoveryOfFiles(t *testing.T) {
	r := discover(t, "-test.run=^(TestOthersFiles|TestTemporaryFiles|TestPlain|TestRootsFiles|TestLooksBelowRoot)$")
	for test, want := range map[string]bool{
		"TestOthersFiles": true, "TestTemporaryFiles": false, "TestPlain": false, "TestRootsFiles": true, "TestLooksBelowRoot": false,
	} {
		if e := r.of(t, test); e.Files != want || e.Apart || e.Verdict != "holds" {
			t.Errorf("%s: got %+v, want files %v, and no failure", test, e, want)
		}
	}
	r = discover(t, only("TestStartsOthers"))
	if e := r.of(t, "TestStartsOthers"); !e.Files || e.Apart || e.Verdict == "violated" {
		t.Errorf("got %+v, want that it may change files", e)
	}
}

// A discovery run also reports that TestMain changes files. Then no second process is started
// beside the first one to repeat a failure.
func TestMainChangesFiles(t *testing.T) {
	const file = "file-of-main"
	t.Cleanup(func() { os.Remove(filepath.Join("testdata", "tests", file)) })
	for name, want := range map[string]bool{file: true, "": false} {
		t.Setenv("WANT_FILE", name)
		if e := discover(t, only("TestPlain")).of(t, "TestPlain"); e.Files != want || e.Apart != want || e.Verdict != "holds" {
			t.Errorf("%q: got %+v, want %t", name, e, want)
		}
		if e, _ := explored(t, "TestLostUpdate", 100); want != (e.Verdict == "unknown" && e.Refused && e.Card != "") {
			t.Errorf("%q: got %+v, want it refused only if TestMain changes files", name, e)
		}
	}
}

// Standard output is restored only after everything that an example's goroutines write.
func TestDiscoveryOfAnExampleThatPrintsElsewhere(t *testing.T) {
	r := discover(t, "-test.run=^Example_elsewhere$")
	if e := r.of(t, "Example_elsewhere"); e.Verdict != "unknown" || !e.Concurrent || !strings.HasPrefix(e.Reason, "not explored") {
		t.Errorf("got %+v, want no failure, and to be explored", e)
	}
}

// A test's output is kept up to a maximum size.
func TestDiscoveryOfMegabytes(t *testing.T) {
	r := discover(t, "-test.run=^(TestBig|TestPlain)$")
	if len(r.output) > 1<<17 || !strings.Contains(r.output, "bytes more") || r.of(t, "TestPlain").Verdict != "holds" {
		t.Errorf("got %d bytes of output, want at most 128 KiB: %.200s", len(r.output), r.output)
	}
}

// The maximum also holds for the output of a run without control.
func TestPlainMegabytes(t *testing.T) {
	r := discover(t, "-test.run=^TestLoudlyFine$")
	if e := r.of(t, "TestLoudlyFine"); len(r.output) > 1<<17 || !strings.Contains(r.output, "bytes more") || !strings.Contains(e.Reason, "passed without control") {
		t.Errorf("got %d bytes of output and %+v, want at most 128 KiB, and it passed without control", len(r.output), e)
	}
}

// With FailFast nothing runs after the first failure, neither tests nor examples. The failure is
// reported twice: when it is found, and when it has been repeated.
func TestDiscoveryFailsFast(t *testing.T) {
	r := start(t, protocol.Request{Mode: protocol.Discover, FailFast: true}, "-test.run=^(TestPlain|TestPlainFails|TestSkipped|Example)$")
	if e := r.of(t, "TestPlainFails"); e.Verdict != "violated" || len(r.events) != 5 || r.code != 1 {
		t.Errorf("got %+v, exit code %d, want TestPlainFails violated and nothing after it", r.events, r.code)
	}
}

// No other test runs in a process that go test would have ended: it could behave differently
// there.
func TestDiscoveryEndsWhereGoTestEnds(t *testing.T) {
	r := discover(t, "-test.run=^(TestGoexit|TestConcurrentMap|TestHangs|TestPlain)$")
	if e := r.of(t, "TestGoexit"); e.Kind != "panic" || !e.Spoilt || r.code != 1 {
		t.Errorf("got %+v, exit code %d, want a panic and a spoilt process", e, r.code)
	}
	for _, e := range r.events {
		if e.Test != "TestGoexit" {
			t.Errorf("got a run of %s in a spoilt process, want none", e.Test)
		}
	}
}

// A test that fails although it has only one schedule, or that fails while it waits for another
// process, and passes without control is unknown, not violated. It is announced before, as in doubt.
func TestDiscoveryDoubts(t *testing.T) {
	r := discover(t, "-test.run=^(Example_callers|Example_wrong|TestTimesAProcess)$")
	for _, test := range []string{"Example_callers", "TestTimesAProcess"} {
		if e := r.of(t, test); e.Verdict != "unknown" || !strings.Contains(e.Reason, "passed without control") {
			t.Errorf("got %+v, want unknown: it passed without control", e)
		}
		if !slices.ContainsFunc(r.events, func(e protocol.Event) bool {
			return e.Test == test && e.Found && e.Doubt == "it may pass without control"
		}) {
			t.Errorf("%s: got %+v, want that it is announced in doubt", test, r.events)
		}
	}
	if e := r.of(t, "Example_wrong"); e.Verdict != "violated" || e.Message != `its output is another one: got "x", want "y"` {
		t.Errorf("got %+v, want violated by another output", e)
	}
}

// A run without control that ends before a goroutine that the test does not wait for has failed
// says nothing about that failure.
func TestGoroutinesFailAfterwards(t *testing.T) {
	for test, want := range map[string]string{"TestLogsAfterwards": "late", "TestDiesAfterwards": "again"} {
		if e, r := explored(t, test, 20); e.Kind != "panic" || !strings.Contains(e.Message, want) {
			t.Errorf("%s: got %+v, exit code %d, want a panic: %s\n%s", test, e, r.code, want, r.output)
		}
	}
}

// A test that fails without control too has failed, even if TestMain reports success.
func TestDiscoveryBelievesTests(t *testing.T) {
	t.Setenv("WANT_NOTHING", "true")
	if e := discover(t, "-test.run=^Example_wrong$").of(t, "Example_wrong"); e.Verdict != "violated" {
		t.Errorf("got %+v, want violated", e)
	}
}

// A test that fails because it allocates more under control is unknown.
func TestDiscoveryOfAllocations(t *testing.T) {
	r := discover(t, "-test.run=^TestAllocations$")
	e := r.of(t, "TestAllocations")
	if e.Verdict != "unknown" || !e.Concurrent || !slices.Contains(e.Outside, "memory statistics") || r.code != 0 {
		t.Errorf("got %+v, exit code %d, want unknown because of memory statistics\n%s", e, r.code, r.output)
	}
	if e, _ := explored(t, "TestAllocations", 5); e.Verdict == "violated" {
		t.Errorf("explored: got %+v, want no failure", e)
	}
}

// Files that a test leaves behind are still there for the tests after it.
func TestDiscoveryKeepsFiles(t *testing.T) {
	temporary(t)
	r := discover(t, "-test.run=^TestTempStays")
	for _, test := range []string{"TestTempStays", "TestTempStaysForOthers"} {
		if e := r.of(t, test); e.Verdict == "violated" || !e.Concurrent {
			t.Errorf("%s: got %+v, want no failure, and concurrent\n%s", test, e, r.output)
		}
	}
}

// A goroutine that does not come back to the scheduler makes the process unusable for later
// tests.
func TestDiscoveryOfWhatStalls(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	r := discover(t, "-test.run=^(TestStalls|TestPlain)$")
	e := r.of(t, "TestStalls")
	if e.Verdict != "unknown" || !strings.Contains(e.Reason, "without a scheduling point") || !e.Spoilt || len(r.events) != 2 {
		t.Errorf("got %+v, want TestStalls unknown, spoilt, and nothing after it\n%s", r.events, r.output)
	}
}

// A failure in the first schedule can be replayed, whichever tests ran before it. It need not
// have been explored.
func TestDiscoveryHasCards(t *testing.T) {
	for _, c := range []struct{ test, kind string }{
		{"TestFailsAlways", "check"}, {"TestConcurrentMap", "race"}, {"TestUnlocks", "fatal"}, {"TestHangs", "deadlock"}, {"TestGoexit", "panic"},
	} {
		q := protocol.Request{Mode: protocol.Discover, Replay: "the line of " + protocol.ReplayTest + " " + protocol.ReplayCard}
		e := start(t, q, "-test.run=^(TestSubtests|TestTimers|"+c.test+")$").of(t, c.test)
		if e.Card == "" || !strings.HasSuffix(e.Report, "the line of "+c.test+" "+e.Card+"\n") {
			t.Errorf("%s: got %+v, want a card, and a report that ends with its replay line", c.test, e)
			continue
		}
		again := start(t, protocol.Request{Mode: protocol.Replay, Card: e.Card}, only(c.test)).of(t, c.test)
		if again.Replayed != "exactly replayed" || again.Kind != c.kind || again.Message != e.Message {
			t.Errorf("%s: replayed: got %+v\nwant %+v", c.test, again, e)
		}
	}
	e := discover(t, "-test.run=^TestPlainFails$").of(t, "TestPlainFails")
	if e.Card != "" || strings.Contains(e.Report, "replay") {
		t.Errorf("got %+v, want neither a card nor a replay line", e)
	}
}

// Before a test is run without control, the listeners that it opened under control are closed, so
// that it can listen at the same address. The tests after it, which may call that address, need
// another process.
func TestDiscoveryHangsUp(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("LISTENS_AT", l.Addr().String())
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for _, all := range []string{"", "TestMain wants others to have run, too"} {
		t.Setenv("WANT_ALL", all)
		r := discover(t, "-test.run=^TestListens$")
		if e := r.of(t, "TestListens"); !e.Spoilt || e.Verdict != "unknown" || !strings.Contains(e.Reason, "passed without control") {
			t.Errorf("%q: got %+v, want unknown, spoilt: it passed without control\n%s", all, e, r.output)
		}
	}
}

// A data race is reported even if its schedule does not repeat it in a process of its own,
// because it depended on state that earlier tests left behind.
func TestDiscoveryTellsOfRaceAfterLeak(t *testing.T) {
	r := discover(t, "-test.run=^(TestAlwaysLeaks|TestAlwaysRacyMap)$")
	if e := r.of(t, "TestAlwaysRacyMap"); e.Verdict != "violated" || e.Kind != "race" {
		t.Errorf("got %+v, want violated by a race\n%s", e, r.output)
	}
}

// The clock does not go back from one test to the next.
func TestDiscoveryGoesOnInTime(t *testing.T) {
	r := discover(t, "-test.run=^(TestLeavesTime|TestLeftTime)$")
	if e := r.of(t, "TestLeftTime"); e.Verdict == "violated" || strings.Contains(e.Reason, "to come") || r.code != 0 {
		t.Errorf("got %+v, want no failure\n%s", e, r.output)
	}
}

// Discovery runs parallel tests one by one, but they may need each other. A test that fails alone
// and passes among the others with go test is unknown.
func TestDiscoveryOfTestsThatMeet(t *testing.T) {
	r := discover(t, "-test.run=^TestMeets")
	for _, test := range []string{"TestMeetsOne", "TestMeetsOther"} {
		if e := r.of(t, test); e.Verdict != "unknown" || !strings.Contains(e.Reason, "it needs them") {
			t.Errorf("got %+v, want unknown: it needs the other tests\n%s", e, r.output)
		}
	}
	r = discover(t, "-test.run=^TestMeetsOne$")
	if e := r.of(t, "TestMeetsOne"); e.Verdict != "violated" {
		t.Errorf("alone: got %+v, want violated\n%s", e, r.output)
	}
}

// The runs without control and among the other tests take less time than a test's first schedule
// may take, which is half of the rest. Otherwise the test would be reported as short of time.
func TestDiscoveryTriesInTime(t *testing.T) {
	const left = 12 * time.Second
	for _, test := range []string{"TestHangsAlone", "TestHangsBesideATicker"} {
		r := start(t, protocol.Request{Mode: protocol.Discover, End: time.Now().Add(left)}, only(test))
		if e := r.of(t, test); e.Kind != "deadlock" || e.Took > left {
			t.Errorf("got %+v, want a deadlock before the time is over\n%s", e, r.output)
		}
	}
}

// TestMain may refuse a second process of its tests. What only another process can show is then
// unknown.
func TestMainWantsToBeAlone(t *testing.T) {
	t.Setenv("WANT_ALONE", filepath.Join(t.TempDir(), "lock"))
	r := discover(t, "-test.run=^(Example_callers|Example_wrong|TestTimesAProcess)$")
	for _, test := range []string{"Example_callers", "Example_wrong", "TestTimesAProcess"} {
		const want = "it ended before the test began (TestMain or an init function): exit status 7"
		if e := r.of(t, test); e.Verdict != "unknown" || !e.Refused || !strings.Contains(e.Reason, want) {
			t.Errorf("got %+v, want unknown, refused by TestMain", e)
		}
	}
	os.Remove(os.Getenv("WANT_ALONE"))
	e, _ := explored(t, "TestLostUpdate", 100)
	if e.Verdict != "unknown" || !e.Refused || e.Card == "" {
		t.Errorf("got %+v, want a failure that could not be repeated, with its card", e)
	}
}

// A test that fails in its first schedule is explored first and run without control later. A test
// that hangs takes long without control, and a discovery run has little time.
func TestDiscoveryTriesNoFailureWithoutControl(t *testing.T) {
	const first = "fails already in the default schedule, which preempts nobody"
	r := discover(t, only("TestFailsAlways"))
	e := r.of(t, "TestFailsAlways")
	if e.Verdict != "violated" || !e.Concurrent || !strings.Contains(e.Report, first) || strings.Contains(e.Report, "without control") {
		t.Errorf("got %+v, want a failure of a concurrent test that was not tried without control", e)
	}
}

// No frame of Jacquard lies between a test and package testing: some tests look at their callers.
func TestDiscoveryIsNoCaller(t *testing.T) {
	r := discover(t, only("TestCallers"))
	if e := r.of(t, "TestCallers"); e.Verdict != "holds" {
		t.Errorf("got %+v, want holds\n%s", e, r.output)
	}
}

// A test sees none of the flags of package testing as given that the guest has a value for.
func TestWithoutFlags(t *testing.T) {
	if e := discover(t, only("TestWithoutFlags")).of(t, "TestWithoutFlags"); e.Verdict != "holds" || len(e.Outside) > 0 {
		t.Errorf("got %+v, want holds", e)
	}
}
