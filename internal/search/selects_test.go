package search_test

import (
	"sync"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/internal/workers"
)

// A leftover goroutine that waits in a select serves whoever comes first. DPOR lets each of two
// be that.
func TestDPORLetsEachComeFirstToALeftoverSelect(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	var queues [2]chan func()
	var served [2]int // executions, by who came first
	cfg := search.Config{Name: t.Name(), Residents: true, Leaks: engine.LeaksIgnore, Plan: []schedule.Stage{{Strategy: strategy.DPOR(), Schedules: 2000}}}
	r := runWith(t, workers.Hooks{OnlyLater: true}, cfg, func(*engine.T) {
		starts := queues[0] == nil
		if starts {
			queues = [2]chan func(){make(chan func()), make(chan func())}
			go func() {
				for {
					select {
					case f := <-queues[0]:
						f()
					case f := <-queues[1]:
						f()
					}
				}
			}()
		}
		var wg sync.WaitGroup
		first := -1
		for i, queue := range queues {
			wg.Go(func() {
				done := make(chan bool)
				queue <- func() {
					if first < 0 {
						first = i
					}
					close(done)
				}
				<-done
			})
		}
		wg.Wait()
		if !starts {
			served[first]++
		}
	})
	if r.Verdict == verdict.Violated || served[0] == 0 || served[1] == 0 {
		t.Errorf("got %s, and %d schedules by who came first, want some of each", r.Summary(), served)
	}
}
