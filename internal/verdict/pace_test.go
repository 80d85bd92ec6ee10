package verdict_test

import (
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/internal/verdict"
)

// Differs reports large differences in duration, and no small ones.
func TestPace(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		times []time.Duration
		want  string
	}{
		{nil, ""},
		{[]time.Duration{5 * time.Second, 5 * time.Second}, ""},
		{[]time.Duration{0, 999 * ms}, ""},
		{[]time.Duration{3 * ms, 1003 * ms, 4 * ms}, "3ms of its own time by some schedules, 1.003s by others"},
		{[]time.Duration{2 * time.Second, 0}, "0s of its own time by some schedules, 2s by others"},
	} {
		var p verdict.Pace
		for _, d := range c.times {
			p.Add(d)
		}
		if got := p.Differs(); got != c.want {
			t.Errorf("%v: got %q, want %q", c.times, got, c.want)
		}
	}
}
