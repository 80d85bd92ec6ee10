package explore_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
)

// Work takes time. A loop that waits for a timer or the clock ends even if it never blocks.
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
				t.Errorf("got %v (%s), want it to hold", r.Verdict, r.Summary())
			}
		})
	}
}
