package explore_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
)

// waiting is a body that expects a goroutine to be done after d.
func waiting(d time.Duration) func(*explore.T) {
	return func(t *explore.T) {
		var done atomic.Bool
		t.Go("work", func() { done.Store(true) })
		time.Sleep(d)
		if !done.Load() {
			t.Errorf("not done after %v", d)
		}
	}
}

// A goroutine may be held up for longer than a short sleep, but not for longer
// than one that is meant to be long. A systematic search leaves that out.
func TestShortSleepsAreOvertaken(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	sampled := []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 400}}
	searched := []explore.Stage{{Strategy: explore.DepthFirst(2), Schedules: 200}}
	for _, c := range []struct {
		name  string
		sleep time.Duration
		plan  []explore.Stage
		want  explore.Verdict
	}{
		{"short", 100 * time.Microsecond, sampled, explore.Violated},
		{"long", time.Millisecond, sampled, explore.Holds},
		{"searched", 100 * time.Microsecond, searched, explore.Holds},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := waiting(c.sleep)
			r := run(t, explore.Config{Plan: c.plan}, body)
			if r.Verdict != c.want {
				t.Fatalf("got %v (%s), want %v", r.Verdict, r.Summary(), c.want)
			}
			if r.Failure == nil {
				return
			}
			again, err := explore.Replay(t.Context(), explore.Config{Plan: c.plan}, r.Failure.Card, body)
			if err != nil || again.Outcome != explore.Exact {
				t.Errorf("got %v, %v, want that it replays", again, err)
			}
		})
	}
}

// Work takes time: a loop that ends with a timer, or by the clock, ends though it
// always has something to do.
func TestWorkTakesTime(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	plan := []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 4}, {Strategy: explore.DepthFirst(0), Schedules: 4}}
	for name, body := range map[string]func(*explore.T){
		"timer": func(t *explore.T) {
			var n atomic.Int64
			end := time.After(5 * time.Millisecond)
			t.Go("other", func() { n.Add(1) })
			for {
				select {
				case <-end:
					return
				default:
					n.Add(1)
				}
			}
		},
		"clock": func(t *explore.T) {
			var n atomic.Int64
			t.Go("other", func() { n.Add(1) })
			for begin := time.Now(); time.Since(begin) < 5*time.Millisecond; {
				n.Add(1)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			if r := run(t, explore.Config{Plan: plan}, body); r.Verdict != explore.Holds {
				t.Errorf("got %v (%s), want that it ends", r.Verdict, r.Summary())
			}
		})
	}
}
