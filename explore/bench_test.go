package explore_test

import (
	"iter"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/explore/bodies"
	"github.com/jacquard-go/jacquard/internal/control"
)

// BenchmarkPull is what a step is measured by: a round trip of iter.Pull,
// which switches to a coroutine and back.
func BenchmarkPull(b *testing.B) {
	next, stop := iter.Pull(func(yield func(int) bool) {
		for i := 0; yield(i); i++ {
		}
	})
	defer stop()
	for b.Loop() {
		next()
	}
}

// BenchmarkTurnstile is the same round trip by two channels: what a scheduler
// costs that is made of them.
func BenchmarkTurnstile(b *testing.B) {
	there, back := make(chan int), make(chan int)
	go func() {
		defer close(back)
		for v := range there {
			back <- v
		}
	}()
	for b.Loop() {
		there <- 1
		<-back
	}
	close(there)
	<-back
}

// controlled skips a benchmark of what there is only under control.
func controlled(b *testing.B) {
	b.Helper()
	if !explore.Controlled() {
		b.Skip("not under control: use make bench-explore")
	}
}

// BenchmarkControl is a step without the explorer: to a goroutine that does one
// atomic operation, and back.
func BenchmarkControl(b *testing.B) {
	controlled(b)
	e := control.Start(1)
	var n atomic.Int64
	var done bool
	e.Spawn(func() {
		for !done {
			n.Add(1)
		}
	})
	for b.Loop() {
		e.Step(1, 0)
	}
	done = true
	for e.Member(1).State == control.Runnable {
		e.Step(1, 0)
	}
	e.Finish()
}

// steps is how many operations a goroutine does in an execution that is to
// show what a step costs, not what an execution does.
const steps = 10_000

// explored runs body by random walks and reports the time for each of its
// scheduling decisions.
func explored(b *testing.B, body func(*explore.T)) {
	b.Helper()
	controlled(b)
	points := 0
	cfg := explore.Config{
		Name: b.Name(), MaxSteps: 100 * steps,
		Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 10}},
	}
	executions := 0
	for b.Loop() {
		r, err := explore.Run(b.Context(), cfg, body)
		if err != nil || r.Verdict != explore.Holds {
			b.Fatalf("got %v, %v", r, err)
		}
		points = r.Points
		executions += r.Schedules + repeated
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(executions)/float64(points), "ns/step")
}

// repeated is how many executions an exploration makes before it begins.
const repeated = 3

// BenchmarkAtomics is a whole step of an exploration in which three goroutines
// use an atomic variable each and one together.
func BenchmarkAtomics(b *testing.B) {
	explored(b, func(t *explore.T) {
		var shared atomic.Int64
		for _, name := range []string{"one", "two", "three"} {
			t.Go(name, func() {
				var own atomic.Int64
				for range steps / 2 {
					own.Add(1)
					shared.Add(1)
				}
			})
		}
		t.Wait()
	})
}

// BenchmarkChannels is one in which two goroutines pass values to a third.
func BenchmarkChannels(b *testing.B) {
	explored(b, func(t *explore.T) {
		c := make(chan int, 1)
		for _, name := range []string{"one", "two"} {
			t.Go(name, func() {
				for i := range steps {
					c <- i
				}
			})
		}
		t.Go("three", func() {
			for range 2 * steps {
				<-c
			}
		})
		t.Wait()
	})
}

// BenchmarkExecution is a whole execution of a small body.
func BenchmarkExecution(b *testing.B) {
	controlled(b)
	const schedules = 1000
	cfg := explore.Config{Name: b.Name(), Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: schedules}}}
	executions := 0
	for b.Loop() {
		r, err := explore.Run(b.Context(), cfg, bodies.Touch)
		if err != nil || r.Verdict != explore.Holds {
			b.Fatalf("got %v, %v", r, err)
		}
		executions += r.Schedules + repeated
	}
	b.ReportMetric(float64(executions)/b.Elapsed().Seconds(), "executions/s")
}
