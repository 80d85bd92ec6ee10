package engine

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// A bubble of testing/synctest is the runtime's own: who is in it, when all in it
// are blocked, what its clock says. Its goroutines are tasks like any others. Its
// root, which is in synctest.Run, can run whenever all in the bubble are blocked:
// then it moves the clock, fires timers, and waits again; so can one that is in
// synctest.Wait.

// Bubble lists the others in a task's bubble that have been started so far.
func (ex *Execution) Bubble(m *control.Task) (ids []uint32) {
	for i := 1; i <= ex.Control.Len(); i++ {
		if other := ex.Control.Task(i); other.Bubble == m.Bubble && other.ID != m.ID {
			ids = append(ids, other.ID)
		}
	}
	return ids
}

// burst notes that the bubble whose root ran last can never go on, for which
// reason is the runtime's word. Those that only wait for the program's goroutines,
// as package testing does, are not to blame.
func (ex *Execution) burst(reason string) {
	o := &ex.Out
	for _, id := range ex.Bubble(ex.Control.Task(int(ex.ran))) {
		if ex.Control.Task(int(id)).State != control.Exited {
			o.Blocked = append(o.Blocked, id)
		}
	}
	idle := func(id uint32) bool { return source.Where(ex.blockedAt(id)) == "" }
	if !slices.ContainsFunc(o.Blocked, func(id uint32) bool { return !idle(id) }) {
		idle = func(uint32) bool { return false }
	}
	o.Blocked = slices.DeleteFunc(o.Blocked, idle)
	o.fail(KindDeadlock, reason+": "+ex.List(o.Blocked))
}
