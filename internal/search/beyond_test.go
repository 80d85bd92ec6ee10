package search_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/search"
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

// stores starts as many goroutines, each of which stores a number of its own.
func stores(n int) func(*engine.T) {
	return func(t *engine.T) {
		var x atomic.Int32
		for i := range n {
			t.Go(fmt.Sprint(i), func() { x.Store(int32(i)) })
		}
		t.Wait()
	}
}

// A search that is near its end goes on as long as it expects to be complete within its schedules;
// beyond those of the whole exploration only where the plan says so.
func TestNearTheEnd(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, c := range []struct {
		name      string
		tasks     int // which have as many orders as permutations
		schedules int
		last      int // of the stage beyond
		want      bool
		most      int
	}{
		{"within", 5, 200, 0, true, 120},
		{"too few", 6, 200, 0, false, 100},
		{"beyond", 6, 200, 1000, true, 720},
		{"too far", 8, 200, 1000, false, 700},
	} {
		dpor := strategy.DPOR()
		cfg := search.Config{Name: c.name, Schedules: c.schedules, Workers: 1, Plan: []schedule.Stage{
			{Strategy: dpor, Schedules: 100}, {Strategy: dpor, Schedules: 5000, Near: true},
		}}
		if c.last > 0 {
			cfg.Plan = append(cfg.Plan, schedule.Stage{Strategy: dpor, Schedules: c.last, Near: true, Beyond: true})
		}
		r := run(t, cfg, stores(c.tasks))
		if r.Exhausted != c.want || r.Schedules > c.most {
			t.Errorf("%s: got %s, want exhausted: %v, and at most %d schedules", c.name, r.Summary(), c.want, c.most)
		}
	}
	cfg := search.Config{Plan: []schedule.Stage{{Strategy: strategy.RandomWalk(), Schedules: 1, Near: true}}}
	if _, err := search.Run(t.Context(), cfg, stores(1)); !errors.Is(err, search.ErrConfig) {
		t.Errorf("got %v, want ErrConfig for a strategy that cannot say how near its end is", err)
	}
}
