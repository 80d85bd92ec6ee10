package guest_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A test may do any number of operations while no other goroutine can run. Time passes
// meanwhile.
func TestLong(t *testing.T) {
	for _, test := range []string{"TestLongAlone", "TestAsksForTheTime"} {
		if e, r := explored(t, test, 5); e.Verdict != "holds" {
			t.Errorf("%s: got %+v, want holds\n%s", test, e, r.output)
		}
	}
}

// A test that needs more steps than a schedule may have still runs to its end.
func TestTooLong(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	right := discover(t, only("TestTooLong")).of(t, "TestTooLong")
	if right.Verdict != "unknown" || len(right.Outside) > 0 || !right.Concurrent || !right.Coarse {
		t.Errorf("got %+v, want unknown, concurrent and coarse", right)
	}
	r := discover(t, only("TestTooLongAndWrong"))
	wrong := r.of(t, "TestTooLongAndWrong")
	if wrong.Verdict != "violated" || !strings.HasSuffix(wrong.Message, ": 800000") || !strings.Contains(r.output, wrong.Message) || r.code != 1 {
		t.Errorf("got %+v, exit code %d, want violated with 800000, and 1\n%s", wrong, r.code, r.output)
	}
	if e, _ := explored(t, "TestTooLong", 5); e.Verdict != "holds" || !e.Coarse || e.Schedules != 5 {
		t.Errorf("got %+v, want holds, coarse, in 5 schedules", e)
	}
}

// The default schedule stops goroutines that have run for long, and the report does not say that it
// preempts nobody.
func TestLongUpdate(t *testing.T) {
	const want = "the default schedule, which preempts nobody but goroutines that have run for long"
	if e, _ := explored(t, "TestLongUpdate", 20); e.Verdict != "violated" || !strings.Contains(strings.Join(strings.Fields(e.Report), " "), want) {
		t.Errorf("got %s (%s) and\n%s\nwant it violated, and %q", e.Verdict, e.Reason, e.Report, want)
	}
}

// If an execution is given up, its goroutines stop wherever they are, and may hold locks of
// the whole process. So no test may run after it.
func TestGivenUpSpoils(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	if e := discover(t, only("TestGivenUpWithLock")).of(t, "TestGivenUpWithLock"); !e.Spoilt {
		t.Errorf("got %+v, want a spoilt process", e)
	}
}

// Goroutines that go on for ever once a test is over are left behind, as those are that wait.
func TestGoesOn(t *testing.T) {
	tests := []string{"TestTalksOn", "TestPollsOn", "TestAddsOn", "TestLocksOn"}
	if testing.Short() {
		tests = tests[:2]
	}
	for _, test := range tests {
		if e := discover(t, only(test)).of(t, test); e.Verdict == "violated" || e.Spoilt || len(e.Leaked) == 0 {
			t.Errorf("%s: discovered as %+v, want what was left behind, and no failure", test, e)
		}
		if e, r := explored(t, test, 3); e.Verdict != "holds" || len(e.Leaked) == 0 {
			t.Errorf("%s: got %+v, want holds, and what was left behind\n%s", test, e, r.output)
		}
		e := start(t, protocol.Request{Mode: protocol.Explore, Schedules: 1, MaxSteps: 1000, Leaks: protocol.LeaksFail}, only(test)).of(t, test)
		if e.Verdict != "violated" || e.Kind != "leak" || strings.Count(strings.Join(strings.Fields(e.Report), " "), "again and again") < 2 || strings.Contains(e.Report, "waits\n") {
			t.Errorf("%s: got %+v, want a leak where that is a failure, and what goes on, as the cause and at the end", test, e)
		}
	}
}

// A failure in a schedule that does not end is reported, with its card.
func TestFailsWithoutEnd(t *testing.T) {
	for test, kind := range map[string]string{"TestRacesForEver": "race", "TestFailsForEver": "check"} {
		r := start(t, protocol.Request{Mode: protocol.Discover, MaxSteps: 1000}, only(test))
		if e := r.of(t, test); e.Verdict != "violated" || e.Kind != kind || e.Card == "" || !e.Spoilt {
			t.Errorf("%s: got %+v, want violated by its kind of failure, with a card\n%s", test, e, r.output)
		}
	}
}

// A test that does not end without control fails when its share of the time is over, even
// if it ignores the signal to show its goroutines.
func TestEndless(t *testing.T) {
	for test, shown := range map[string]bool{"TestEndless": true, "TestEndlessAndDeaf": false} {
		r := start(t, protocol.Request{Mode: protocol.Discover, End: time.Now()}, only(test))
		e := r.of(t, test)
		if e.Verdict != "violated" || !e.Spoilt || r.code != 1 || !strings.Contains(r.output, test+" came to no end within 2s without control, which was its share of the time left\n") {
			t.Errorf("got %+v, exit code %d, want violated after 2s without control\n%s", e, r.code, r.output)
		}
		if strings.Contains(r.output, "log/tests.pair(") != shown { // there may be no stacks of goroutines that are running
			t.Errorf("%s: want its goroutines: %t; got\n%s", test, shown, r.output)
		}
	}
}

// What waits for ever without regard to any clock, or to what is outside, gets little time without
// control: that run decides nothing.
func TestHangsBriefly(t *testing.T) {
	e, _ := explored(t, "TestHangs", 5)
	if told := strings.Join(strings.Fields(e.Report), " "); !regexp.MustCompile(`it came to no end within [2-9]s without control$`).MatchString(told) {
		t.Errorf("got %s, want no end within some seconds", e.Report)
	}
}

// The explorer does not wait for processes that a test leaves behind.
func TestLeavesAnother(t *testing.T) {
	if e := discover(t, only("TestLeavesAnother")).of(t, "TestLeavesAnother"); e.Verdict != "unknown" {
		t.Errorf("got %+v, want unknown", e)
	}
}
