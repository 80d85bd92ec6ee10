package explore_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// together runs f in two goroutines.
func together(t *explore.T, f func(which int)) {
	for i, name := range []string{"one", "two"} {
		t.Go(name, func() { f(i) })
	}
	t.Wait()
}

// long has bodies with far more steps than an execution may have.
var long = []struct {
	name string
	body func(*explore.T)
	want explore.Kind // "" if it holds
}{
	{"atomics", programs.Long(50_000), ""},
	{"channel", func(t *explore.T) {
		c, sum := make(chan int), 0
		t.Go("receiver", func() {
			for v := range c {
				sum += v
			}
		})
		for range 5000 {
			c <- 1
		}
		close(c)
		t.Wait()
		if sum != 5000 {
			t.Errorf("got %d", sum)
		}
	}, ""},
	{"select", func(t *explore.T) {
		values, done := make(chan int, 1), make(chan bool)
		close(done)
		together(t, func(int) {
			for n := 0; ; n++ {
				select {
				case values <- 1:
				case <-values:
				case <-done:
					if n > 2000 {
						return
					}
				}
			}
		})
	}, ""},
	{"timer", func(t *explore.T) {
		var over atomic.Bool
		var n atomic.Int64
		time.AfterFunc(50*time.Millisecond, func() { over.Store(true) })
		together(t, func(int) {
			for !over.Load() {
				n.Add(1)
			}
		})
	}, ""},
	{"check", func(t *explore.T) {
		programs.Long(5000)(t)
		t.Error("wrong in the end")
	}, explore.KindCheck},
	{"race", func(t *explore.T) {
		programs.Long(5000)(t)
		n := 0
		together(t, func(int) { n++ })
	}, explore.KindRace},
	{"deadlock", func(t *explore.T) {
		programs.Long(5000)(t)
		var mu [2]sync.Mutex
		c := make(chan bool, 2)
		together(t, func(i int) {
			mu[i].Lock()
			c <- true
			for len(c) < 2 {
				time.Sleep(time.Millisecond)
			}
			mu[1-i].Lock()
		})
	}, explore.KindDeadlock},
}

// With Config.Patient, an execution that has used up its steps still continues to its end, and
// its card replays.
func TestCoarse(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, c := range long {
		t.Run(c.name, func(t *testing.T) {
			cfg := explore.Config{Name: c.name, Patient: true, MaxSteps: 1000, Minimise: 5, Plan: []explore.Stage{{Strategy: explore.POS(), Schedules: 5}}}
			r := run(t, cfg, c.body)
			if !r.Coarse && c.want == "" || r.Points > 1000 || r.Exhausted {
				t.Errorf("got coarse %t, %d points, exhausted %t, want coarse, at most 1000 points, not exhausted", r.Coarse, r.Points, r.Exhausted)
			}
			if c.want == "" {
				if r.Verdict != explore.Holds {
					t.Errorf("got %v (%s), want it to hold", r.Verdict, r.Summary())
				}
				return
			}
			if r.Failure == nil || r.Failure.Kind != c.want {
				t.Fatalf("got %v (%s), want %s", r.Verdict, r.Summary(), c.want)
			}
			again, err := explore.Replay(t.Context(), cfg, r.Failure.Card, c.body)
			if err != nil || again.Outcome != explore.Exact {
				t.Errorf("got %v, %v, want an exact replay", again, err)
			}
		})
	}
}

// A goroutine that runs alone for long is preempted as soon as another one can run. What
// follows is still explored.
func TestAloneForLong(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	alone := func() {
		var n atomic.Int64
		for range 50_000 {
			n.Add(1)
		}
	}
	for name, body := range map[string]func(t *explore.T){
		"starts": func(t *explore.T) {
			var x atomic.Int64
			alone()
			t.Go("other", func() { x.Store(1) })
			if x.Load() == 1 {
				t.Error("found")
			}
		},
		"wakes": func(t *explore.T) {
			var x atomic.Int64
			c := make(chan bool)
			t.Go("other", func() { <-c; x.Store(1) })
			time.Sleep(time.Second)
			alone()
			close(c)
			if x.Load() == 1 {
				t.Error("found")
			}
		},
		"is overtaken": func(t *explore.T) {
			var x, n atomic.Int64
			time.AfterFunc(200*time.Microsecond, func() { x.Store(1) })
			for range 50_000 {
				n.Add(1)
			}
			if x.Load() == 1 {
				t.Error("found")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := explore.Config{Name: name, Patient: true, Minimise: 5, Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 20}}}
			if r := run(t, cfg, body); r.Verdict != explore.Violated || r.Coarse {
				t.Errorf("got %v (%s), coarse %t, want the failure, not coarse", r.Verdict, r.Summary(), r.Coarse)
			}
		})
	}
}

// The same holds after coarse executions, which have shown all of the body's operations.
func TestAloneAfterCoarse(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	body := func(t *explore.T) {
		var first atomic.Int32
		together(t, func(which int) { first.CompareAndSwap(0, int32(which)+1) })
		n := 50_000
		if first.Load() == 1 { // true without preemptions
			n = 1000
			programs.Long(50_000)(t)
		}
		var work, x atomic.Int64
		for range n {
			work.Add(1)
		}
		t.Go("other", func() { x.Store(1) })
		if x.Load() == 1 && n > 1000 {
			t.Error("found")
		}
	}
	cfg := explore.Config{
		Name: t.Name(), Patient: true, MaxSteps: 20_000, Minimise: 5,
		Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 40}},
	}
	if r := run(t, cfg, body); r.Verdict != explore.Violated || !r.Coarse {
		t.Errorf("got %v (%s), coarse %t, want the failure, coarse", r.Verdict, r.Summary(), r.Coarse)
	}
}
