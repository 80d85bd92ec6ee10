package explore_test

import (
	"regexp"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
)

// LeaksStuck allows goroutines that can continue, and those that they might wake, but not a
// cycle of locks.
func TestLeaksStuck(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	tick := func() {
		for range time.Tick(time.Millisecond) {
		}
	}
	wait := func() { <-make(chan int) }
	cycle := func() {
		var mu sync.Mutex
		mu.Lock()
		mu.Lock()
	}
	for _, c := range []struct {
		name  string
		left  []func()
		leaks explore.LeakPolicy
		want  explore.Kind
	}{
		{"alive", []func(){tick}, explore.LeaksStuck, ""},
		{"alive, strictly", []func(){tick}, explore.LeaksFail, explore.KindLeak},
		{"stuck", []func(){wait}, explore.LeaksStuck, explore.KindLeak},
		{"one alive", []func(){wait, tick}, explore.LeaksStuck, ""},
		{"cycle", []func(){cycle, tick}, explore.LeaksStuck, explore.KindDeadlock},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := run(t, explore.Config{Leaks: c.leaks, Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 4}}}, func(t *explore.T) {
				for _, f := range c.left {
					go f()
				}
				go func() {}() // so that there is something to choose
			})
			got := explore.Kind("")
			if r.Failure != nil {
				got = r.Failure.Kind
			}
			if got != c.want || c.want == "" && r.Verdict != explore.Holds {
				t.Errorf("got %q (%s), want %q", got, r.Summary(), c.want)
			}
		})
	}
}

// A default schedule that deadlocks does not tell what other schedules leave.
func TestLeaksDifferFromADeadlock(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, explore.Config{Leaks: explore.LeaksDiffer, Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 50}}}, func(t *explore.T) {
		never, c := make(chan int), make(chan int)
		var late atomic.Bool
		t.Go("always left", func() { <-never })
		t.Go("sends in time", func() {
			if !late.Load() {
				c <- 1
			}
		})
		late.Store(true)
		<-c
	})
	if r.Failure == nil || r.Failure.Kind != explore.KindDeadlock {
		t.Errorf("got %s, want a deadlock", r.Summary())
	}
}

// What the first execution leaves is no measure for later ones, where something that only they
// do, a count of the goroutines, begins the check anew.
func TestLeaksDifferFromTheFirst(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	var runs atomic.Int32
	r := run(t, explore.Config{Leaks: explore.LeaksDiffer, Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 10}}}, func(t *explore.T) {
		if runs.Add(1) == 1 {
			return
		}
		go func() { <-make(chan int) }()
		t.Go("counts", func() { runtime.NumGoroutine() })
		t.Wait()
	})
	if r.Verdict != explore.Holds || len(r.Left) != 1 {
		t.Errorf("got %s, and %q left, want it to hold, and one goroutine left", r.Summary(), r.Left)
	}
}

// The cause does not deny the timers for which a leaked goroutine has gone on.
func TestCauseOfALeakThatTicks(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for wait, loop := range map[string]func(tick <-chan time.Time, stop chan bool){
		"a value from tick": func(tick <-chan time.Time, _ chan bool) {
			for range tick {
			}
		},
		"one case of a select: stop | tick": func(tick <-chan time.Time, stop chan bool) {
			for {
				select {
				case <-stop:
					return
				case <-tick:
				}
			}
		},
	} {
		r := run(t, explore.Config{Name: t.Name(), Leaks: explore.LeaksFail}, func(t *explore.T) {
			tick, stop := time.NewTicker(time.Hour).C, make(chan bool)
			t.Go("loops", func() { loop(tick, stop) })
		})
		want := `^"loops", started by .*, waits for ` + regexp.QuoteMeta(wait) + ` since step \d+, and nothing but a timer is left to end that$`
		if r.Failure == nil {
			t.Errorf("got %s, want a failure: %s", r.Summary(), want)
		} else if cause := r.Failure.Timeline.Cause; !regexp.MustCompile(want).MatchString(cause) {
			t.Errorf("got the cause %q, want %s", cause, want)
		}
	}
}
