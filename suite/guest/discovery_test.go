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

// A discovery run prints what go test prints, and exits with the same code.
func TestDiscoveryPrintsLikeGoTest(t *testing.T) {
	r := discover(t, "-test.v", "-test.run=^(TestPlain|TestPlainFails|TestSkipped|TestSubtests|Example|Example_unordered|Example_wrong|FuzzSeeds)$")
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
		t.Errorf("exit code %d, got\n%s\nwant\n%s", r.code, r.output, want)
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
		{"TestTimers", "unknown", true, false}, // it may be held up until a timer fires
		{"TestDeadline", "unknown", true, false},
		{"Example", "holds", false, false},
	} {
		e := r.of(t, c.test)
		if e.Verdict != c.verdict || e.Concurrent != c.concurrent || e.Skipped != c.skipped || e.Schedules != 1 {
			t.Errorf("%s: got %+v", c.test, e)
		}
	}
	if got := r.of(t, "TestPlainFails").Message; got != "plain_test.go:17: got 1, want 2" {
		t.Errorf("got %q", got)
	}
}

// A discovery run says which tests change files that others may change.
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

// It says the same of TestMain: then no second process is started beside this one to repeat
// a failure.
func TestMainChangesFiles(t *testing.T) {
	const file = "file-of-main"
	t.Cleanup(func() { os.Remove(filepath.Join("testdata", "tests", file)) })
	for name, want := range map[string]bool{file: true, "": false} {
		t.Setenv("WANT_FILE", name)
		if e := discover(t, only("TestPlain")).of(t, "TestPlain"); e.Files != want || e.Apart != want || e.Verdict != "holds" {
			t.Errorf("%q: got %+v, want %t", name, e, want)
		}
		if e, _ := explored(t, "TestLostUpdate", 100); want != (e.Verdict == "unknown" && e.Refused && e.Card != "") {
			t.Errorf("%q: got %+v", name, e)
		}
	}
}

// The standard output is restored for the process after everything that an example has written.
func TestDiscoveryOfAnExampleThatPrintsElsewhere(t *testing.T) {
	r := discover(t, "-test.run=^Example_elsewhere$")
	if e := r.of(t, "Example_elsewhere"); e.Verdict != "unknown" || !e.Concurrent || !strings.HasPrefix(e.Reason, "not explored") {
		t.Errorf("got %+v, want no failure, and to be explored", e)
	}
}

// The output of a test is kept up to a maximum size.
func TestDiscoveryOfMegabytes(t *testing.T) {
	r := discover(t, "-test.run=^(TestBig|TestPlain)$")
	if len(r.output) > 1<<17 || !strings.Contains(r.output, "bytes more") || r.of(t, "TestPlain").Verdict != "holds" {
		t.Errorf("%d bytes of output: %.200s", len(r.output), r.output)
	}
}

// So is its output without control.
func TestPlainMegabytes(t *testing.T) {
	r := discover(t, "-test.run=^TestLoudlyFine$")
	if e := r.of(t, "TestLoudlyFine"); len(r.output) > 1<<17 || !strings.Contains(r.output, "bytes more") || !strings.Contains(e.Reason, "went well without control") {
		t.Errorf("%d bytes of output, %+v", len(r.output), e)
	}
}

// After a failure that is enough nothing else is run, be it a test or an example. It is told
// of when it is found, and when it has been tried again.
func TestDiscoveryFailsFast(t *testing.T) {
	r := start(t, protocol.Request{Mode: protocol.Discover, FailFast: true}, "-test.run=^(TestPlain|TestPlainFails|TestSkipped|Example)$")
	if e := r.of(t, "TestPlainFails"); e.Verdict != "violated" || len(r.events) != 5 || r.code != 1 {
		t.Errorf("got %+v, exit code %d", r.events, r.code)
	}
}

// A test that would have ended the process leaves it in a state in which other tests
// could behave differently.
func TestDiscoveryEndsWhereGoTestEnds(t *testing.T) {
	r := discover(t, "-test.run=^(TestGoexit|TestConcurrentMap|TestHangs|TestPlain)$")
	if e := r.of(t, "TestGoexit"); e.Kind != "panic" || !e.Spoilt || r.code != 1 {
		t.Errorf("got %+v, exit code %d", e, r.code)
	}
	for _, e := range r.events {
		if e.Test != "TestGoexit" {
			t.Errorf("%s was run in a process that was spoilt", e.Test)
		}
	}
}

