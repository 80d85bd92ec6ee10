package explore_test

import (
	"runtime"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/explore/bodies"
)

// live is the size of the heap after a collection, in bytes.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Memory does not grow with the number of executions.
func TestMemoryStaysFlat(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	const executions = 20_000
	cfg := small("counter")
	cfg.Plan = []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: executions}}
	run(t, small("counter"), bodies.Touch) // what is made only once
	before := live()
	if r := run(t, cfg, bodies.Touch); r.Verdict != explore.Holds || r.Schedules != executions {
		t.Fatalf("got %s", r.Summary())
	}
	if after := live(); after > before+1<<20 {
		t.Errorf("got %d bytes more after %d executions, want less than 1 MiB", after-before, executions)
	}
}
