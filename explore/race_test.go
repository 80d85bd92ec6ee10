package explore_test

import (
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/control"
)

// Who made the accesses of a race is known however much the detector has printed
// before it.
func TestAccessesOfManyRaces(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := small(t.Name())
	cfg.Races = explore.RacesNote
	var many, last int
	r := run(t, cfg, func(t *explore.T) {
		var turn atomic.Int64
		for _, name := range []string{"one", "two"} {
			t.Go(name, func() {
				within(150, func() { many++ })
				turn.Add(1)
				last++
			})
		}
		t.Wait()
	})
	if len(r.Noted) < 2 {
		t.Fatalf("got %v (%s) with races %v, want two", r.Verdict, r.Summary(), r.Noted)
	}
	for _, race := range r.Noted {
		for _, a := range race.Accesses {
			if a.Goroutine == "?" {
				t.Errorf("got %v", race)
			}
		}
	}
}

// within calls f on a stack of so many more frames.
func within(frames int, f func()) {
	if frames == 0 {
		f()
		return
	}
	within(frames-1, f)
}

// More racing accesses than there is room for are too many, and no more than that.
func TestManyRacingAccesses(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	pcs := make([]uintptr, 10_000)
	for i := range pcs {
		pcs[i] = uintptr(i + 1)
	}
	control.SetMemory(pcs)
	control.SetMemory(nil)
}