// A test that fails without any choice, or while it waits for another process, and that
// passes without control, has not failed.
func TestDiscoveryDoubts(t *testing.T) {
	r := discover(t, "-test.run=^(Example_callers|Example_wrong|TestTimesAProcess)$")
	for _, test := range []string{"Example_callers", "TestTimesAProcess"} {
		if e := r.of(t, test); e.Verdict != "unknown" || !strings.Contains(e.Reason, "went well without control") {
			t.Errorf("got %+v", e)
		}
	}
	if e := r.of(t, "Example_wrong"); e.Verdict != "violated" || e.Message != `its output is another one: got "x", want "y"` {
		t.Errorf("got %+v", e)
	}
}

// A test that fails without control too has failed, even if TestMain reports success.
func TestDiscoveryBelievesTests(t *testing.T) {
	t.Setenv("WANT_NOTHING", "true")
	if e := discover(t, "-test.run=^Example_wrong$").of(t, "Example_wrong"); e.Verdict != "violated" {
		t.Errorf("got %+v", e)
	}
}

// Allocations differ under control, so a test that fails because of them is unknown.
func TestDiscoveryOfAllocations(t *testing.T) {
	r := discover(t, "-test.run=^TestAllocations$")
	e := r.of(t, "TestAllocations")
	if e.Verdict != "unknown" || !e.Concurrent || !slices.Contains(e.Outside, "memory statistics") || r.code != 0 {
		t.Errorf("got %+v, exit code %d\n%s", e, r.code, r.output)
	}
	if e, _ := explored(t, "TestAllocations", 5); e.Verdict == "violated" {
		t.Errorf("explored: got %+v", e)
	}
}

// Files that a test leaves are there for the tests after it.
func TestDiscoveryKeepsFiles(t *testing.T) {
	temporary(t)
	r := discover(t, "-test.run=^TestTempStays")
	for _, test := range []string{"TestTempStays", "TestTempStaysForOthers"} {
		if e := r.of(t, test); e.Verdict == "violated" || !e.Concurrent {
			t.Errorf("%s: got %+v\n%s", test, e, r.output)
		}
	}
}

// A goroutine that never yields makes the process unusable for the tests after
// it.
func TestDiscoveryOfWhatStalls(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long")
	}
	r := discover(t, "-test.run=^(TestStalls|TestPlain)$")
	e := r.of(t, "TestStalls")
	if e.Verdict != "unknown" || !strings.Contains(e.Reason, "without a scheduling point") || !e.Spoilt || len(r.events) != 2 {
		t.Errorf("got %+v\n%s", r.events, r.output)
	}
}

// A failure of the first schedule can be replayed, whatever was run before it, even if
// the test was not explored.
func TestDiscoveryHasCards(t *testing.T) {
	for _, c := range []struct{ test, kind string }{
		{"TestFailsAlways", "check"}, {"TestConcurrentMap", "race"}, {"TestUnlocks", "fatal"}, {"TestHangs", "deadlock"}, {"TestGoexit", "panic"},
	} {
		q := protocol.Request{Mode: protocol.Discover, Replay: "the line of " + protocol.ReplayTest + " " + protocol.ReplayCard}
		e := start(t, q, "-test.run=^(TestSubtests|TestTimers|"+c.test+")$").of(t, c.test)
		if e.Card == "" || !strings.HasSuffix(e.Report, "the line of "+c.test+" "+e.Card+"\n") {
			t.Errorf("%s: got %+v", c.test, e)
			continue
		}
		again := start(t, protocol.Request{Mode: protocol.Replay, Card: e.Card}, only(c.test)).of(t, c.test)
		if again.Replayed != "exactly replayed" || again.Kind != c.kind || again.Message != e.Message {
			t.Errorf("%s: replayed: got %+v\nwant %+v", c.test, again, e)
		}
	}
	e := discover(t, "-test.run=^TestPlainFails$").of(t, "TestPlainFails")
	if e.Card != "" || strings.Contains(e.Report, "replay") {
		t.Errorf("there is no schedule to replay: %+v", e)
	}
}

// A test that is run without control after all finds nobody where it listened under
// control, and where those before it did. Tests after it, which may call there, find
// somebody in another process only.
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
		if e := r.of(t, "TestListens"); !e.Spoilt || e.Verdict != "unknown" || !strings.Contains(e.Reason, "went well without control") {
			t.Errorf("%q: got %+v\n%s", all, e, r.output)
		}
	}
}

