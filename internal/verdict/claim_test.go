package verdict_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/internal/verdict"
)

// For samples the summary reports how many classes were met, but not the PCT bound:
// that bound holds only for bodies in which no goroutine yields, and would read like a
// proof.
func TestSampled(t *testing.T) {
	const want = "sampled 100 schedules, 7 distinct by happens-before"
	for _, pct := range []verdict.PCTBound{{}, {Schedules: []int{0, 10_000}, Goroutines: 2, Points: 2}} {
		r := verdict.Result{Verdict: verdict.Holds, Schedules: 100, Distinct: 7, PCT: pct}
		if got := r.Summary(); got != want {
			t.Errorf("%+v: got %q, want %q", pct, got, want)
		}
	}
}
