package engine

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/system"
)

// A task that waits for another process to end waits as if for the network: see JqAwait
// in internal/overlay.

// processWait is the function in which a task waits for a process.
const processWait = "os.(*Process).Wait"

// awaitsProcess reports whether a task that waits for the network waits for
// another process to end.
func (ex *Execution) awaitsProcess(id uint32) bool {
	return slices.ContainsFunc(source.Resolve(ex.Control.Where(id)), func(f source.Frame) bool { return f.Function == processWait })
}

// release lets the tasks run on that have outlived the body and wait for another
// process to end or to write something. The process may live as long as this one, like
// a server that the first of many tests starts, and a later test may wait for those
// tasks in the end.
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

// awaitsReleased returns a task that may wait for a goroutine which an earlier
// execution has released and which still lives; 0 if there is none. Such a goroutine
// usually knows only channels from before this execution, so tasks that wait only for
// channels of this execution, or for timers, are not delayed.
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