// A data race is reported even if its schedule does not lead to it in a process of its own,
// because of state that earlier tests have left.
func TestDiscoveryTellsOfRaceAfterLeak(t *testing.T) {
	r := discover(t, "-test.run=^(TestAlwaysLeaks|TestAlwaysRacyMap)$")
	if e := r.of(t, "TestAlwaysRacyMap"); e.Verdict != "violated" || e.Kind != "race" {
		t.Errorf("got %+v\n%s", e, r.output)
	}
}

// Time does not go back from one test to the next.
func TestDiscoveryGoesOnInTime(t *testing.T) {
	r := discover(t, "-test.run=^(TestLeavesTime|TestLeftTime)$")
	if e := r.of(t, "TestLeftTime"); e.Verdict == "violated" || strings.Contains(e.Reason, "to come") || r.code != 0 {
		t.Errorf("got %+v\n%s", e, r.output)
	}
}

// Parallel tests may depend on each other, but are run one by one: a test that go test passes has
// not failed, though by itself it fails with go test, too.
func TestDiscoveryOfTestsThatMeet(t *testing.T) {
	r := discover(t, "-test.run=^TestMeets")
	for _, test := range []string{"TestMeetsOne", "TestMeetsOther"} {
		if e := r.of(t, test); e.Verdict != "unknown" || !strings.Contains(e.Reason, "it needs them") {
			t.Errorf("got %+v\n%s", e, r.output)
		}
	}
	r = discover(t, "-test.run=^TestMeetsOne$")
	if e := r.of(t, "TestMeetsOne"); e.Verdict != "violated" {
		t.Errorf("alone: got %+v\n%s", e, r.output)
	}
}

// The runs without control, and among the other tests, take less than the time for a test's first
// schedule, which is half of the rest: otherwise the test would be reported as short of time.
func TestDiscoveryTriesInTime(t *testing.T) {
	const left = 12 * time.Second
	for _, test := range []string{"TestHangsAlone", "TestHangsBesideATicker"} {
		r := start(t, protocol.Request{Mode: protocol.Discover, End: time.Now().Add(left)}, only(test))
		if e := r.of(t, test); e.Kind != "deadlock" || e.Took > left*5/12 {
			t.Errorf("got %+v\n%s", e, r.output)
		}
	}
}

// TestMain may refuse a second process of its tests: what only another process can show
// is then not known.
func TestMainWantsToBeAlone(t *testing.T) {
	t.Setenv("WANT_ALONE", filepath.Join(t.TempDir(), "lock"))
	r := discover(t, "-test.run=^(Example_callers|Example_wrong|TestTimesAProcess)$")
	for _, test := range []string{"Example_callers", "Example_wrong", "TestTimesAProcess"} {
		const want = "it ended before the test began (TestMain or an init function): exit status 7"
		if e := r.of(t, test); e.Verdict != "unknown" || !e.Refused || !strings.Contains(e.Reason, want) {
			t.Errorf("got %+v", e)
		}
	}
	os.Remove(os.Getenv("WANT_ALONE"))
	e, _ := explored(t, "TestLostUpdate", 100)
	if e.Verdict != "unknown" || !e.Refused || e.Card == "" {
		t.Errorf("got %+v, want a failure that nobody could try again, with its card", e)
	}
}

// A test that fails in its first schedule is explored next. Only then it is run without control:
// for a test that waits for ever that takes long, and the discovery run has little time.
func TestDiscoveryTriesNoFailureWithoutControl(t *testing.T) {
	const first = "fails already in the default schedule, which preempts nobody"
	r := discover(t, only("TestFailsAlways"))
	e := r.of(t, "TestFailsAlways")
	if e.Verdict != "violated" || !e.Concurrent || !strings.Contains(e.Report, first) || strings.Contains(e.Report, "without control") {
		t.Errorf("got %+v, want a failure of a concurrent test that was not tried without control", e)
	}
}

// No frame of Jacquard is between a test and package testing: some tests look at their callers.
func TestDiscoveryIsNoCaller(t *testing.T) {
	r := discover(t, only("TestCallers"))
	if e := r.of(t, "TestCallers"); e.Verdict != "holds" {
		t.Errorf("got %+v\n%s", e, r.output)
	}
}
