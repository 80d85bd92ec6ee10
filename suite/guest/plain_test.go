package guest

import "testing"

// A run without control that did not end in time confirms a failure only if that failure is
// a wait. Otherwise the item may have needed more time, because its sleeps take real time. One
// that ended confirms no wait, unless the runtime says so, and a data race only a data race.
func TestWhatARunShows(t *testing.T) {
	for _, c := range []struct {
		run  plainRun
		kind string
		want bool
	}{
		{plainRun{}, "check", true},
		{plainRun{ok: true}, "check", false},
		{plainRun{refused: true}, "check", false},
		{plainRun{endless: "came to no end"}, "check", false},
		{plainRun{endless: "came to no end"}, "panic", false},
		{plainRun{endless: "came to no end"}, "deadlock", true},
		{plainRun{endless: "came to no end"}, "livelock", true},
		{plainRun{text: "--- FAIL: TestIt (0.00s)"}, "deadlock", false},
		{plainRun{text: "fatal error: all goroutines are asleep - deadlock!"}, "deadlock", true},
		{plainRun{text: "testing.go:1617: race detected during execution of test"}, "deadlock", false},
		{plainRun{text: "testing.go:1617: race detected during execution of test"}, "check", false},
		{plainRun{text: "testing.go:1617: race detected during execution of test"}, "race", true},
	} {
		if got := c.run.shows(c.kind); got != c.want {
			t.Errorf("%+v of a %s: got %v, want %v", c.run, c.kind, got, c.want)
		}
	}
}
