package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// A search uses the random numbers of one seed. Samples after it use other seeds, and find
// failures that need them. There are none if the body draws no random numbers.
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
				t.Errorf("got the claim %q of a body that fails, want none", r.Claim())
			}
		}
		cfg.Plan, cfg.Pass = plan(), func(verdict.Failure) bool { return true }
		if r := run(t, cfg, tosses(fails)); r.Passed && r.Exhausted {
			t.Errorf("got exhausted with the claim %q after a passed failure", r.Claim())
		}
	}
	if failed < 3 {
		t.Errorf("got %d of 4 failures, want at least 3: one may need a number that is never drawn", failed)
	}
	for fails, want := range map[int]int{-1: 0, 16: 100} {
		cfg := small(t.Name())
		cfg.Plan = plan()
		r := run(t, cfg, tosses(fails))
		if !r.Unbounded || r.Schedules != r.Searched+want {
			t.Errorf("got %d schedules, %d of them searched, exhausted %t, want %d more than searched, and exhausted", r.Schedules, r.Searched, r.Unbounded, want)
		}
	}
}

// A checkpoint at the end of the search, or after it, does not change the samples after it.
func TestBeyondASearchInParts(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	explored := func(ends ...int) (r *verdict.Result, drawn []string) {
		cfg := small(t.Name())
		for _, end := range append(ends, 0) {
			var all []string
			cfg.Plan = []schedule.Stage{
				{Strategy: strategy.POS(), Schedules: 5}, {Strategy: strategy.DPOR(), Schedules: 100}, {Strategy: strategy.POS(), Schedules: 1000},
			}
			cfg.Enough = func(sofar verdict.Result) bool { return sofar.Schedules == end }
			r = run(t, cfg, func(t *engine.T) {
				lots(t)
				all = append(all, fmt.Sprint(rand.IntN(1000)))
			})
			drawn, cfg.Bookmark = append(drawn, all[warm:]...), r.Bookmark
		}
		return r, drawn
	}
	whole, want := explored()
	end := whole.Schedules - 100
	for _, ends := range [][]int{{end}, {end + 1}, {end - 1, end, end + 60}} {
		r, got := explored(ends...)
		if !r.Unbounded || r.Schedules != whole.Schedules || !slices.Equal(got, want) {
			t.Errorf("parts that end at %v: got %d schedules, exhausted %t, drawing %q, want %d and %q", ends, r.Schedules, r.Unbounded, got, whole.Schedules, want)
		}
	}
}
