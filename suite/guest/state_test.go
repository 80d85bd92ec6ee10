package guest_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/suite/guest"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A goroutine that serves the whole process may be started by one schedule. It serves the next ones
// under control too.
func TestSingletonsStay(t *testing.T) {
	e, _ := explored(t, "TestSingleton", 200)
	if e.Verdict != "holds" || e.Distinct < 2 {
		t.Errorf("got %+v, want holds in at least two orders", e)
	}
}

// A schedule that changes its process for good, as its first execution goes differently in any
// case, is confirmed by what fails in another process first. The output is of that process too.
func TestWhatFirstExecutionsConfirm(t *testing.T) {
	e, r := explored(t, "TestRegisters", 100)
	if e.Kind != "panic" || !strings.Contains(e.Message, "too early") || e.Card == "" || strings.Contains(e.Output, "registered twice") {
		t.Errorf("got %+v, exit code %d, want the panic, its card and its output\n%s", e, r.code, r.output)
	}
}

// What fails because of earlier runs in this process, and not because of the schedule, is unknown.
// The reason says so.
func TestWhatIsLeftBehind(t *testing.T) {
	for test, reason := range map[string]string{
		"TestOnlyOnce": "passes when it is run first, and fails when it is run again by the same schedule (singleton_test.go:38: it is registered already)",
		"TestWearsOut": "singleton_test.go:50: worn out, but not by the same schedule in a process of its own",
		// As long as this process lives, no other one can use the port.
		"TestTakesPort": "bind: address already in use, but what the system has no more of (address already in use) earlier schedules may have taken",
	} {
		e, r := explored(t, test, 100)
		code := 0
		if e.Again {
			code = 1 // this process ends, and a new one continues
		}
		if e.Verdict != "unknown" || !strings.Contains(e.Reason, reason) || r.code != code || e.Again == (test == "TestOnlyOnce") {
			t.Errorf("%s: got %+v, exit code %d, want unknown with the reason", test, e, r.code)
		}
		announced := slices.ContainsFunc(r.events, func(e protocol.Event) bool { return e.Found && e.Doubt == "" })
		if alone := test == "TestTakesPort"; e.Files != alone || announced != (test == "TestWearsOut") {
			t.Errorf("%s: got announced %t, to be run alone %t, want these of TestWearsOut and TestTakesPort only", test, announced, e.Files)
		}
	}
}

// What a goroutine that only the first schedule starts does by its timers is missing in later
// schedules. That is no failure of the test, and the reason says so.
func TestTimersEndWithTheirSchedule(t *testing.T) {
	for test, reason := range map[string]string{
		"TestAwaitsBeat": "can never go on), but timers ended with an earlier run, as they do not with go test -count=2",
		"TestBeatsTwice": "but timers ended with an earlier run",
		"TestPostsFirst": "an earlier schedule has left a goroutine in tests.(*beat).meet.(*beat).start.func2.1, and timers, which ended with that schedule",
	} {
		if e, r := explored(t, test, 100); e.Verdict != "unknown" || !strings.Contains(e.Reason, reason) {
			t.Errorf("%s: got %+v, want unknown: %s\n%s", test, e, reason, r.output)
		}
	}
}

// A test may print that the system lacks something although it never asked the system. Then its
// failure counts.
func TestSaysWhatItHasNotAsked(t *testing.T) {
	if e, _ := explored(t, "TestSaysFull", 100); e.Verdict != "violated" || e.Card == "" {
		t.Errorf("got %+v, want the failure", e)
	}
}

// Earlier schedules left something behind, but the failing one did not need it. So its card fails
// in a process of its own too.
func TestFailsWithoutLeftovers(t *testing.T) {
	e, _ := explored(t, "TestFailsOrLeaves", 100)
	if e.Verdict != "violated" || !strings.Contains(e.Message, "the second came first") {
		t.Errorf("got %+v, want the failure", e)
	}
}

