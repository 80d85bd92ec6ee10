package guest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A goroutine that serves the whole process is started by one schedule, and
// serves the next ones under control too.
func TestSingletonsStay(t *testing.T) {
	e, _ := explored(t, "TestSingleton", 200)
	if e.Verdict != "holds" || e.Distinct < 2 {
		t.Errorf("got %+v", e)
	}
}

// What fails because of what the process has done before, and not because of the
// schedule, is no failure, and it is said why.
func TestWhatIsLeftBehind(t *testing.T) {
	for test, reason := range map[string]string{
		"TestOnlyOnce": "ends well when it is run first, and fails when it is run again by the same schedule (singleton_test.go:37: it is registered already)",
		"TestWearsOut": "singleton_test.go:49: worn out, but not by the same schedule in a process of its own",
	} {
		e, r := explored(t, test, 100)
		if e.Verdict != "unknown" || !strings.Contains(e.Reason, reason) || r.code != 0 {
			t.Errorf("%s: got %+v, exit code %d", test, e, r.code)
		}
	}
}

// Goroutines that can never end are told of; they are a failure if not every
// schedule leaves them.
func TestLeaks(t *testing.T) {
	for _, c := range []struct {
		test    string
		leaks   protocol.Leaks
		verdict string
	}{
		{"TestLeaks", protocol.LeaksDiffer, "violated"},
		{"TestLeaks", protocol.LeaksNote, "holds"},
		{"TestAlwaysLeaks", protocol.LeaksDiffer, "holds"},
		{"TestAlwaysLeaks", protocol.LeaksFail, "violated"},
	} {
		e := start(t, protocol.Request{Mode: protocol.Explore, Schedules: 200, Leaks: c.leaks}, only(c.test)).of(t, c.test)
		if e.Verdict != c.verdict || e.Verdict == "violated" && e.Kind != "leak" {
			t.Errorf("%s, %q: got %+v", c.test, c.leaks, e)
		}
		if c.test == "TestAlwaysLeaks" && c.leaks == protocol.LeaksDiffer &&
			!slices.ContainsFunc(e.Leaked, func(s string) bool { return strings.Contains(s, "failures_test.go") }) {
			t.Errorf("got leaks %q", e.Leaked)
		}
	}
}

// A process may run as long as the tests do, and be fed by them.
func TestProcesses(t *testing.T) {
	temporary(t)
	r := survey(t, "-test.v", "-test.run=^(TestServer|TestServerAgain|TestServerStops|TestFeedsProcess)$")
	for _, test := range []string{"TestServer", "TestServerAgain", "TestServerStops", "TestFeedsProcess"} {
		e := r.of(t, test)
		if e.Verdict == "violated" || e.Spoilt || slices.Contains(e.Outside, "all of it") {
			t.Errorf("%s: got %+v", test, e)
		}
	}
	if r.code != 0 {
		t.Errorf("exit code %d\n%s", r.code, r.output)
	}
	for _, test := range []string{"TestServer", "TestFeedsProcess"} {
		if e, r := explored(t, test, 5); e.Verdict == "violated" || r.code != 0 {
			t.Errorf("%s, explored: got %+v\n%s", test, e, r.output)
		}
	}
}

// A process that runs a test again begins where the first one began, and not where
// TestMain has left that.
func TestMainRunsAgain(t *testing.T) {
	t.Setenv("WANT_MOVED", "asked")
	r := survey(t, only("TestMoved"), "weft")
	if e := r.of(t, "TestMoved"); e.Verdict != "unknown" || !strings.Contains(e.Reason, "under control") {
		t.Errorf("got %+v\n%s", e, r.output)
	}
}

// What nobody controls is told, and changes nothing else.
func TestOutside(t *testing.T) {
	for test, want := range map[string]string{"TestRunsItself": "other processes", "TestRunsItselfWithARequest": "other processes", "TestServes": "sockets", "TestPipes": "", "TestCounts": ""} {
		e, r := explored(t, test, 50)
		if e.Verdict == "violated" || want != "" && !slices.Contains(e.Outside, want) || want == "" && (len(e.Outside) != 0 || e.Verdict != "holds") {
			t.Errorf("%s: got %+v\n%s", test, e, r.output)
		}
	}
}
