package engine

import (
	"fmt"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/locks"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
)

// A slice is a step of many operations: a goroutine runs past its next scheduling
// points until it blocks, ends or yields. It costs a fraction of as many steps, and is
// as repeatable, so that an execution of millions of operations ends with its true
// result. Reports do not show what happens in a slice.
//
// Under [Config].Patient there are slices of a goroutine that goes solo for long, which
// end as soon as another goroutine can run; and, once the execution has had its steps,
// slices of all goroutines in turn: from then on it is coarse.
const (
	SliceMost  = 1000  // operations in one slice
	sliceBound = 300e6 // operations in all slices of an execution, after which it is taken to be endless
)

// A slicing is the state of an execution's slices.
type slicing struct {
	Coarse     bool // all steps are slices from now on
	Operations int  // in all slices so far
	effective  bool // the last step was an ordinary one, and others could notice it
}

// sliced runs a slice, if it is time for one, and reports whether it did. Between two
// slices of a solo goroutine there is an ordinary step. If it has no effect the goroutine
// may spin, and gets no slice while another one may still change what it waits for.
func (ex *Execution) sliced(runnable []uint32) bool {
	switch {
	case ex.Slices.Coarse:
		ex.slice(runnable[ex.turn(runnable, -1)], false)
	case !ex.kept() && ex.Slices.effective:
		ex.begin(ex.Control.Task(int(runnable[0])), 0)
		ex.Trail[len(ex.Trail)-1].Operation = schedule.Operation{All: true}
		ex.slice(runnable[0], true)
	default:
		return false
	}
	return true
}

// slice runs a slice of a task. If alone is set, the slice ends when another task can run.
func (ex *Execution) slice(id uint32, alone bool) {
	m := ex.Control.Task(int(id))
	ex.mix(m)
	ex.begins = m.Op == control.OpStart
	ex.ran, ex.Last = id, id
	ex.causes[id], ex.late = 0, false
	n := ex.operate(m, alone)
	ex.hash = schedule.Mix(ex.hash, uint64(n))
	ex.Made += n - 1
	ex.bodyEnds(m)
	ex.Slices.Operations += n
	ex.pace.slice(n, ex.Slices.Operations)
	ex.Slices.effective = false
	ex.pending[id] = schedule.Operation{All: true}
	ex.locks = locks.Table{} // the locks taken and released in the slice are not known
	ex.Spins.changed(ex.Steps)
	ex.collect()
}

// operate runs the operations of a slice and returns how many there were. It does not
// count operations that are no scheduling points, whose number may depend on other
// activity in the process.
func (ex *Execution) operate(m *control.Task, alone bool) (n int) {
	ex.idle.moved(m.ID, ex.Made)
	for n < SliceMost {
		ex.sites[m.ID] = nil
		passed, strange := ex.Control.Run(m.ID, SliceMost-n-1, alone)
		ex.raced()
		n += 1 + passed
		if ex.settle(); !strange || m.State != control.Runnable || alone && ex.accompanied() {
			break
		}
		if s := ex.site(m); !s.Deep && !s.Trusted && !s.Gathered && s.Kind != source.SiteInner {
			ex.Control.Plain(m.ID)
		}
	}
	return n
}

// accompanied reports whether more than one task can run.
func (ex *Execution) accompanied() bool {
	ex.born()
	ex.update()
	return len(ex.enabled.ids) > 1
}

// coarsen makes all further steps slices. For those who look at the order of steps, the
// whole rest is one step.
func (ex *Execution) coarsen() {
	ex.Slices.Coarse, ex.Forced = true, true
	ex.Trail = append(ex.Trail, schedule.Step{Goroutine: max(ex.ran, 1), Operation: schedule.Operation{All: true}, Cause: -1, Late: true})
	ex.Spins.wake()
}

// exhausted reports whether the execution must end because it has reached a bound.
func (ex *Execution) exhausted() bool {
	if ex.settled() || ex.Returned() && ex.outlasted() {
		return true
	}
	if ex.Steps > ex.Engine.Settings.MaxSteps && !ex.Slices.Coarse {
		if ex.starved(0) || ex.Engine.Settings.Patient && len(ex.t.failures()) > 0 {
			return true
		}
		if !ex.Engine.Settings.Patient || ex.jam() {
			ex.livelock(fmt.Sprintf("no end after %d steps, the last half of them fairly scheduled", ex.Engine.Settings.MaxSteps))
			return true
		}
		ex.coarsen()
	}
	if ex.beyond() {
		ex.livelock(fmt.Sprintf("no end after %d operations, of %d that the schedule has which preempts nobody", ex.Steps+max(ex.Slices.Operations, ex.solos), ex.Engine.Usual))
		return true
	}
	if ex.Slices.Operations < sliceBound && ex.solos < soloBound {
		return false
	}
	if !ex.jam() && len(ex.t.failures()) == 0 {
		ex.Out.Unknown = fmt.Sprintf("no end after %d operations", ex.Steps+max(ex.Slices.Operations, ex.solos))
	}
	return true
}

// settled reports whether an execution that may be long has gone on for some time after a
// data race. The race is the verdict whatever follows, and the execution might never end.
func (ex *Execution) settled() bool {
	s := &ex.Engine.Settings
	return len(ex.racers) > 0 && s.Patient && s.Races == RacesFail && ex.Steps > min(fewSteps, s.MaxSteps/2)
}
