package search_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// lost has two goroutines that lose updates.
func lost(t *engine.T) {
	var n atomic.Int64
	for _, name := range []string{"one", "two"} {
		t.Go(name, func() {
			for range 3 {
				n.Store(n.Load() + 1)
			}
		})
	}
	t.Wait()
	if n.Load() != 6 {
		t.Error("lost")
	}
}

// Config.Found gets a failure at once, and again with its card before it is minimised. With
// Config.Hurry the result has the failure unminimised.
func TestFound(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	var told []verdict.Failure
	cfg := small(t.Name())
	cfg.Found = func(f verdict.Failure) { told = append(told, f) }
	full := run(t, cfg, lost)
	if len(told) != 2 || told[0].Card != "" || told[1].Card == "" || told[1].Schedule != full.Failure.Schedule || told[0].Message != full.Failure.Message {
		t.Fatalf("got %+v told of %+v, want it without and then with its card", told, full.Failure)
	}
	first := told[1]
	if !full.Failure.Minimal || full.Failure.Preemptions >= first.Preemptions {
		t.Fatalf("got %d preemptions reduced to %d, want fewer", first.Preemptions, full.Failure.Preemptions)
	}
	r, err := search.Replay(t.Context(), small(t.Name()), first.Card, lost)
	if err != nil || r.Outcome != verdict.Exact || r.Result.Failure.Preemptions != first.Preemptions {
		t.Errorf("its card: got %+v, %v, want an exact replay", r, err)
	}
	told = nil
	cfg.Hurry = func() bool { return true }
	hurried := run(t, cfg, lost)
	if got := hurried.Failure; got.Minimal || got.Preemptions != first.Preemptions || got.Schedule != first.Schedule {
		t.Errorf("in a hurry: got %+v, want the failure unminimised", got)
	}
}

// Found is told whether goroutines were stopped because they had run for long.
func TestFoundInALongRun(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for times, want := range map[int]bool{3: false, 1100: true} {
		cfg, told := small(t.Name()), []verdict.Failure(nil)
		cfg.Plan = []schedule.Stage{{Strategy: strategy.DepthFirst(0), Schedules: 1}}
		cfg.Found = func(f verdict.Failure) { told = append(told, f) }
		run(t, cfg, func(t *engine.T) {
			var n atomic.Int64
			t.Go("one", func() {
				for range times {
					n.Add(1)
				}
			})
			t.Go("two", func() { n.Load() })
			t.Wait()
			t.Error("always")
		})
		if len(told) == 0 || told[0].Quantum != want {
			t.Errorf("%d times: got %+v, want a failure with Quantum %t", times, told, want)
		}
	}
}

// Found gets a failure that cannot be repeated twice without a card: at once, and after a retry.
func TestFoundAndNotAgain(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	var told []verdict.Failure
	cfg, runs := small(t.Name()), 0
	cfg.Found = func(f verdict.Failure) { told = append(told, f) }
	r, err := search.Run(t.Context(), cfg, func(t *engine.T) {
		if runs++; runs == 4 {
			t.Error("once")
		}
		lots(t)
	})
	if err != nil || r.Verdict != verdict.Unknown {
		t.Fatalf("got %v, %v, want unknown", r, err)
	}
	if len(told) != 2 || told[0].Card+told[1].Card != "" || told[0].Schedule != told[1].Schedule {
		t.Errorf("got %+v, want one failure twice without a card", told)
	}
}

// lots has choices and never fails.
func lots(t *engine.T) {
	var n atomic.Int64
	for range 2 {
		t.Go("add", func() { n.Store(n.Load() + 1) })
	}
	t.Wait()
}

// A failure that needs a goroutine to be held up is reported as such from the start.
func TestFoundHeldUp(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	var told []verdict.Failure
	cfg := small(t.Name())
	cfg.Stall = 10 * time.Millisecond
	cfg.Found = func(f verdict.Failure) { told = append(told, f) }
	run(t, cfg, func(t *engine.T) {
		done := make(chan bool, 1)
		t.Go("worker", func() { done <- true })
		select {
		case <-done:
		case <-time.After(time.Millisecond):
			t.Error("late")
		}
	})
	if len(told) != 2 || told[0].Kind != engine.KindTiming || told[1].Kind != engine.KindTiming || told[1].Of != engine.KindCheck {
		t.Errorf("got %+v, want a check that fails by timing, twice", told)
	}
}

// A timer of nanoseconds may be due before a goroutine can do anything: one that is late for it is
// not held up.
func TestFoundNotHeldUp(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := small(t.Name())
	cfg.Stall = 10 * time.Millisecond
	r := run(t, cfg, func(t *engine.T) {
		done := make(chan bool, 1)
		t.Go("worker", func() { done <- true })
		select {
		case <-done:
		case <-time.After(30 * time.Nanosecond):
			t.Error("late")
		}
	})
	if r.Failure == nil || r.Failure.Kind != engine.KindCheck {
		t.Errorf("got %+v, want a check that fails", r.Failure)
	}
}
