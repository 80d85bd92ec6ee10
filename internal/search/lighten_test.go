package search_test

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
)

// latecomers starts four goroutines. The body fails if the first late of them are each not
// done after a further moment. The others do not matter.
func latecomers(late int, moments ...time.Duration) func(*explore.T) {
	return func(t *explore.T) {
		var done [4]atomic.Bool
		for i, name := range []string{"A", "B", "C", "D"} {
			t.Go(name, func() { done[i].Store(true) })
		}
		for i := range late {
			time.Sleep(moments[i])
			if done[i].Load() {
				return
			}
		}
		t.Error("all of them are late")
	}
}

// A failure that needs several goroutines to be held up is reported with exactly these, each
// for the shortest time that it needs.
func TestEachStallIsItsSmallest(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	const ms = time.Millisecond
	for _, c := range []struct {
		body  func(*explore.T)
		stall time.Duration
		held  string
	}{
		{latecomers(1, 3*ms), 3 * ms, `"A" for 3ms`},
		{latecomers(2, 2*ms, 5*ms), 7 * ms, `"A" for 2ms and "B" for 7ms`},
		{latecomers(3, 2*ms, 2*ms, 2*ms), 6 * ms, `"A" for 2ms and "B" for 4ms and "C" for 6ms`},
	} {
		for seed := range uint64(3) {
			cfg := explore.Config{Name: "latecomers", Seed: seed + 1, Workers: 1, Plan: []explore.Stage{{Strategy: explore.POS(), Schedules: 300}, {Strategy: explore.PCT(0), Schedules: 300}}}
			r, err := explore.Run(t.Context(), cfg, c.body)
			if err != nil || r.Failure == nil {
				t.Fatalf("got %v, %v, want a failure", r, err)
			}
			if f := r.Failure; f.Stall != c.stall || !slices.Contains([]string{"only if somebody is held up, here " + c.held, "found only where somebody is held up, here " + c.held}, f.Needs) {
				t.Errorf("seed %d: got %v, %q, want %v and %s", cfg.Seed, f.Stall, f.Needs, c.stall, c.held)
			}
			if again, err := explore.Replay(t.Context(), cfg, r.Failure.Card, c.body); err != nil || again.Outcome != explore.Exact {
				t.Errorf("seed %d: got %v, %v, want an exact replay", cfg.Seed, again, err)
			}
		}
	}
}
