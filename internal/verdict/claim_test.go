package verdict_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/internal/verdict"
)

// What was only sampled says how many classes it met, and nothing of what it did not meet:
// the chance with which PCT meets a bug is a bound for bodies in which nobody yields, and
// reads as a proof.
func TestSampled(t *testing.T) {
	const want = "sampled 100 schedules, 7 distinct by happens-before"
	for _, pct := range []verdict.PCTBound{{}, {Schedules: []int{0, 10_000}, Goroutines: 2, Points: 2}} {
		r := verdict.Result{Verdict: verdict.Holds, Schedules: 100, Distinct: 7, PCT: pct}
		if got := r.Summary(); got != want {
			t.Errorf("%+v: got %q, want %q", pct, got, want)
		}
	}
}
