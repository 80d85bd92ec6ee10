package search_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// Two goroutines are not alike if one of them learns at its start what the other does not. In
// each program here that has a race, the goroutine started first has it when the second one goes
// first. The second one has none when the first goes first.
func TestDPORFindsRacesOfTheFirstStarted(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	type shared struct {
		work  chan int // holds two values; the receiver of the second one looks at value
		value int
		flag  atomic.Bool
	}
	look := func(s *shared) {
		if <-s.work == 2 && s.value > 1 {
			panic("a value that was never stored")
		}
	}
	for _, c := range []struct {
		name  string
		start func(s *shared)
		races bool
	}{
		{"nothing between", func(s *shared) {
			s.value = 1
			for range 2 {
				go look(s)
			}
		}, false},
		{"a write between", func(s *shared) {
			for i := range 2 {
				go look(s)
				if i == 0 {
					s.value = 1
				}
			}
		}, true},
		{"a load between of what another one has stored", func(s *shared) {
			go func() { s.value = 1; s.flag.Store(true) }()
			for range 2 {
				go look(s)
				if !s.flag.Load() {
					return
				}
			}
		}, true},
	} {
		body := func(*engine.T) {
			s := &shared{work: make(chan int, 2)}
			s.work <- 1
			s.work <- 2
			c.start(s)
		}
		cfg := search.Config{Name: c.name, Plan: []schedule.Stage{{Strategy: strategy.DPOR(), Schedules: 1000}}, Leaks: engine.LeaksIgnore}
		r := run(t, cfg, body)
		if got := r.Verdict == verdict.Violated; got != c.races {
			t.Errorf("%s: got %v (%s), want a race: %v", c.name, r.Verdict, r.Summary(), c.races)
		}
	}
}

// Goroutines that draw random numbers are not alike: DPOR's result must not depend on the draws.
func TestDPORTakesThoseThatDrawForDifferent(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	most := func(body func(*engine.T)) int {
		cfg := search.Config{Name: t.Name(), Plan: []schedule.Stage{{Strategy: strategy.DPOR(), Schedules: 1000}}}
		r := run(t, cfg, body)
		if !r.Exhausted {
			t.Fatalf("got %v (%s), want it exhausted", r.Verdict, r.Summary())
		}
		return r.Schedules
	}
	two := func(f func()) func(*engine.T) {
		return func(*engine.T) {
			var n atomic.Int32
			for range 2 {
				go func() { n.Swap(1); f() }()
			}
		}
	}
	ranges := func(n int) func() {
		m := make(map[int]bool)
		for k := range n {
			m[k] = true
		}
		return func() {
			for k := range m {
				_ = k
			}
		}
	}
	cancels := func(n int) func() {
		return func() {
			ctx, cancel := context.WithCancel(context.Background())
			for range n {
				_, stop := context.WithCancel(ctx)
				defer stop()
			}
			cancel()
		}
	}
	for _, c := range []struct {
		name string
		does func()
		want int
	}{
		{"a map of one", ranges(1), 1},
		{"a map of two", ranges(2), 1 + 2}, // the search restarts when the draw is seen
		{"a context with one child", cancels(1), 1},
		{"a context with two children", cancels(2), 1 + 2},
	} {
		if got := most(two(c.does)); got != c.want {
			t.Errorf("%s: got %d schedules, want %d", c.name, got, c.want)
		}
	}
}