// If a failing schedule makes all later ones fail, it is reported as it was found: a shorter
// schedule has failed only in this process, where every schedule does.
func TestFailsOnAndOn(t *testing.T) {
	e, _ := explored(t, "TestTakesTwo", 100)
	if e.Verdict != "violated" || e.Kind != "deadlock" || e.Card == "" || !e.Spoilt || !strings.Contains(e.Report, "as it was found") {
		t.Fatalf("got %+v, want the deadlock as it was found, and a spoilt process", e)
	}
	r := start(t, protocol.Request{Mode: protocol.Replay, Card: e.Card}, only("TestTakesTwo"))
	if again := r.of(t, "TestTakesTwo"); again.Kind != e.Kind {
		t.Errorf("its card: got %+v, want the same deadlock", again)
	}
}

// A test that fails in a discovery run only because of earlier tests is explored.
func TestWhatTestsLeaveBehind(t *testing.T) {
	r := start(t, protocol.Request{Mode: protocol.Discover}, "-test.run=^TestCounts")
	e := r.of(t, "TestCountsOnce")
	if want := "as if earlier tests had left something behind"; e.Verdict != "unknown" || !e.Concurrent || !strings.Contains(e.Reason, want) {
		t.Errorf("got %+v, want unknown: %s, and to be explored\n%s", e, want, r.output)
	}
}

// Leaked goroutines are reported. By default they are a failure only if some schedules leave them
// and others do not.
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
		{"TestTicksOn", protocol.LeaksDiffer, "violated"},
		{"TestTicksUsually", protocol.LeaksDiffer, "violated"},
		{"TestTicksForLong", protocol.LeaksDiffer, "holds"},
	} {
		e := start(t, protocol.Request{Mode: protocol.Explore, Schedules: 200, Leaks: c.leaks}, only(c.test)).of(t, c.test)
		if e.Verdict != c.verdict || e.Verdict == "violated" && e.Kind != "leak" {
			t.Errorf("%s, %q: got %+v, want the verdict of the table", c.test, c.leaks, e)
		}
		if c.test == "TestAlwaysLeaks" && c.leaks == protocol.LeaksDiffer &&
			!slices.ContainsFunc(e.Leaked, func(s string) bool { return strings.Contains(s, "failures_test.go") }) {
			t.Errorf("got leaks %q, want the one in failures_test.go", e.Leaked)
		}
		if c.test == "TestTicksForLong" && len(e.Leaked) > 0 {
			t.Errorf("got leaks %q, want none that every schedule leaves", e.Leaked)
		}
		if always := c.test == "TestAlwaysLeaks"; always && (strings.Contains(e.Message, "#2") || c.leaks == protocol.LeaksDiffer && !e.Exhausted) {
			t.Errorf("%s, %q: got %+v, want nothing that earlier schedules left", c.test, c.leaks, e)
		}
	}
}

// A goroutine that every schedule leaks is not part of the failure if another is leaked by some
// schedules only. Nor is it when the card is replayed.
func TestLeaksMore(t *testing.T) {
	e, _ := explored(t, "TestLeaksMore", 200)
	if e.Kind != "leak" || strings.Contains(e.Message, " and ") || !strings.Contains(e.Report, "minimised to") {
		t.Fatalf("got %q, want that one goroutine never ended, and as few preemptions as it takes\n%s", e.Message, e.Report)
	}
	r := start(t, protocol.Request{Mode: protocol.Replay, Card: e.Card}, only("TestLeaksMore"))
	if again := r.of(t, "TestLeaksMore"); again.Verdict != "violated" || again.Message != e.Message {
		t.Errorf("its card: got %s, %q %s, want %q", again.Verdict, again.Message, again.Reason, e.Message)
	}
}

