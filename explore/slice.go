package explore

import (
	"fmt"

	"github.com/jacquard-go/jacquard/internal/control"
)

// A slice is a step of many operations: a goroutine goes past its next ones as
// long as it does not block, end or yield. It costs a fraction of what as many
// steps do, and is as repeatable as they are, so that an execution of millions of
// operations has an end and its true result. What is done in it is not told.
//
// Where [Config].Patient says so there are slices of a goroutine that goes solo
// for long, which end as soon as there is somebody else to run, and, once the
// execution has had its steps, of all goroutines in turn: from there on it is coarse.
const (
	sliceMost  = 1000  // operations of one
	sliceBound = 300e6 // and of all of an execution; after them it is taken to go on for ever
)

// A slicing is what an execution knows of its slices.
type slicing struct {
	coarse     bool // there is nothing else any more
	operations int  // of all slices
	effective  bool // the last step was no slice, and others could notice it
}

// sliced runs a slice, if it is time for one, and reports whether it was. A
// goroutine that spins gets none while others may still be what it waits for: to
// tell it by, there is an ordinary step between two slices of one that goes solo.
func (ex *execution) sliced(runnable []uint32) bool {
	switch {
	case ex.slices.coarse:
		ex.slice(runnable[ex.turn(runnable, -1)], false)
	case !ex.kept() && ex.slices.effective:
		ex.begin(ex.e.Member(int(runnable[0])))
		ex.trail[len(ex.trail)-1].Operation = Operation{All: true}
		ex.slice(runnable[0], true)
	default:
		return false
	}
	return true
}

// slice runs a slice of a member; alone, if it ends when another can run.
func (ex *execution) slice(id uint32, alone bool) {
	m := ex.e.Member(int(id))
	ex.mix(m)
	ex.begins = m.Op == control.OpStart
	ex.ran, ex.last = id, id
	ex.causes[id], ex.late = 0, false
	n := ex.operate(m, alone)
	ex.hash = mixed(ex.hash, uint64(n))
	ex.made += n - 1
	ex.slices.operations += n
	ex.slices.effective = false
	ex.pending[id] = Operation{All: true}
	ex.locks = locks{} // what was locked and unlocked meanwhile is not known
	ex.spins.changed(ex.steps)
	ex.collect()
}

// operate runs the operations of a slice and returns how many there were. Those
// that are no scheduling points do not count: how many there are may depend on what
// else the process does.
func (ex *execution) operate(m *control.Member, alone bool) (n int) {
	for n < sliceMost {
		ex.sites[m.ID] = nil
		passed, strange := ex.e.Run(m.ID, sliceMost-n-1, alone)
		ex.raced(m.ID)
		n += 1 + passed
		if ex.settle(); !strange || m.State != control.Runnable || alone && ex.accompanied() {
			break
		}
		if s := ex.site(m); !s.deep && !s.trusted && !s.gathered && s.kind != siteInner {
			ex.e.Plain(m.ID)
		}
	}
	return n
}

// accompanied reports whether others can run besides the one that runs.
func (ex *execution) accompanied() bool {
	ex.born()
	ex.update()
	return len(ex.enabled.ids) > 1
}

// coarsen makes all steps slices from here on. The whole rest is one step to those
// who ask for the order of steps.
func (ex *execution) coarsen() {
	ex.slices.coarse, ex.forced = true, true
	ex.trail = append(ex.trail, Step{Goroutine: max(ex.ran, 1), Operation: Operation{All: true}, Cause: -1, Late: true})
	ex.spins.wake()
}

// exhausted reports whether the execution has come to its bound.
func (ex *execution) exhausted() bool {
	if ex.steps > ex.x.cfg.MaxSteps && !ex.slices.coarse {
		if !ex.x.cfg.Patient || ex.jam() {
			ex.livelock(fmt.Sprintf("no end after %d steps, the last half of them fairly scheduled", ex.x.cfg.MaxSteps))
			return true
		}
		ex.coarsen()
	}
	if ex.slices.operations < sliceBound && ex.solos < soloBound {
		return false
	}
	if !ex.jam() {
		ex.out.unknown = fmt.Sprintf("no end after %d operations", ex.steps+max(ex.slices.operations, ex.solos))
	}
	return true
}
