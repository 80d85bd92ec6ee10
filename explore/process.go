package explore

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
)

// A member that waits for another process to end waits as for the network: see
// JqAwait in internal/overlay.

// processWait is the function in which one does.
const processWait = "os.(*Process).Wait"

// awaitsProcess reports whether a member that waits for the network waits for
// another process to end.
func (ex *execution) awaitsProcess(id uint32) bool {
	return slices.ContainsFunc(resolve(ex.e.Where(id)), func(f frame) bool { return f.function == processWait })
}

// release lets go of the members that have outlived the body and wait for another
// process, to end or to write something. It may live as long as this one, as a
// server does that the first of many tests starts; and somebody may wait for them
// in the end.
func (ex *execution) release() {
	if !ex.returned() {
		return
	}
	for i := 1; i <= ex.e.Len(); i++ {
		m := ex.e.Member(i)
		waits := m.State == control.Blocked && m.WaitsForIO() || m.State == control.Runnable && m.Op == control.OpWoken && m.Addr == control.Network
		if waits && (ex.awaitsProcess(m.ID) || foreignPipe(int(ex.e.Descriptor(m.ID)), ex.e.Opened)) {
			ex.e.Release(m.ID)
		}
	}
}

// awaitsReleased is a member that may wait for a goroutine which an earlier
// execution has released, and which lives; 0 if there is none. What that one knows
// of was there before this execution, as a rule: so what waits for its own channels
// only, or for timers, is not held up.
func (ex *execution) awaitsReleased() uint32 {
	if ex.returned() || !ex.e.Released() {
		return 0
	}
	for i := 1; i <= ex.e.Len(); i++ {
		m := ex.e.Member(i)
		if m.State == control.Blocked && !m.Resident() && ex.e.WaitsForOld(m.ID) {
			return m.ID
		}
	}
	return 0
}
