package guest_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// Small tests are exhausted, however they are run by package testing, and
// nothing that is sampled is missing there. Where there is something that is not
// seen, such as files, that is not said.
func TestExhausted(t *testing.T) {
	for _, c := range []struct {
		test string
		want bool
	}{
		{"TestSmall", true}, {"TestSmallSubtests", true}, {"TestSmallParallel", true}, {"TestSmallLogs", true}, {"TestSmallPrints", true},
		{"TestSmallCleanup", true}, {"TestSmallContext", true}, {"TestSmallEnvironment", true},
		{"TestSmallFiles", false}, {"TestSmallDirectory", false},
	} {
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

// searched explores a test with one strategy.
func searched(t *testing.T, test, strategy string) protocol.Event {
	t.Helper()
	q := protocol.Request{Mode: protocol.Explore, Schedules: 1500, Plan: []protocol.Stage{{Strategy: strategy, Schedules: 1500}}}
	return start(t, q, only(test), "-test.v").of(t, test)
}
