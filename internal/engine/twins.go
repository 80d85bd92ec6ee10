package engine

import (
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// Twins are two tasks that one task has started one right after the other to run the same
// function with equal captured values. Which of them first makes a step after its beginning
// step makes no difference except for their names: if the later one does, the same can
// follow with the two exchanged, since neither has done anything before that, and nothing
// has happened to only one of them. To ensure this, the parent does nothing in between that
// the later one could observe: no operation except counting up a wait group, and no access
// to memory. Nor does time pass.
//
// The random choices of two tasks differ, and stack dumps show their numbers: a program
// that depends on either has no twins.
type twins struct {
	of    []uint32 // by task: its twin, which must go first; 0 is none
	born  []int    // by task: length of the trail when it had been started
	made  []uint32 // by task: how many steps it has made
	asked bool     // the strategy has called Mirrors for one
}

// add records a task that the last step has started.
func (w *twins) add(ex *Execution, m *control.Task) {
	w.of, w.born, w.made = append(w.of, 0), append(w.born, len(ex.Trail)), append(w.made, 0)
	if m.Twin != 0 && !ex.owned[m.ID] && ex.kept() && !ex.watches(countsTasks|drawsLots) && schedule.Quiet(ex.Trail[w.born[m.Twin]:], m.Parent) {
		w.of[m.ID] = m.Twin
	}
}

// next counts a step of m. It returns m's twin if this step is the first by which the two
// may differ, else 0.
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
