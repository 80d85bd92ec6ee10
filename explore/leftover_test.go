package explore_test

import (
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
)

// A leftover goroutine that somebody wakes between two executions goes on in the next, and is
// there for all later ones.
func TestLeftoverWokenInBetween(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	var values chan int
	var sum, sent atomic.Int64
	cfg := small(t.Name())
	cfg.Residents, cfg.Leaks = true, explore.LeaksIgnore
	cfg.Prepare = func() {
		select {
		case values <- 1: // the leftover goroutine waits for it
			sent.Add(1)
		default:
		}
	}
	r := run(t, cfg, func(*explore.T) {
		if values == nil {
			values = make(chan int)
			go func() {
				for v := range values {
					sum.Add(int64(v))
				}
			}()
		}
		values <- 1
		sent.Add(1)
	})
	if r.Verdict != explore.Holds || sum.Load() != sent.Load() {
		t.Errorf("got %v (%s), and %d of %d values", r.Verdict, r.Summary(), sum.Load(), sent.Load())
	}
}
