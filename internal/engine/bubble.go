package engine

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// The runtime itself manages bubbles of testing/synctest: their members, whether all of
// them are blocked, and their clock. Their goroutines are tasks like any others. The
// root of a bubble, which is in synctest.Run, can run whenever all in the bubble are
// blocked: it then moves the clock, fires timers, and waits again. A goroutine in
// synctest.Wait can run then, too.

// Bubble lists the other tasks in m's bubble that have been started so far.
func (ex *Execution) Bubble(m *control.Task) (ids []uint32) {
	for i := 1; i <= ex.Control.Len(); i++ {
		if other := ex.Control.Task(i); other.Bubble == m.Bubble && other.ID != m.ID {
			ids = append(ids, other.ID)
		}
	}
	return ids
}

// burst records that the bubble whose root ran last can never continue; reason is the
// runtime's message. It does not blame tasks that only wait for the program's
// goroutines, as package testing does.
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
