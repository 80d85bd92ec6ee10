package guest_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// Calls on files are steps of a test even where package testing makes the same ones, deep in package os.
func TestRemovesAll(t *testing.T) { wrong(t, "TestRemovesAll", "check", "one of two is there") }

// Small tests are exhausted, however package testing runs them, and the search reaches every order that
// sampling reaches. A test that makes unobserved calls, such as those of package syscall, is not
// exhausted. With -short only every fourth test runs.
func TestExhausted(t *testing.T) {
	for i, c := range []struct {
		test string
		want bool
	}{
		{"TestSmall", true}, {"TestSmallSubtests", true}, {"TestSmallParallel", true}, {"TestSmallLogs", true}, {"TestSmallPrints", true}, {"Example_small", true},
		{"TestSmallCleanup", true}, {"TestSmallContext", true}, {"TestSmallEnvironment", true},
		{"TestSmallCalls", false}, {"TestSmallFiles", true}, {"TestSmallDirectory", true}, {"TestSmallRoot", true},
	} {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(c.test, func(t *testing.T) {
			all, sampled := searched(t, c.test, "dpor"), searched(t, c.test, "random")
			t.Logf("%s; of %s; %s", all.Summary, sampled.Summary, all.Incomplete)
			if all.Exhausted != c.want || all.Verdict != "holds" {
				t.Errorf("got %+v, want exhausted %t", all, c.want)
			}
			if sampled.Exhausted || c.want && sampled.Distinct != all.Distinct {
				t.Errorf("sampling reaches %d orders, want the same %d, and no claim", sampled.Distinct, all.Distinct)
			}
			e, _ := explored(t, c.test, 1000)
			if e.Exhausted != c.want || (e.Incomplete == "") != c.want {
				t.Errorf("with the plan of every test: got %+v, want exhausted %t, or else why not", e, c.want)
			}
		})
	}
}

// A search reaches both orders of two calls on an object that the standard library locks, also if
// one function makes both calls of one side, or if they are inlined.
func TestObservedCalls(t *testing.T) {
	for _, verb := range []string{"Encodes", "Puts", "Looks", "Writes", "Sets", "Logs"} {
		for _, who := range []string{"TestOne", "TestOther"} {
			if e := searched(t, who+verb, "dpor"); e.Verdict != "violated" {
				t.Errorf("%s: got %q, %s, want violated", who+verb, e.Verdict, e.Claim)
			} else if who+verb == "TestOneSets" && !regexp.MustCompile(`between Setenv environment \(step \d+\) and Setenv environment \(step \d+\);\s+meanwhile\s+"wg.Go #2"\s+did\s+Getenv environment`).MatchString(e.Report) {
				t.Errorf("%s: want what was read between two calls, got\n%s", who+verb, e.Report)
			}
		}
	}
}

// A test that only reads the clock is not delayed between two readings, and the claim says so.
func TestClaimOfClock(t *testing.T) {
	for test, want := range map[string]bool{"TestSmallLooks": true, "TestSmallLogs": false} {
		e := searched(t, test, "dpor")
		if got := strings.Contains(e.Claim, "nobody held up between two looks at the clock"); !e.Exhausted || got != want {
			t.Errorf("%s: got %q, want it to mention the clock: %t", test, e.Claim, want)
		}
	}
}

// A goroutine may be held up until a timer fires however long it has been alone before. Where it is alone
// beside the timer for too long for that, nothing is claimed.
func TestAlone(t *testing.T) {
	if e := searched(t, "TestAloneBeforeTimer", "dpor"); e.Verdict != "violated" || e.Kind != "timing" {
		t.Errorf("got %+v, want it to be too late", e)
	}
	const want = "cannot be exhausted: a goroutine that went on alone for very long was not held up until a timer fired"
	if e, _ := explored(t, "TestSmallAloneBesideTimer", 20); e.Claim != want {
		t.Errorf("got %q, want %q", e.Claim, want)
	}
}

