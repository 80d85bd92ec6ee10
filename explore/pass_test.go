package explore_test

import (
	"slices"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// The failures of the planted bugs have ten kinds and causes, whichever strategy finds them.
// If Config.Pass accepts failures, they are not reported, and nothing is claimed.
func TestPass(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	planted := slices.DeleteFunc(programs.Canaries(), func(b programs.Program) bool { return b.Verdict != explore.Violated || b.Name == "panic" })
	planted = append(planted, programs.Program{Name: "two checks", Run: programs.TwoChecks}, programs.Program{Name: "two panics", Run: programs.TwoPanics})
	failures := make(map[string]int)
	for _, b := range planted {
		for i, s := range []explore.Strategy{explore.Directed(), explore.Guided(), explore.POS(), explore.RandomWalk(), explore.PCT(3), explore.DPOR()} {
			cfg := explore.Config{Name: b.Name, Seed: uint64(i + 1), Plan: []explore.Stage{{Strategy: s, Schedules: 60}}, Leaks: explore.LeaksFail}
			cfg.Pass = func(f explore.Failure) bool {
				failures[string(f.Of)+" "+f.Cause]++
				return true
			}
			if r := run(t, cfg, b.Run); r.Failure != nil || r.Passed && r.Exhausted {
				t.Errorf("%s by %s: got %s, want no failure, and not exhausted", b.Name, s.Name(), r.Summary())
			}
		}
	}
	all := 0
	for _, n := range failures {
		all += n
	}
	if len(failures) != 10 || all < 1000 {
		t.Errorf("got %d kinds and causes in %d failures, want 10 in at least 1,000: %v", len(failures), all, failures)
	}
}

// The default schedule leaks a goroutine that other schedules do not. If Config.Pass accepts
// the leak, nothing is reported, and the search continues.
func TestPassUsualLeak(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	passed := 0
	cfg := explore.Config{Name: t.Name(), Leaks: explore.LeaksDiffer, Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 50}}}
	cfg.Pass = func(f explore.Failure) bool {
		passed++
		return f.Of == explore.KindLeak
	}
	r := run(t, cfg, func(t *explore.T) {
		ch := make(chan int)
		t.Go("sends", func() { ch <- 1 })
		select {
		case <-ch:
		default:
		}
	})
	if r.Failure != nil || !r.Passed || r.Schedules != 50 || passed < 2 {
		t.Errorf("got %s, %d failures passed, want no failure in 50 schedules", r.Summary(), passed)
	}
}
