package search_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// joined are programs that join goroutines as Go programs do, with the number of their different
// executions.
var joined = []struct {
	name string
	body func(*engine.T)
	want int
}{
	{"a Wait", func(*engine.T) {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {})
		}
		wg.Wait()
	}, 1},
	{"two Waits and a closer", func(*engine.T) {
		var wg sync.WaitGroup
		done := make(chan bool)
		wg.Add(2)
		for range 2 {
			go wg.Done()
		}
		go func() { wg.Wait(); close(done) }()
		wg.Wait()
		<-done
	}, 2}, // either goroutine can be first at the channel
	{"three sleepers", func(*engine.T) {
		var wg sync.WaitGroup
		for i := range 3 {
			wg.Go(func() { time.Sleep(time.Duration(i+1) * time.Millisecond) })
		}
		wg.Wait()
	}, 16}, // by which have begun to sleep when another wakes
	{"work beside a timer", func(*engine.T) {
		var wg sync.WaitGroup
		var x [2]atomic.Int32
		timer := time.AfterFunc(5*time.Millisecond, func() {})
		for i := range x {
			wg.Go(func() { x[i].Store(1); x[i].Store(2); x[i].Store(3) })
		}
		wg.Wait()
		timer.Stop()
	}, 2}, // it fires or it does not
	{"two rounds", func(*engine.T) {
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {})
			wg.Go(func() {})
			wg.Wait()
		}
	}, 1},
	{"two stores and a Wait", func(*engine.T) {
		var wg sync.WaitGroup
		var x [2]atomic.Int32
		for i := range x {
			wg.Go(func() { x[i].Store(1) })
		}
		wg.Wait()
		_ = x[0].Load() + x[1].Load()
	}, 1},
	{"adds and a Wait", func(*engine.T) {
		var wg sync.WaitGroup
		var n atomic.Int64
		var m uint32
		for range 4 {
			wg.Go(func() {
				n.Add(1)
				atomic.AddUint32(&m, 1)
			})
		}
		wg.Wait()
		_ = n.Load()
	}, 1},
	{"three under a mutex", func(*engine.T) {
		var wg sync.WaitGroup
		var mu sync.Mutex
		n := 0
		for range 3 {
			wg.Go(func() {
				mu.Lock()
				n++
				mu.Unlock()
			})
		}
		wg.Wait()
	}, 1}, // the goroutines are alike
	{"four under a mutex", func(*engine.T) {
		var wg sync.WaitGroup
		var mu sync.Mutex
		n := 0
		for range 4 {
			wg.Go(func() {
				mu.Lock()
				defer mu.Unlock()
				n++
			})
		}
		wg.Wait()
	}, 1},
	{"a mutex held over a sleep", func(*engine.T) {
		var wg sync.WaitGroup
		var mu sync.Mutex
		for range 2 {
			wg.Go(func() {
				mu.Lock()
				time.Sleep(time.Second)
				mu.Unlock()
			})
		}
		wg.Wait()
	}, 1},
	{"adds whose results are taken", func(*engine.T) {
		var wg sync.WaitGroup
		var n atomic.Int64
		for range 3 {
			wg.Go(func() { _ = n.Add(1) })
		}
		wg.Wait()
	}, 1},
	{"two under a mutex that are not alike", func(*engine.T) {
		var wg sync.WaitGroup
		var mu sync.Mutex
		n := 0
		for i := range 2 {
			wg.Go(func() {
				mu.Lock()
				n += i
				mu.Unlock()
			})
		}
		wg.Wait()
	}, 2},
	{"a load before the Wait", func(*engine.T) {
		var wg sync.WaitGroup
		var x atomic.Int32
		wg.Go(func() { x.Store(1) })
		_ = x.Load()
		wg.Wait()
	}, 2},
}

// Goroutines joined by a wait group come before its Wait in any order. DPOR runs one of them.
func TestJoins(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, j := range joined {
		cfg := search.Config{Name: j.name, Plan: []schedule.Stage{{Strategy: strategy.DPOR(), Schedules: 1000}}}
		if r := run(t, cfg, j.body); r.Schedules != j.want || !r.Unbounded || r.Incomplete != "" {
			t.Errorf("%s: got %q, want %d executions", j.name, r.Summary(), j.want)
		}
	}
}

// The race detector finds an Add beside a Wait only if that Wait is the first of all, so which
// Wait is first matters. Here there are two, and one goroutine calls Add before its Wait.
func TestJoinsFindAnAddBesideAWait(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := search.Config{Name: t.Name(), Plan: []schedule.Stage{{Strategy: strategy.DPOR(), Schedules: 1000}}, Leaks: engine.LeaksIgnore}
	r := run(t, cfg, func(*engine.T) {
		var wg sync.WaitGroup
		add := wg.Add // go vet would rightly complain that wg.Add comes too late
		go func() { wg.Wait() }()
		go func() {
			add(1)
			wg.Wait()
		}()
	})
	if control.Detector() && (r.Failure == nil || r.Failure.Kind != engine.KindRace) {
		t.Errorf("got %s, want a data race", r.Summary())
	}
}

// The body itself may be held up before it returns, although no goroutine waits for that. So its
// return and a timer come in both orders, even if the timer is set later.
func TestBodyThatReturnsBeforeATimerIsSet(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := search.Config{Name: t.Name(), Plan: []schedule.Stage{{Strategy: strategy.DPOR(), Schedules: 1000}}, Leaks: engine.LeaksIgnore, Stall: 10 * time.Millisecond}
	reached := make(map[bool]bool)
	r := run(t, cfg, func(t *engine.T) {
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			time.Sleep(time.Millisecond)
			cancel()
		}()
		go func() { reached[ctx.Err() != nil] = true }()
	})
	if r.Verdict != verdict.Holds || !r.Exhausted || len(reached) != 2 {
		t.Errorf("got %s with %v, want both orders", r.Summary(), reached)
	}
}

// A function of a context may be given to package sync, so that none of the program's own calls it.
func TestCancelsThatPackageSyncCalls(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for name, call := range map[string]func(wg *sync.WaitGroup, cancel func()){
		"Go":       (*sync.WaitGroup).Go,
		"OnceFunc": func(wg *sync.WaitGroup, cancel func()) { wg.Go(sync.OnceFunc(cancel)) },
		"Do":       func(wg *sync.WaitGroup, cancel func()) { wg.Go(func() { new(sync.Once).Do(cancel) }) },
	} {
		cfg := search.Config{Name: t.Name() + name, Plan: []schedule.Stage{{Strategy: strategy.DPOR(), Schedules: 1000}}}
		seen := make(map[[2]bool]bool)
		r := run(t, cfg, func(*engine.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var wg sync.WaitGroup
			wg.Go(func() {
				first := ctx.Err() != nil
				seen[[2]bool{first, ctx.Err() != nil}] = true
			})
			call(&wg, cancel)
			wg.Wait()
		})
		if r.Verdict != verdict.Holds || !r.Exhausted || len(seen) != 3 {
			t.Errorf("%s: got %s with %v, want all three outcomes", name, r.Summary(), seen)
		}
	}
}
