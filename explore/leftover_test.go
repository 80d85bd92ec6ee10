package explore_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
)

// A leftover goroutine that is woken between two executions continues in the next one, and
// takes part in all later ones.
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
		case values <- 1: // the leftover goroutine waits for this
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
		t.Errorf("got %v (%s), and the sum %d of %d values, want all", r.Verdict, r.Summary(), sum.Load(), sent.Load())
	}
}

// Goroutines that were alike at their start are not once they are leftovers: the first one
// of them then has another number, or none.
func TestLeftoverTwins(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	var never chan int
	cfg := small(t.Name())
	cfg.Residents, cfg.Leaks = true, explore.LeaksIgnore
	r := run(t, cfg, func(*explore.T) {
		var wg sync.WaitGroup
		defer wg.Wait()
		if never == nil {
			never = make(chan int)
			for range 8 {
				wg.Go(func() {})
			}
			for range 2 {
				go func() { <-never }()
			}
		}
	})
	if r.Verdict != explore.Holds {
		t.Errorf("got %v (%s), want it to hold", r.Verdict, r.Summary())
	}
}

// A search may stop a schedule whose rest it knows. No goroutine stops in the middle of its
// work: a lock that outlives the execution would be held in all later ones.
func TestStoppedSchedules(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	var lock sync.Mutex // outlives each schedule
	r := run(t, explore.Config{Plan: []explore.Stage{{Strategy: explore.DPOR(), Schedules: 2000}}}, func(t *explore.T) {
		if !lock.TryLock() {
			t.Fatal("an earlier schedule has left the lock held")
		}
		lock.Unlock()
		var x, y atomic.Int32
		t.Go("reads", func() {
			x.Load()
			y.Load()
		})
		for range 2 {
			t.Go("writes", func() {
				lock.Lock()
				x.Add(1)
				y.Store(x.Load())
				lock.Unlock()
			})
		}
		t.Wait()
	})
	if r.Failure != nil || !r.Exhausted {
		t.Errorf("got %s, want it exhausted", r.Summary())
	}
}
