package explore_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
)

// lockstep runs the goroutines in turn, one step each.
type lockstep struct{ done bool }

func (*lockstep) Name() string { return "lockstep" }

func (s *lockstep) Reset(uint64) { s.done = false }

func (s *lockstep) Begin() (seed uint64, ok bool) {
	ok, s.done = !s.done, true
	return 1, ok
}

func (*lockstep) Pick(p *explore.Point) explore.Choice { return explore.Choice{Index: p.Next} }

func (*lockstep) End(explore.Trace) {}

// Two goroutines each hold a lock that the other one wants, and back off for equally long.
// The explorer does not keep them in lockstep until both give up.
func TestFairTurnsAreNotInStep(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	var attempts atomic.Int64
	body := func(t *explore.T) {
		var locks [2]sync.Mutex
		attempts.Store(0)
		for i := range locks {
			t.Go([]string{"one", "other"}[i], func() {
				for began := time.Now(); ; time.Sleep(time.Millisecond) {
					if attempts.Add(1); both(&locks[i], &locks[1-i]) {
						return
					}
					if time.Since(began) > 80*time.Millisecond {
						t.Error("out of patience")
						return
					}
				}
			})
		}
		t.Wait()
	}
	cfg := explore.Config{Name: t.Name(), Patient: true, MaxSteps: 10_000, Plan: []explore.Stage{{Strategy: new(lockstep), Schedules: 1}}}
	r := run(t, cfg, body)
	if r.Verdict == explore.Violated {
		t.Errorf("got %v (%s), want no failure", r.Verdict, r.Summary())
	}
	if got := attempts.Load(); got < 100 {
		t.Errorf("got %d attempts, want at least 100 in lockstep", got)
	}
}

// both takes two locks, the second one only if it is free, and works before and after.
func both(first, second *sync.Mutex) bool {
	first.Lock()
	defer first.Unlock()
	work()
	got := second.TryLock()
	if got {
		defer second.Unlock()
	}
	work()
	return got
}

func work() {
	var n atomic.Int64
	for range 20 {
		n.Add(1)
	}
}
