package explore_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
)

// Two counters of which a goroutine has raised one several times and the other not are no two
// halves of one update.
func TestCountersAreNoHalves(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small(t.Name()), func(t *explore.T) {
		var pool struct{ good, bad atomic.Int64 }
		jobs, over := make(chan bool, 3), make(chan int)
		jobs <- true
		jobs <- true
		jobs <- false
		t.Go("works", func() {
			for range 3 {
				good := <-jobs
				if len(jobs) == 0 {
					close(over)
				}
				if good {
					pool.good.Add(1)
				} else {
					pool.bad.Add(1)
				}
			}
		})
		<-over
		if good, bad := pool.good.Load(), pool.bad.Load(); good != 2 || bad != 1 {
			t.Errorf("%d good, %d bad", good, bad)
		}
		t.Wait()
	})
	if r.Verdict != explore.Violated || r.Failure.Kind != explore.KindCheck || strings.Contains(r.Failure.Timeline.Cause, "half an update") {
		t.Errorf("got %s, want a failure, and no half update", r.Failure.Timeline.Cause)
	}
}

// An update is whole when both its writes were made, although one of them is repeated later.
func TestWholeUpdateIsNoHalf(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small(t.Name()), func(t *explore.T) {
		var item, filled atomic.Int64
		t.Go("fills", func() { item.Store(1); filled.Store(1); filled.Store(2) })
		t.Go("takes", func() {
			if item.Load() == 1 && filled.Load() == 1 {
				t.Error("only one")
			}
		})
		t.Wait()
	})
	if r.Verdict != explore.Violated || r.Failure.Kind != explore.KindCheck || strings.Contains(r.Failure.Timeline.Cause, "half an update") {
		t.Errorf("got %s, want a failure, and no half update", r.Failure.Timeline.Cause)
	}
}

// Two reads of one context are no inconsistent read of two things.
func TestOneContextIsNoPair(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small(t.Name()), func(t *explore.T) {
		ctx, cancel := context.WithCancel(context.Background())
		t.Go("cancels", cancel)
		t.Go("asks", func() {
			if ctx.Err() == nil {
				select {
				case <-ctx.Done():
					t.Error("it is done by now")
				default:
				}
			}
		})
		t.Wait()
	})
	if r.Verdict != explore.Violated || r.Failure.Kind != explore.KindCheck || strings.Contains(r.Failure.Timeline.Cause, "inconsistent read") {
		t.Errorf("got %s, want a failure, and no inconsistent read", r.Failure.Timeline.Cause)
	}
}
