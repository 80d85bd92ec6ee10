package guest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// Virtual time passes as tests expect that were not written for it. Correct ones pass in
// every schedule.
func TestTime(t *testing.T) {
	for _, test := range []string{
		"TestTimePasses", "TestManyChildren", "TestProcessIsOlder", "TestTimesOfFiles", "TestManyAdds", "TestWorksUntil",
		"TestProcessors", "TestHandsOver", "TestSleepsOften", "TestMonotonic", "TestSleepsBesideTicks",
	} {
		t.Run(test, func(t *testing.T) {
			e, r := explored(t, test, 20)
			if e.Verdict != "holds" || r.code != 0 {
				t.Errorf("got %+v, exit code %d, want holds\n%s", e, r.code, r.output)
			}
		})
	}
}

// If all schedules fail and a run without control passes, the date of the virtual clock may be why.
func TestDate(t *testing.T) {
	e, r := explored(t, "TestDate", 20)
	if e.Verdict != "unknown" || !e.Refuted || !strings.Contains(e.Reason, "it passed without control") || r.code != 0 {
		t.Errorf("got %+v, exit code %d\n%s", e, r.code, r.output)
	}
}

// A goroutine of the execution delivers a signal that a test sends to its own process. A
// signal from the kernel arrives before time passes, but nobody chooses when.
func TestSignal(t *testing.T) {
	for test, want := range map[string]string{"TestSignalToProcess": "holds", "TestSignalByNumber": "holds", "TestSignalBetweenLooks": "violated"} {
		if e, r := explored(t, test, 100); e.Verdict != want {
			t.Errorf("%s: got %+v, exit code %d, want %s\n%s", test, e, r.code, want, r.output)
		}
	}
	for _, test := range []string{"TestSignalToItself", "TestSignalBeforeStop"} {
		if e := searched(t, test, "dpor"); e.Verdict != "holds" || !e.Exhausted {
			t.Errorf("%s: got %q, %s, want that it holds, exhausted", test, e.Verdict, e.Claim)
		}
	}
	if e, r := explored(t, "TestSignalOfKernel", 5); e.Verdict == "violated" {
		t.Errorf("got %+v, exit code %d, want no failure\n%s", e, r.code, r.output)
	}
}

// What a schedule that fails has not stopped to listen for is not delivered to it in later schedules.
func TestSignalDropped(t *testing.T) { wrong(t, "TestSignalDropped", "deadlock", "can never go on") }

// Goroutines that wait for one another are deadlocked, even beside others' timers.
func TestDeadlockBesideTimers(t *testing.T) {
	for _, test := range []string{"TestDeadlockBesideTick", "TestDeadlockBesideTicker"} {
		t.Run(test, func(t *testing.T) { wrong(t, test, "deadlock", `"wg.Go" and "wg.Go #2"`) })
	}
}

// A test that lives by timers for long may still end, in its first schedule or as a run without
// control shows.
func TestManyTicks(t *testing.T) {
	for test, want := range map[string]string{"TestManyTicks": "not explored", "TestVeryManyTicks": "it passed without control"} {
		r := start(t, protocol.Request{Mode: protocol.Discover}, only(test))
		if e := r.of(t, test); e.Verdict != "unknown" || !strings.Contains(e.Reason, want) {
			t.Errorf("%s: got %+v, want unknown: %s\n%s", test, e, want, r.output)
		}
	}
}

// Timers that fire within a moment of each other may fire in either order.
func TestTimersMeet(t *testing.T) {
	if e, r := explored(t, "TestTimersMeet", 100); e.Kind != "check" {
		t.Errorf("got %+v, exit code %d, want a failed check\n%s", e, r.code, r.output)
	}
}

// Package time reads files for its own purposes. These reads are not scheduling points.
func TestDateIsNoPoint(t *testing.T) {
	if e, r := explored(t, "TestLooksAtTheDate", 20); e.Verdict != "holds" || e.Points > 20 {
		t.Errorf("got %+v, exit code %d, want holds with at most 20 points\n%s", e, r.code, r.output)
	}
}

// Goroutines that a test leaves behind are not observed for ever.
func TestLeavesTicker(t *testing.T) {
	e, r := explored(t, "TestLeavesTicker", 20)
	if e.Verdict != "holds" || len(e.Leaked) != 1 {
		t.Errorf("got %+v, exit code %d, want holds with one leak\n%s", e, r.code, r.output)
	}
}

// It is reported if a timer makes up for a lost wake-up. It is not if every schedule takes
// that long, or if a goroutine was held up.
func TestPaces(t *testing.T) {
	for test, want := range map[string]string{
		"TestLosesWakeUp": "0s of its own time by some schedules, 1s by others", "TestAlwaysLeaks": "", "TestWaitsForTimeout": "",
	} {
		if e, r := explored(t, test, 200); e.Verdict != "holds" || e.Pace != want {
			t.Errorf("%s: got %s, %q, want %q\n%s", test, e.Verdict, e.Pace, want, r.output)
		}
	}
}

// A failure that needs a goroutine to be held up does not hide one that needs none. Both
// are reported.
func TestGoesOnBehindStall(t *testing.T) {
	e, r := explored(t, "TestSleepsAndLoses", 400)
	if e.Kind != "check" || !strings.HasSuffix(e.Message, "n = 2, want at least 3") || !strings.Contains(e.Report, "not started") || r.code != 1 {
		t.Errorf("got %s, %q, exit code %d, want the check, and the timing in the report\n%s", e.Kind, e.Message, r.code, e.Report)
	}
	var told []string
	for _, e := range r.events {
		if e.Found && e.Card != "" {
			told = append(told, fmt.Sprintf("%s another=%t instead=%t unconfirmed=%t whole=%t", e.Kind, e.Another, e.Instead, e.Unconfirmed, e.Reduced && e.Report != ""))
		}
	}
	want := []string{
		"timing another=false instead=false unconfirmed=false whole=false", "timing another=false instead=false unconfirmed=false whole=true",
		"check another=true instead=false unconfirmed=true whole=false", "check another=true instead=true unconfirmed=false whole=false",
		"check another=false instead=false unconfirmed=false whole=true",
	}
	if !slices.Equal(told, want) {
		t.Errorf("got %q, want %q", told, want)
	}
	if e, r := explored(t, "TestSleepsAndLoses", 2); e.Kind != "timing" || e.Schedules > 2 {
		t.Errorf("got %s, %q in %d schedules, want the timing in at most 2\n%s", e.Kind, e.Message, e.Schedules, r.output)
	}
}

// Where the first execution of a process differs, it holds nobody up either when a failure is sought
// that does not need it.
func TestGoesOnBehindStallInFirsts(t *testing.T) {
	e, r := explored(t, "TestPreparesAndLoses", 60)
	if e.Kind != "timing" || e.Verdict != "violated" || strings.Contains(e.Report, "another failure") {
		t.Errorf("got %s, %s, want only the timing\n%s", e.Verdict, e.Kind, r.output)
	}
}

// Schedules that hold nobody up and find no failure are counted, like those that look for others, of
// which there are 150.
func TestCountsBehindStall(t *testing.T) {
	if e, r := explored(t, "TestCountsAndIsLate", 400); e.Kind != "timing" || e.Besides < 300 {
		t.Errorf("got %s, and %d schedules besides %d, want a timing, and 300\n%s", e.Kind, e.Besides, e.Schedules, r.output)
	}
}
