package guest

import "testing"

// A run without control that came to no end shows nothing of a failure that is not one of
// waiting: the item may sleep for longer than the run had.
func TestEndlessRunShowsNothing(t *testing.T) {
	for _, c := range []struct {
		run  plainRun
		kind string
		want bool
	}{
		{plainRun{}, "check", true},
		{plainRun{ok: true}, "check", false},
		{plainRun{refused: true}, "check", false},
		{plainRun{endless: true}, "check", false},
		{plainRun{endless: true}, "panic", false},
		{plainRun{endless: true}, "deadlock", true},
		{plainRun{endless: true}, "livelock", true},
	} {
		if got := c.run.shows(c.kind); got != c.want {
			t.Errorf("%+v of a %s: got %v, want %v", c.run, c.kind, got, c.want)
		}
	}
}
