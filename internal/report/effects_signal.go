package report

import (
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/engine"
)

// notified records which goroutines a notification of a condition variable has woken, or will keep
// from waiting: a goroutine in Cond.Wait gets a ticket before it releases the lock, and tickets are
// called in order.
func (r *Recorder) notified(ex *engine.Execution, e *event) {
	ids, rest := r.state.tickets[e.object], []uint32(nil)
	if e.Op == control.OpSignal && len(ids) > 1 {
		ids, rest = ids[:1], ids[1:]
	}
	r.state.tickets[e.object] = rest
	ids = slices.Clone(ids)
	for i := 1; i <= ex.Control.Len(); i++ { // goroutines that waited before the first row
		if id := uint32(i); r.wokenBy(ex.Control.Task(i), e) && !slices.Contains(ids, id) && !r.state.notified[id] {
			ids = append(ids, id)
		}
	}
	var names []string
	for _, id := range ids {
		r.state.notified[id] = true
		names = append(names, ex.Name(id))
	}
	if len(names) == 0 {
		e.refused, e.outcome = true, "nobody waits"
		return
	}
	e.outcome = "wakes " + strings.Join(names, ", ")
}

// wokenBy reports whether the task of e last woke a task that waited for e's object.
func (r *Recorder) wokenBy(m *control.Task, e *event) bool {
	was := r.waiting[m.ID]
	return m.State == control.Runnable && m.Op == control.OpWoken && m.Waker == e.task && was != nil && was.object == e.object
}
