package engine

import (
	"fmt"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/locks"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
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
	SliceMost  = 1000  // operations of one
	sliceBound = 300e6 // and of all of an execution; after them it is taken to go on for ever
)

// A slicing is what an execution knows of its slices.
type slicing struct {
	Coarse     bool // there is nothing else any more
	Operations int  // of all slices
	effective  bool // the last step was no slice, and others could notice it
}

// sliced runs a slice, if it is time for one, and reports whether it was. A
// goroutine that spins gets none while others may still be what it waits for: to
// tell it by, there is an ordinary step between two slices of one that goes solo.
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

// slice runs a slice of a task; alone, if it ends when another can run.
func (ex *Execution) slice(id uint32, alone bool) {
	m := ex.Control.Task(int(id))
	ex.mix(m)
	ex.begins = m.Op == control.OpStart
	ex.ran, ex.Last = id, id
	ex.causes[id], ex.late = 0, false
	n := ex.operate(m, alone)
	ex.hash = schedule.Mix(ex.hash, uint64(n))
	ex.Made += n - 1
	ex.Slices.Operations += n
	ex.pace.slice(n, ex.Slices.Operations)
	ex.Slices.effective = false
	ex.pending[id] = schedule.Operation{All: true}
	ex.locks = locks.Table{} // what was locked and unlocked meanwhile is not known
	ex.Spins.changed(ex.Steps)
	ex.collect()
}

// operate runs the operations of a slice and returns how many there were. Those
// that are no scheduling points do not count: how many there are may depend on what
// else the process does.
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

// accompanied reports whether others can run besides the one that runs.
func (ex *Execution) accompanied() bool {
	ex.born()
	ex.update()
	return len(ex.enabled.ids) > 1
}

// coarsen makes all steps slices from here on. The whole rest is one step to those
// who ask for the order of steps.
func (ex *Execution) coarsen() {
	ex.Slices.Coarse, ex.Forced = true, true
	ex.Trail = append(ex.Trail, schedule.Step{Goroutine: max(ex.ran, 1), Operation: schedule.Operation{All: true}, Cause: -1, Late: true})
	ex.Spins.wake()
}

// exhausted reports whether the execution has come to its bound.
func (ex *Execution) exhausted() bool {
	if ex.settled() {
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

// settled reports whether an execution that may go on for long has gone on for some time
// behind a data race. That is its verdict whatever follows, and there may be no end.
func (ex *Execution) settled() bool {
	s := &ex.Engine.Settings
	return len(ex.racers) > 0 && s.Patient && s.Races == RacesFail && ex.Steps > min(fewSteps, s.MaxSteps/2)
}
