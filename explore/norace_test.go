package explore_test

import (
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// Without the race detector every program but those with data races gets the same verdict. Races
// are not seen then, and the result says so.
func TestVerdictsWithoutDetector(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	t.Setenv("JACQUARD_RACE", "0")
	if !explore.Control(t) {
		return
	}
	if control.Detector() {
		t.Fatal("got a process with the race detector, want one without")
	}
	all := slices.Concat(programs.Canaries(), programs.Odd())
	for _, c := range programs.Classics() {
		all = append(all, c.Bug, c.Twin)
	}
	for _, b := range all {
		t.Run(b.Name, func(t *testing.T) {
			if b.Kind != explore.KindRace {
				judged(t, b)
				return
			}
			r := run(t, small(b.Name), b.Run)
			if !r.RacesUnchecked {
				t.Errorf("got no word in the result that data races were not looked for, want one")
			}
			if r.Failure != nil && r.Failure.Kind == explore.KindRace {
				t.Errorf("got %s, want no data race", r.Failure.Message)
			}
			if r.Verdict == explore.Holds && !strings.Contains(r.Summary(), "data races were not looked for") {
				t.Errorf("got %q, want it to say that data races were not looked for", r.Summary())
			}
		})
	}
}

// RacesNote changes nothing without a detector to see races.
func TestRacesNotedWithoutDetector(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	t.Setenv("JACQUARD_RACE", "0")
	if !explore.Control(t) {
		return
	}
	cfg := small("unlocked")
	cfg.Races = explore.RacesNote
	r := run(t, cfg, programs.UnlockedCounter)
	if r.Verdict == explore.Violated || len(r.Noted) != 0 || !r.RacesUnchecked {
		t.Errorf("got %v (%s) with %d races, want none", r.Verdict, r.Summary(), len(r.Noted))
	}
}

// A goroutine and its coroutine are two parents. Only the detector sees how they hand over.
// Without it, the last child of one once counted as alike to earlier children of the other.
func TestAlikeByCoroutine(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	t.Setenv("JACQUARD_RACE", "0")
	if !explore.Control(t) {
		return
	}
	cfg := small("coroutine")
	cfg.Plan = []explore.Stage{{Strategy: explore.DPOR(), Schedules: 1000}}
	r := run(t, cfg, func(t *explore.T) {
		var n, seen atomic.Int32
		var wg sync.WaitGroup
		wg.Add(3)
		adds := func() { n.Swap(n.Load() + 1); wg.Done() }
		next, stop := iter.Pull(func(yield func(bool) bool) {
			go adds()
			yield(true)
			go adds()
		})
		next()
		go func() { seen.Store(n.Load()); wg.Done() }()
		next()
		stop()
		wg.Wait()
		if seen.Load() == 2 {
			t.Errorf("both had added before it looked")
		}
	})
	if r.Verdict != explore.Violated {
		t.Errorf("got %v (%s), want the failure of the third goroutine", r.Verdict, r.Summary())
	}
}