// Schedules that run before a failure is reported do not change the names of its goroutines, and it
// is reported once.
func TestGrandchild(t *testing.T) {
	e := start(t, protocol.Request{Mode: protocol.Explore, Schedules: 200, Leaks: protocol.LeaksFail}, only("TestGrandchildLeaks")).of(t, "TestGrandchildLeaks")
	if want := `"grandchild", started by "parent"`; !strings.Contains(e.Report, want) || strings.Contains(e.Report, "another failure") || strings.Contains(e.Report, "of an earlier schedule") {
		t.Errorf("got %s, want %s, once, and no goroutine of an earlier schedule", e.Report, want)
	}
}

// A process may run as long as the tests do, and tests may write to it.
func TestProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	temporary(t)
	r := discover(t, "-test.v", "-test.run=^(TestServer|TestServerAgain|TestServerStops|TestFeedsProcess)$")
	for _, test := range []string{"TestServer", "TestServerAgain", "TestServerStops", "TestFeedsProcess"} {
		e := r.of(t, test)
		if e.Verdict == "violated" || e.Spoilt || slices.Contains(e.Outside, "all of it") {
			t.Errorf("%s: got %+v, want no failure, under control", test, e)
		}
	}
	if r.code != 0 {
		t.Errorf("got exit code %d, want 0\n%s", r.code, r.output)
	}
	for _, test := range []string{"TestServer", "TestFeedsProcess"} {
		if e, r := explored(t, test, 5); e.Verdict == "violated" || r.code != 0 {
			t.Errorf("%s, explored: got %+v, want no failure\n%s", test, e, r.output)
		}
	}
}

// A process that repeats a test starts with the directory, environment and arguments of the first
// one, before its TestMain changed them.
func TestMainRunsAgain(t *testing.T) {
	t.Setenv("WANT_MOVED", "asked")
	r := discover(t, only("TestMoved"), "weft")
	if e := r.of(t, "TestMoved"); e.Verdict != "unknown" || !strings.Contains(e.Reason, "under control") {
		t.Errorf("got %+v, want unknown: it fails under control\n%s", e, r.output)
	}
}

// What is not under control is reported, and has no other effect. Only sampling is used: a search
// finds that a finished goroutine may not have ended yet, and is then counted.
func TestOutside(t *testing.T) {
	for test, want := range map[string]string{"TestRunsItself": "other processes", "TestRunsItselfWithARequest": "other processes", "TestServes": "sockets", "TestPipes": "", "TestCounts": ""} {
		e, r := explored(t, test, 15)
		if e.Verdict == "violated" || want != "" && !slices.Contains(e.Outside, want) || want == "" && (len(e.Outside) != 0 || e.Verdict != "holds") {
			t.Errorf("%s: got %+v, want no failure, and what is outside reported\n%s", test, e, r.output)
		}
	}
}

// A failure that leaves a process-wide lock held is reported by the process that confirms it. If a
// passing schedule makes later ones fail, another process continues.
func TestLeavesState(t *testing.T) {
	wrong(t, "TestLeavesLock", "check", "n = 1, want 2")
	e, _ := explored(t, "TestSpoilsOthers", 100)
	if e.Verdict != "unknown" || !e.Again || len(e.Bookmark) == 0 {
		t.Errorf("got %+v, want that another process continues", e)
	}
}

// Polling for what can never happen is a livelock, even if the goroutine allocates meanwhile.
func TestTicketLocks(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	for _, test := range []string{"TestTicketLock", "TestTicketLockAllocates"} {
		if e, r := explored(t, test, 300); e.Kind != "livelock" {
			t.Errorf("%s: got %+v, exit code %d, want a livelock\n%s", test, e, r.code, r.output)
		}
	}
}

// A failure behind a data race is reported too. The report also says that go test fails, whose
// run may end in the deadlock instead.
func TestBehindRace(t *testing.T) {
	e, r := explored(t, "TestRaceAndDeadlock", 200)
	for _, want := range []string{"data race", "fails it too", "another failure", "wait for one another"} {
		if e.Kind != "race" || !strings.Contains(e.Report, want) {
			t.Errorf("got no %q in %s, exit code %d\n%s", want, e.Report, r.code, r.output)
		}
	}
}

