package engine

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// turns says whose turn it is once nobody chooses any more, because an execution
// has had its steps: then its schedule is fair, and what does not end is to blame
// for it itself.
//
// Whoever can run has one step in each round. Where [Config].Patient says that
// executions are long, not that they are livelocks, turns are drawn instead, and of
// 1 to 512 steps: goroutines that get in each other's way, draw back for equally
// long and try again would do so in step for ever if rounds were equal, and never
// do so on processors.
type turns struct {
	rng  schedule.RNG
	left int // steps of the present turn
}

// turn is the place of the task whose turn it is. current is that of the one
// that ran last, -1 if it cannot go on.
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

// next is the place of the task that follows the last one by number.
func (ex *Execution) next(runnable []uint32) int {
	at, _ := slices.BinarySearch(runnable, ex.Last+1)
	return at % len(runnable)
}
