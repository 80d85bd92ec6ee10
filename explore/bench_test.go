package explore_test

import (
	"iter"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/cputime"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// each reports the processor time of one call of work. All of it runs on one processor, one
// thing after another, and other processes of the machine do not count.
func each(b *testing.B, work func()) {
	b.Helper()
	began := cputime.Spent()
	for b.Loop() {
		work()
	}
	report(b, cputime.Spent()-began, b.N)
}

func report(b *testing.B, d time.Duration, n int) {
	b.Helper()
	b.ReportMetric(float64(d.Nanoseconds())/float64(n), cputime.Unit)
	b.ReportMetric(0, "ns/op") // omit the elapsed time
}

// BenchmarkPull is the yardstick for a step: a round trip of iter.Pull, which switches to a
// coroutine and back.
func BenchmarkPull(b *testing.B) {
	next, stop := iter.Pull(func(yield func(int) bool) {
		for i := 0; yield(i); i++ {
		}
	})
	defer stop()
	each(b, func() { next() })
}

// BenchmarkTurnstile makes the same round trip over two channels. It shows what a step would
// cost in a scheduler built from channels.
func BenchmarkTurnstile(b *testing.B) {
	there, back := make(chan int), make(chan int)
	go func() {
		defer close(back)
		for v := range there {
			back <- v
		}
	}()
	each(b, func() { there <- 1; <-back })
	close(there)
	<-back
}

// controlled skips a benchmark that needs a controlled process.
func controlled(b *testing.B) {
	b.Helper()
	if !explore.Controlled() {
		b.Skip("not under control: use make bench-explore")
	}
}

// BenchmarkControl measures a step without the explorer: a switch to a goroutine that
// does one atomic operation, and back.
func BenchmarkControl(b *testing.B) {
	controlled(b)
	e := control.Start(1)
	var n atomic.Int64
	e.Spawn(func() {
		for {
			n.Add(1)
		}
	})
	each(b, func() { e.Step(1, 0) })
	e.Finish(false, false) // the goroutine never runs again
}

// The size of an exploration that measures the cost of a step. Its executions are long, so
// steps dominate.
const (
	rounds   = 300 // of each goroutine of an execution
	walks    = 20  // schedules of an exploration
	repeated = 3   // executions before the first schedule
)

// walked explores body with random walks, and reports the time per scheduling decision.
func walked(b *testing.B, body func(*explore.T)) {
	b.Helper()
	controlled(b)
	cfg := explore.Config{Name: b.Name(), Workers: 1, Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: walks}}}
	began, decisions := cputime.Spent(), 0
	for b.Loop() {
		r, err := explore.Run(b.Context(), cfg, body)
		if err != nil || r.Verdict != explore.Holds {
			b.Fatalf("got %+v, %v, want it to hold", r, err)
		}
		decisions += (walks + repeated) * r.Points
	}
	report(b, cputime.Spent()-began, decisions)
}

// BenchmarkAtomics measures a step of an exploration whose three goroutines each use an
// atomic variable of their own and a shared one.
func BenchmarkAtomics(b *testing.B) {
	walked(b, func(t *explore.T) {
		var shared atomic.Int64
		for _, name := range []string{"one", "two", "three"} {
			t.Go(name, func() {
				var own atomic.Int64
				for range rounds {
					own.Add(1)
					shared.Add(1)
				}
			})
		}
		t.Wait()
	})
}

// BenchmarkChannels measures a step in which two goroutines send values to a third.
func BenchmarkChannels(b *testing.B) {
	walked(b, func(t *explore.T) {
		c := make(chan int, 1)
		for _, name := range []string{"one", "two"} {
			t.Go(name, func() {
				for i := range rounds {
					c <- i
				}
			})
		}
		t.Go("three", func() {
			for range 2 * rounds {
				<-c
			}
		})
		t.Wait()
	})
}

// BenchmarkExecution measures an execution of a small body.
func BenchmarkExecution(b *testing.B) {
	controlled(b)
	const schedules = 1000
	cfg := explore.Config{Name: b.Name(), Workers: 1, Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: schedules}}}
	began, executions := cputime.Spent(), 0
	for b.Loop() {
		r, err := explore.Run(b.Context(), cfg, programs.Touch)
		if err != nil || r.Verdict != explore.Holds {
			b.Fatalf("got %+v, %v, want it to hold", r, err)
		}
		executions += schedules + repeated
	}
	report(b, cputime.Spent()-began, executions)
}

// BenchmarkWaiting measures a step of three goroutines that add to a variable while many
// others wait.
func BenchmarkWaiting(b *testing.B) {
	walked(b, func(t *explore.T) {
		const waiting = 1000
		var shared atomic.Int64
		start := make(chan bool)
		for range waiting {
			t.Go("waiting", func() { <-start })
		}
		for _, name := range []string{"one", "two", "three"} {
			t.Go(name, func() {
				for range rounds {
					shared.Add(1)
				}
			})
		}
		close(start)
		t.Wait()
	})
}

// BenchmarkSelecting is BenchmarkWaiting with goroutines that wait in selects until the
// others are done.
func BenchmarkSelecting(b *testing.B) {
	walked(b, func(t *explore.T) {
		const waiting = 300
		var shared atomic.Int64
		var working sync.WaitGroup
		over, never := make(chan bool), make(chan bool)
		for range waiting {
			t.Go("waiting", func() {
				select {
				case <-over:
				case <-never:
				}
			})
		}
		for range 3 {
			working.Go(func() {
				for range rounds {
					shared.Add(1)
				}
			})
		}
		working.Wait()
		close(over)
		t.Wait()
	})
}
