package engine

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// turns schedules fairly once an execution has used up its chosen steps. If
// the execution then does not end, the program is to blame and not the
// schedule.
//
// Every task that can run has one step in each round. Where [Config].Patient says that
// executions are long rather than livelocks, turns are drawn at random instead, with 1
// to 512 steps each. In equal rounds, goroutines that collide, back off for equally
// long and try again would collide for ever in lockstep, which never happens on
// processors.
type turns struct {
	rng  schedule.RNG
	left int // steps of the present turn
}

// turn returns the index of the task whose turn it is. current is that of the task that
// ran last, or -1 if it cannot continue.
func (ex *Execution) turn(runnable []uint32, current int) int {
	t := &ex.turns
	switch {
	case !ex.Engine.Settings.Patient:
		return ex.next(runnable)
	case current >= 0 && t.left > 0:
		t.left--
		return current
	}
	t.left = 1<<t.rng.N(10) - 1
	return t.rng.N(len(runnable))
}

// next returns the index of the runnable task that follows the last one by number.
func (ex *Execution) next(runnable []uint32) int {
	at, _ := slices.BinarySearch(runnable, ex.Last+1)
	return at % len(runnable)
}
