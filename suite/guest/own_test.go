package guest_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// This package ignores a request unless it is the copy that the overlay adds. Otherwise its
// own tests could not run under control.
func TestLeavesRequest(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^$")
	cmd.Env = append(os.Environ(), protocol.RequestVar+"=nowhere")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("got %v, want no error\n%s", err, out)
	}
}

// A test that explores by itself runs once, without control. The result of that run is
// reported.
func TestOwn(t *testing.T) {
	r := discover(t, "-test.v", "-test.run=^(TestOwn|FuzzOwn)")
	right, wrong := r.of(t, "TestOwn"), r.of(t, "TestOwnAndWrong")
	if !right.Own || right.Verdict != "holds" || right.Concurrent {
		t.Errorf("got %+v, want holds by itself", right)
	}
	if !wrong.Own || wrong.Verdict != "violated" || wrong.Message != "TestOwnAndWrong failed without control" || r.code != 1 {
		t.Errorf("got %+v, exit code %d, want violated by itself, and 1", wrong, r.code)
	}
	if strings.Count(r.output, ": by itself\n") != 2 || strings.Count(r.output, ": wrong by itself\n") != 1 {
		t.Errorf("got\n%s\nwant the log of each, the fuzz target included", r.output)
	}
}

// A test that explores by itself for longer than its share of the time is unknown.
func TestOwnIsLong(t *testing.T) {
	r := start(t, protocol.Request{Mode: protocol.Discover, End: time.Now()}, only("TestLongByItself"))
	if e := r.of(t, "TestLongByItself"); !e.Own || e.Verdict != "unknown" || !strings.Contains(e.Reason, "came to no end within 2s") || r.code != 0 {
		t.Errorf("got %+v, exit code %d, want unknown, no end within 2s, and 0", e, r.code)
	}
}

// The output after a test that explores by itself begins on a line of its own. Otherwise
// the start of the next test would be missed.
func TestOwnEndsItsLines(t *testing.T) {
	r := discover(t, "-test.v=test2json", "-test.run=^TestOwn")
	if strings.Count(r.output, "\x16=== NAME  \n") != 2 {
		t.Errorf("got\n%q\nwant two lines that name no test", r.output)
	}
}

// A test that explores by itself gets the same result if it is to be explored.
func TestOwnIsNotExplored(t *testing.T) {
	if e, _ := explored(t, "TestOwn", 10); !e.Own || e.Verdict != "holds" {
		t.Errorf("explored: got %+v, want holds by itself", e)
	}
}

// The code is to blame if one call of it takes a lock for reading twice, or is stopped within
// itself: between two calls of one of its functions, or where the compiler inlines it.
func TestBlamesOneCall(t *testing.T) {
	for name, why := range map[string]string{"TestLocksTwice": "each lock of the cycle is taken", "TestMovesInParts": "one goroutine is preempted, once", "TestTakesTwice": "one goroutine is preempted, once"} {
		if e, _ := explored(t, name, 200); e.Blame != "code" || !strings.HasPrefix(e.Evidence, why) {
			t.Errorf("%s: got the blame %q (%s), want the code's: %s\n%s", name, e.Blame, e.Evidence, why, e.Report)
		}
	}
}

// The standard library synchronises too, which the evidence against a test does not deny.
func TestBlamesTheTest(t *testing.T) {
	for name, end := range map[string]string{"TestLosesBesideAPipe": " but that of the standard library", "TestLostUpdate": "synchronisation"} {
		if e, _ := explored(t, name, 200); e.Blame != "test" || !strings.HasSuffix(e.Evidence, end) {
			t.Errorf("%s: got the blame %q (%s), want the test's, and %q", name, e.Blame, e.Evidence, end)
		}
	}
}

// A value that nobody received is the cause, and not that the test's calls of the code were parted.
func TestCauseIsALostValue(t *testing.T) {
	e, _ := explored(t, "TestLosesAKey", 200)
	want := regexp.MustCompile(`cause: "TestLosesAKey" did send ← true \(step \d+\), and nobody received it: "wg\.Go" had that case in a select, and took receive stop \(step \d+\) undecided`)
	if !want.MatchString(strings.Join(strings.Fields(e.Report), " ")) {
		t.Errorf("got\n%s\nwant %s", e.Report, want)
	}
}
