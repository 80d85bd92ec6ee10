package engine

import (
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// Twins are two tasks that one task has started one right after the other to run one
// function with equal captured values. Who goes first of them, which is who first makes
// a step behind the one in which it begins, makes no difference but for their names: if the
// later one does, what follows can follow as well with the two exchanged, since before
// that neither has done anything, and nothing has happened to one of them alone. So that is
// so, who starts them does nothing in between that the later one would learn: no operation,
// unless it is to count up a wait group, and no access to memory. Nor does time pass.
//
// The random choices of two tasks are not the same, and who asks for the stacks of all
// finds their numbers there: a program that does so has no twins.
type twins struct {
	of    []uint32 // by task: its twin, which is to go first; 0 is none
	born  []int    // by task: the steps that there were when it had been started
	made  []uint32 // by task: its steps
	asked bool     // the strategy has asked for one
}

// born takes note of a task that the last step has started.
func (w *twins) add(ex *Execution, m *control.Task) {
	w.of, w.born, w.made = append(w.of, 0), append(w.born, len(ex.Trail)), append(w.made, 0)
	if m.Twin != 0 && !ex.owned[m.ID] && ex.kept() && !ex.watches(countsTasks|drawsLots) && quiet(ex.Trail[w.born[m.Twin]:], m.Parent) {
		w.of[m.ID] = m.Twin
	}
}

// quiet reports whether nothing was done in steps by which a task that id starts behind them
// differs from one that it has started before.
func quiet(steps []schedule.Step, id uint32) bool {
	for i := range steps {
		s := &steps[i]
		counts := s.Operation.Mode == schedule.Counts && s.Count > 0 && s.Operation.Accesses() == 1
		switch {
		case s.Goroutine == schedule.Clock, s.Late, len(s.Settled) > 0:
			return false
		case s.Goroutine == id && (s.Operation.All || s.Joined || s.Cause >= 0 || s.Operation.Object != 0 && !counts):
			return false
		}
	}
	return true
}

// next takes note of a step of m, and returns its twin if it is the one by which they might
// differ.
func (w *twins) next(m *control.Task) uint32 {
	if w.made[m.ID]++; w.made[m.ID] == 2 && m.Op != control.OpWoken {
		return w.of[m.ID]
	}
	return 0
}

// mirrors is [schedule.Point.Mirrors].
func (ex *Execution) mirrors(id uint32) bool {
	w := &ex.twins
	if int(id) >= len(w.of) || w.of[id] == 0 {
		return false
	}
	w.asked = true
	m, twin := ex.Control.Task(int(id)), ex.Control.Task(int(w.of[id]))
	mirrors := w.made[id] == 1 && m.Op != control.OpWoken && w.made[twin.ID] <= 1 && twin.State == control.Runnable && twin.Op != control.OpWoken
	if mirrors {
		ex.Notes |= control.NoteMirrored
	}
	return mirrors
}
