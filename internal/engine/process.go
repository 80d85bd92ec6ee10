package engine

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/system"
)

// A task that waits for another process to end waits as for the network: see
// JqAwait in internal/overlay.

// processWait is the function in which one does.
const processWait = "os.(*Process).Wait"

// awaitsProcess reports whether a task that waits for the network waits for
// another process to end.
func (ex *Execution) awaitsProcess(id uint32) bool {
	return slices.ContainsFunc(source.Resolve(ex.Control.Where(id)), func(f source.Frame) bool { return f.Function == processWait })
}

// release lets go of the tasks that have outlived the body and wait for another
// process, to end or to write something. It may live as long as this one, as a
// server does that the first of many tests starts; and somebody may wait for them
// in the end.
func (ex *Execution) release() {
	if !ex.Returned() {
		return
	}
	for i := 1; i <= ex.Control.Len(); i++ {
		m := ex.Control.Task(i)
		waits := m.State == control.Blocked && m.WaitsForIO() || m.State == control.Runnable && m.Op == control.OpWoken && m.Addr == control.Network
		if waits && (ex.awaitsProcess(m.ID) || system.ForeignPipe(int(ex.Control.Descriptor(m.ID)), ex.Control.Opened)) {
			ex.Control.Release(m.ID)
		}
	}
}

// awaitsReleased is a task that may wait for a goroutine which an earlier
// execution has released, and which lives; 0 if there is none. What that one knows
// of was there before this execution, as a rule: so what waits for its own channels
// only, or for timers, is not held up.
func (ex *Execution) awaitsReleased() uint32 {
	if ex.Returned() || !ex.Control.Released() {
		return 0
	}
	for i := 1; i <= ex.Control.Len(); i++ {
		m := ex.Control.Task(i)
		if m.State == control.Blocked && !m.Leftover() && ex.Control.WaitsForOld(m.ID) {
			return m.ID
		}
	}
	return 0
}
