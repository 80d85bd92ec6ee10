package engine

import (
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// An enabled is the set of tasks that can run. It is updated incrementally: a step
// changes the task that made it, the tasks that it started and those that it woke. So a
// step costs nothing for tasks that wait.
type enabled struct {
	ids   []uint32 // ascending
	known int      // tasks with lower or equal numbers have been looked at
	kept  []uint32 // ids without the resting tasks; reused
	io    []uint32 // tasks that wait for the network
	owned bool     // some were started by trusted code; see sites.owns
	at    int      // where in ids the running task was; a hint
}

// update brings the set up to date after a step.
func (ex *Execution) update() {
	s := &ex.enabled
	if ex.ran != 0 {
		if m := ex.Control.Task(int(ex.ran)); m.State != control.Runnable { // a runnable task is already in the set
			s.changed(m)
		}
	}
	for n := ex.Control.Len(); s.known < n; {
		s.known++
		m := ex.Control.Task(s.known)
		s.changed(m)
		s.owned = s.owned || ex.owned[m.ID]
	}
	if ex.Control.Waking() {
		ex.Control.Woken(func(m *control.Task) {
			s.changed(m)
			ex.woke(m)
		})
	}
}

// changed updates the sets for the present state of a task.
func (s *enabled) changed(m *control.Task) {
	s.ids = schedule.With(s.ids, m.ID, m.State == control.Runnable)
	s.io = schedule.With(s.io, m.ID, m.State == control.Blocked && m.WaitsForIO())
}

// runnable lists the tasks that can run, including those for which data from the
// network has arrived, and the index of the task that ran last.
func (ex *Execution) runnable() (ids []uint32, current int) {
	ex.update()
	if made := ex.systemCalls(); made != ex.arrived {
		ex.arrivals(made)
	}
	if len(ex.enabled.io) > 0 && ex.Control.Poll() {
		ex.late = true
		ex.update()
	}
	return ex.enabled.ids, ex.current(ex.enabled.ids)
}

// current returns the index of the task that ran last, or -1 if it has blocked since,
// cannot continue or is held up.
func (ex *Execution) current(ids []uint32) int {
	at := ex.enabled.at
	found := at < len(ids) && ids[at] == ex.Last
	if !found {
		at, found = schedule.Place(ids, ex.Last)
	}
	if !found || ex.Stalls.moved || ex.Control.Task(int(ex.Last)).Op == control.OpWoken {
		return -1
	}
	return at
}

// awake returns the runnable tasks without those that rest.
func (ex *Execution) awake(runnable []uint32, current int) ([]uint32, int) {
	if len(ex.Spins.resting) == 0 {
		return runnable, current
	}
	kept, at := ex.enabled.kept[:0], -1
	for i, id := range runnable {
		if ex.Spins.rests(id) {
			continue
		}
		if i == current {
			at = len(kept)
		}
		kept = append(kept, id)
	}
	ex.enabled.kept = kept
	if len(kept) > 0 {
		ex.Spins.rested()
	}
	return kept, at
}

// Alone reports whether a task is the only one alive, not counting tasks that trusted
// code has started.
func (ex *Execution) Alone(id uint32) bool {
	for i := 1; i <= ex.Control.Len(); i++ {
		if m := ex.Control.Task(i); m.ID != id && m.State != control.Exited && !ex.Engine.Sites.Owns(m) {
			return false
		}
	}
	return true
}