// So is one behind a data race that is known, and that every schedule has; if both are known,
// nothing is left to report.
func TestBehindKnownRace(t *testing.T) {
	const test = "TestRaceAndDeadlock"
	race, _ := explored(t, test, 20)
	q := protocol.Request{Mode: protocol.Explore, Schedules: 100, Pass: []protocol.Cause{{Kind: race.Kind, Cause: race.Cause}}}
	r := start(t, q, only(test))
	hidden := r.last(t, test)
	if race.Kind != "race" || hidden.Kind != "deadlock" || hidden.Verdict != "violated" || hidden.Schedules <= 100 {
		t.Fatalf("got a %s, and behind it %+v, want a race, and a deadlock in more than 100 schedules\n%s", race.Kind, hidden, r.output)
	}
	q.Pass = append(q.Pass, protocol.Cause{Kind: hidden.Kind, Cause: hidden.Cause})
	r = start(t, q, only(test))
	if e := r.last(t, test); e.Verdict != "holds" || e.Schedules <= 100 {
		t.Errorf("got %+v, want that nothing else fails in more than 100 schedules\n%s", e, r.output)
	}
}

// If a failure cannot be repeated in a process of its own, the test is unknown.
func TestConfirmationThatCannotBegin(t *testing.T) {
	q := protocol.Request{Mode: protocol.Explore, Events: filepath.Join(t.TempDir(), "missing", "events")}
	e := guest.Confirmed(q, "a card")
	if e.Verdict != "unknown" || !strings.Contains(e.Reason, "could not be tried in a process of its own") || !e.Spoilt || e.Again {
		t.Errorf("got %+v, want unknown, and the reason", e)
	}
}

// The report on a schedule with many preemptions names the cause by variables of the module under
// test.
func TestCauseAmongMany(t *testing.T) {
	e, _ := explored(t, "TestHandlerLosesVisit", 300)
	if !strings.Contains(e.Report, "cause: lost update of visits: ") {
		t.Errorf("got %s and\n%s\nwant a lost update of visits", e.Verdict, e.Report)
	}
}

// Each cause of failure is reported exactly once, in whichever order they are found.
func TestOtherCauses(t *testing.T) {
	for test, messages := range map[string][]string{
		"TestTwoChecks":        {"lost update of n", "lost update of m"},
		"TestCheckAndDeadlock": {"lost update: 1", "wait for one another"},
		"TestCheckAndPanic":    {"lost update: 1", "panic: half done"},
		"TestLostUpdate":       {"n = 1, want 2"},
		"TestOneOfTwoWaits":    {"can never go on"}, // whichever of the two waits
		"TestOneIsWoken":       {"can never go on"}, // whichever two of the three wait, and however many
		"TestSleepersTie":      {"woken 1, then 0"}, // whether a goroutine was delayed or not
	} {
		e, r := explored(t, test, 300)
		if got := strings.Count(e.Report, "\nanother failure:\n"); e.Verdict != "violated" || got != len(messages)-1 {
			t.Errorf("%s: got %s and %d other failures, want %d\n%s%s", test, e.Verdict, got, len(messages)-1, e.Output, e.Report)
		}
		for _, m := range messages {
			if !strings.Contains(e.Output+e.Report, m) {
				t.Errorf("%s: want %q in %s%s, exit code %d", test, m, e.Output, e.Report, r.code)
			}
		}
		if e.Besides < len(messages)-1 {
			t.Errorf("%s: got %d schedules that looked for other failures, want at least %d", test, e.Besides, len(messages)-1)
		}
		if strings.Contains(e.Output, "lost update of n") && strings.Contains(e.Output, "lost update of m") {
			t.Errorf("%s: got the output of two schedules, want that of one:\n%s", test, e.Output)
		}
	}
}
