package explore_test

import (
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// live returns the size of the heap and the stacks after a collection, in bytes.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

// executions returns how many executions the tests of memory use.
func executions() int {
	if os.Getenv(longEnv) != "" {
		return 100_000
	}
	return 10_000
}

// failing returns how many failing executions they use, each in its own exploration. It is
// less because a deadlock in a first execution waits a while for code outside to end it.
func failing() int { return executions() / 20 }

// flat fails the test if count executions of body leave memory or goroutines behind, or if
// their verdict is not want.
func flat(t *testing.T, count int, want explore.Verdict, body func(*explore.T)) {
	t.Helper()
	explored := func(n int) {
		cfg := small(t.Name())
		cfg.Workers, cfg.Leaks = 1, explore.LeaksIgnore
		cfg.Plan = []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: n}}
		cfg.Minimise = -1
		for done := 0; done < n; {
			r := run(t, cfg, body)
			if r.Verdict != want {
				t.Fatalf("got %v (%s), want %v", r.Verdict, r.Summary(), want)
			}
			done += r.Schedules + 3 // with those before the first schedule
		}
	}
	explored(100) // allocates what is allocated once
	memory, goroutines := live(), runtime.NumGoroutine()
	explored(count)
	if after := live(); after > memory+1<<20 {
		t.Errorf("got %d bytes more after %d executions, want less than 1 MiB", after-memory, count)
	}
	if after := runtime.NumGoroutine(); after > goroutines+10 {
		t.Errorf("got %d goroutines more after %d executions, want at most 10", after-goroutines, count)
	}
}

// Memory does not grow with the number of executions.
func TestMemoryStaysFlat(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	flat(t, executions(), explore.Holds, programs.Touch)
}

// Memory does not grow either if executions leave goroutines that can never end.
func TestMemoryStaysFlatWithLeaks(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	if !explore.Control(t) {
		return
	}
	flat(t, executions(), explore.Holds, func(t *explore.T) {
		programs.Touch(t)
		c, full := make(chan int), make(chan int, 1)
		full <- 1
		var mu sync.Mutex
		mu.Lock()
		var wg sync.WaitGroup
		wg.Add(1)
		for range 2 {
			go func() { defer panic("never"); <-c }()
			go func() { full <- 2 }()
			go func() {
				select {
				case <-c:
				case full <- 3:
				}
			}()
			go mu.Lock()
			go wg.Wait()
			go func() { select {} }()
			go time.Sleep(1000 * time.Hour)
		}
	})
}

// Memory does not grow either if executions fail.
func TestMemoryStaysFlatWithFailures(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	if !explore.Control(t) {
		return
	}
	flat(t, failing(), explore.Violated, func(t *explore.T) {
		a, b := make(chan int), make(chan int)
		t.Go("first", func() { a <- 1; <-b })
		t.Go("second", func() { b <- 1; <-a })
		t.Wait()
	})
}

// A goroutine outside the execution that waits on a channel of tasks is not removed.
func TestOthersAreNotDropped(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	shared := make(chan int)
	got := make(chan int)
	go func() { got <- <-shared }()
	cfg := small(t.Name())
	cfg.Leaks = explore.LeaksIgnore
	r := run(t, cfg, func(t *explore.T) {
		programs.Touch(t)
		go func() {
			select {
			case <-shared:
			case <-make(chan int):
			}
		}()
	})
	if r.Verdict == explore.Violated {
		t.Fatalf("got %s, want no failure", r.Summary())
	}
	shared <- 7 // to the goroutine outside
	if v := <-got; v != 7 {
		t.Errorf("got %d, want 7", v)
	}
}
