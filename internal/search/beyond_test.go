package search_test

import (
	"math/rand/v2"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// A search has the random choices of one seed. Samples behind it have others, and find what
// fails for some of them only; where nothing is random there are none.
func TestBeyondASearch(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	tosses := func(fails int) func(*engine.T) {
		return func(t *engine.T) {
			lots(t)
			if fails >= 0 && rand.IntN(16) == fails {
				t.Error("it is this one")
			}
		}
	}
	plan := func() []schedule.Stage {
		return []schedule.Stage{{Strategy: strategy.DPOR(), Schedules: 100}, {Strategy: strategy.POS(), Schedules: 1000}}
	}
	failed := 0
	for fails := range 4 {
		cfg := small(t.Name())
		cfg.Plan = plan()
		if r := run(t, cfg, tosses(fails)); r.Verdict == verdict.Violated {
			failed++
			if r.Exhausted || r.Claim() != "" {
				t.Errorf("it fails, and is %q", r.Claim())
			}
		}
		cfg.Plan, cfg.Pass = plan(), func(verdict.Failure) bool { return true }
		if r := run(t, cfg, tosses(fails)); r.Passed && r.Exhausted {
			t.Errorf("a failure was passed by, and it is %q", r.Claim())
		}
	}
	if failed < 3 {
		t.Errorf("%d of 4 failed, want all but the one, if any, that is not drawn", failed)
	}
	for fails, want := range map[int]int{-1: 0, 16: 100} {
		cfg := small(t.Name())
		cfg.Plan = plan()
		r := run(t, cfg, tosses(fails))
		if !r.Unbounded || r.Schedules != r.Searched+want {
			t.Errorf("got %d schedules, %d of them searched, exhausted %t, want %d more and exhausted", r.Schedules, r.Searched, r.Unbounded, want)
		}
	}
}