// Random numbers and the order of maps are those of one seed in every schedule of a search. The claim of
// a test that uses them says so.
func TestClaimOfOneSeed(t *testing.T) {
	for test, want := range map[string]string{
		"TestSmallDraws": "exhausted, random numbers of one seed", "TestSmallLogs": "exhausted",
		"TestSmallSeeds":  "exhausted, random numbers of one seed",
		"TestSmallRanges": "exhausted, order of maps of one seed", "TestSmallSyncRanges": "exhausted, order of maps of one seed",
		"TestSmallRangesAlike": "exhausted", "TestSmallGrows": "exhausted, order of maps of one seed",
		"TestSmallMoves": "exhausted, order of maps of one seed", "TestSmallGrowsAndShrinks": "exhausted, order of maps of one seed",
		"TestSmallShuffles": "exhausted, order of maps of one seed", "TestSmallCancels": "exhausted",
		"TestSmallSelectsAlone": "exhausted, random numbers of one seed",
		"TestSmallTies":         "exhausted, timers due together firing together, random numbers of one seed",
	} {
		if e := searched(t, test, "dpor"); !e.Exhausted || e.Claim != want {
			t.Errorf("%s: got %q, want %q", test, e.Claim, want)
		}
	}
}

// A pool of the program returns what was put into it, even if its module's path has no dot. The claim
// says that pools lose nothing.
func TestClaimOfPools(t *testing.T) {
	if e := searched(t, "TestSmallPool", "dpor"); e.Claim != "exhausted, pools losing nothing" {
		t.Errorf("got %q, want that pools lose nothing", e.Claim)
	}
	if e := searched(t, "TestSmallDirtyPool", "dpor"); e.Verdict != "violated" {
		t.Errorf("got %+v, want violated", e)
	}
}

// No strategy chooses when garbage is collected. A program that can observe it is never exhausted.
func TestClaimOfGarbage(t *testing.T) {
	const want = "cannot be exhausted: when garbage is collected was not explored, and the program can tell"
	for _, test := range []string{"TestSmallFinalizer", "TestSmallReclaims", "TestSmallWeak"} {
		if e := searched(t, test, "dpor"); e.Exhausted || e.Claim != want {
			t.Errorf("%s: got %q, want %q", test, e.Claim, want)
		}
	}
	e := discover(t, "-test.run=^TestReclaims$").of(t, "TestReclaims")
	if want := []string{"when garbage is collected"}; e.Concurrent || !slices.Equal(e.Outside, want) {
		t.Errorf("without another goroutine: got %+v, want it outside: %q", e, want)
	}
}

// searched explores a test with one strategy.
func searched(t *testing.T, test, strategy string) protocol.Event {
	t.Helper()
	q := protocol.Request{Mode: protocol.Explore, Schedules: 1500, Plan: []protocol.Stage{{Strategy: strategy, Schedules: 1500}}}
	return start(t, q, only(test), "-test.v").of(t, test)
}

// A search that is near its end may go on beyond the schedules of a test.
func TestFurther(t *testing.T) {
	for further, want := range map[int]bool{0: false, 10_000: true} {
		q := protocol.Request{Mode: protocol.Explore, Schedules: 1000, Further: further}
		if e := start(t, q, only("TestManyOrders")).of(t, "TestManyOrders"); e.Exhausted != want || want == (e.Schedules <= 1000) {
			t.Errorf("%d further: got %+v, want exhausted: %v", further, e, want)
		}
	}
}

// Calls of T.Helper order nothing. What a helper logs is still told where it was called.
func TestHelpers(t *testing.T) {
	if e, _ := explored(t, "TestHelps", 100); !e.Exhausted || e.Distinct != 1 {
		t.Errorf("got %+v, want one execution, exhausted", e)
	}
	if e, _ := explored(t, "TestHelpsToFail", 100); e.Kind != "check" || !strings.HasPrefix(e.Message, "exhausted_test.go:62: got 0") {
		t.Errorf("got %+v, want the line that calls the helper", e)
	}
}
