package explore_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// Schedules that differ only in the order of operations that do not conflict count as
// one: two goroutines have as many orders on one variable as there are interleavings of
// their operations, and a single order on two variables.
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
			t.Errorf("%s: got %d distinct of %d, exhausted %v; want %d of more", c.name, r.Distinct, r.Schedules, r.Exhausted, c.want)
		}
	}
}
