package explore_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// Schedules that differ only in the order of operations without a conflict count as one. On
// one variable two goroutines have as many orders as interleavings, and on two variables
// one order.
func TestDistinct(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, c := range []struct {
		name string
		body func(*explore.T)
		want int
	}{
		{"one variable", programs.Sharing(1), 6}, // (2+2)! / (2!·2!)
		{"two variables", programs.Sharing(2), 1},
	} {
		cfg := small(c.name)
		cfg.Plan = []explore.Stage{{Strategy: explore.DepthFirst(9), Schedules: 10_000}}
		r := run(t, cfg, c.body)
		if !r.Exhausted || r.Distinct != c.want || r.Schedules <= c.want {
			t.Errorf("%s: got %d distinct of %d, exhausted %v; want %d distinct of more, exhausted", c.name, r.Distinct, r.Schedules, r.Exhausted, c.want)
		}
	}
}
