package engine

import (
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
)

// mostGranules bounds the granules of one memory access; a larger access is on everything.
const mostGranules = 32

// announce records the next operation of the task that ran last. A task that has
// blocked will resume the operation that it was in.
func (ex *Execution) announce() {
	if ex.Control.Collected() != ex.Objects.Collected {
		ex.Forget()
	}
	if len(ex.pending) <= ex.Control.Len() {
		ex.born()
	}
	for len(ex.pending) <= ex.Control.Len() {
		m := ex.Control.Task(len(ex.pending)) // a new goroutine, or a leftover one
		ex.pending = append(ex.pending, schedule.Operation{All: m.Leftover()})
		if m.Leftover() {
			ex.old++
			ex.queues(m, schedule.Operation{All: true})
		}
	}
	if ex.ran == 0 || ex.announced == len(ex.Trail) {
		return
	}
	ex.announced = len(ex.Trail)
	m := ex.Control.Task(int(ex.ran))
	switch {
	case m.State == control.Blocked || m.Op == control.OpWoken:
		ex.pending[m.ID] = ex.resumed(m)
	case m.State == control.Runnable:
		ex.operation(m)
		if m.Op != control.OpStart {
			o, s := &ex.pending[m.ID], ex.site(m)
			o.Site, o.Near, o.Target = s.Hash, s.Near, s.Target
		}
	}
}

// operation sets a task's pending operation from what it has announced. It writes the
// entry in place: copying a struct right after writing its fields stalls the processor.
func (ex *Execution) operation(m *control.Task) {
	o := &ex.pending[m.ID]
	var was schedule.Operation
	if m.Op == control.OpRead || m.Op == control.OpWrite {
		was = *o
	}
	*o = schedule.Operation{}
	if m.Op == control.OpStart {
		return
	}
	s := ex.site(m)
	ex.observer(m, s)
	if s.Trusted || ex.owned[m.ID] {
		o.All = true // the scheduling points within the call were left out
		return
	}
	switch m.Op {
	case control.OpGo, control.OpYield:
	case control.OpCount:
		o.Add(schedule.Access{Object: ex.tasksObject(), Mode: schedule.Reads})
		o.Add(schedule.ReadsTime)
		return
	case control.OpEnd:
		if o.All = m.ID == 1; !o.All { // the end of the body is a point only for what outlives it
			o.Add(schedule.Access{Object: ex.tasksObject(), Mode: schedule.Releases})
		}
		return
	case control.OpClock:
		o.Add(schedule.Access{Object: ex.Objects.Number(^uintptr(1<<32), "clock"), Mode: schedule.Changes})
		o.Add(schedule.ReadsTime)
		return
	case control.OpSelect:
		if n, _ := m.Cases(); n > control.MaxObjects {
			o.All = true
			return
		}
		*o = source.OnChannels(m.Channels(), ex.Objects.Number)
	case control.OpFile:
		for _, a := range source.FileAccesses(m, ex.Objects.Number) {
			o.Add(a)
		}
	case control.OpRead, control.OpWrite:
		if m.Size > source.Granule*mostGranules {
			o.All = true
			return
		}
		for at := m.Addr &^ (source.Granule - 1); at < m.Addr+max(m.Size, 1); at += source.Granule {
			o.Add(schedule.Access{Object: ex.Objects.Number(at, "memory"), Mode: s.Mode()})
			ex.sized(at, source.Granule)
		}
		if s.Within {
			o.AddAll(was) // the previous access of this operation has not ended
		}
	default:
		if m.Addr != 0 {
			addr, kind := s.On(m)
			o.Object, o.Mode = ex.Objects.Number(addr, kind), s.Mode()
			switch {
			case s.OnGroup():
				o.Mode = ex.onGroup(m, s)
			case s.Gathered:
			case m.Op == control.OpSend || m.Op == control.OpRecv:
				o.Mode = ex.onChannel(m, o.Object)
			case !ex.watches(triesLocks | handsReads):
				o.Mode = s.Shared()
			}
			switch {
			case s.Adds && ex.watches(mixesSizes):
				o.Mode = schedule.Changes // a sum that overflows one part may carry into the next
			case s.Adds:
				m.OnlyAdds(s.Size)
			}
			if s.Size != 0 {
				ex.sized(addr, s.Size)
			}
			if s.Size == source.WideAtomic {
				ex.wide(o, addr, kind)
			}
			if m.Op == control.OpTimer || kind == "chan" && control.OfTimer(addr) {
				o.Add(schedule.ReadsTime)
			}
		}
	}
	if m.Op == control.OpCondWait || len(ex.conds) > 0 {
		ex.condition(m, o)
	}
}

// onChannel returns the mode of a send or receive outside of a select. The race detector
// cannot tell apart the values of a buffered channel with elements of size zero: each
// operation is ordered after all earlier ones, and their order can hide a race.
func (ex *Execution) onChannel(m *control.Task, object uint32) schedule.Mode {
	n, size, closed := control.Channel(m.Addr)
	if size > 0 && control.Sizeless(m.Addr) {
		return schedule.Changes
	}
	for int(object) >= len(ex.rooms) {
		ex.rooms = append(ex.rooms, unknown)
	}
	if ex.rooms[object] == unknown {
		if ex.rooms[object] = size; n > 0 || closed {
			ex.rooms[object] = -1
		}
	}
	if m.Op == control.OpSend {
		return schedule.Sends
	}
	return schedule.Receives
}

// unknown stands for the capacity of a channel that was used only in selects so far.
const unknown = -2

// room returns a channel's capacity in the form of [schedule.Step].Room.
func (o *ordering) room(object uint32) int {
	if int(object) >= len(o.rooms) || o.rooms[object] == unknown {
		return 0
	}
	return o.rooms[object]
}

// condition adds the condition variable to the operations within Cond.Wait: the unlock
// ends by looking at the condition variable.
func (ex *Execution) condition(m *control.Task, o *schedule.Operation) {
	if m.Op == control.OpCondWait {
		if ex.conds == nil {
			ex.conds = make(map[uint32]uint32)
		}
		ex.conds[m.ID] = o.Object
		return
	}
	list, ok := ex.conds[m.ID]
	switch {
	case !ok:
	case ex.Engine.Sites.WaitsForCond(m):
		o.Add(schedule.Access{Object: list, Mode: schedule.Changes})
	default:
		delete(ex.conds, m.ID)
	}
}

// resumed returns the operation of a blocked task after it is woken. A task that waited
// for a semaphore looks again at the object behind it, and a select leaves the queues
// of its channels; all others have received what they waited for.
func (ex *Execution) resumed(m *control.Task) schedule.Operation {
	was := ex.pending[m.ID]
	delete(ex.conds, m.ID)
	ex.queues(m, was)
	switch {
	case was.All || ex.Engine.Sites.Hides(m) || m.WaitsForIO():
		return schedule.Operation{All: true}
	case ex.Engine.Sites.Self(m):
		return schedule.Operation{}
	}
	switch m.WaitReason() {
	case "select":
		if was.More != nil {
			return was
		}
	case "sync.RWMutex.Lock", "sync.RWMutex.RLock":
		if was.Mode.Behind(schedule.Frees) {
			was.Mode = schedule.Enters
		}
		return was
	case "sync.Mutex.Lock", "sync.WaitGroup.Wait", "semacquire":
		return was
	}
	return schedule.Operation{Mode: was.Mode} // on nothing
}

// queues records m as an open select, if it waits in several queues. on is what it is on: if that
// is not known, as of a leftover goroutine, the objects of the channels are found when needed.
func (ex *Execution) queues(m *control.Task, on schedule.Operation) {
	if m.WaitReason() != "select" || ex.Control.Queues(m.ID, nil) < 2 {
		return
	}
	if on.All {
		ex.selects.Queued = ex.queued
	}
	ex.selects.Open(schedule.OpenSelect{Task: m.ID, Object: ex.Objects.Number(^uintptr(m.ID), "select"), On: on})
}

// queued returns an operation on the channels in whose queues a task waits, as far as they are objects.
func (ex *Execution) queued(task uint32) schedule.Operation {
	all := make([]uintptr, ex.Control.Queues(task, nil))
	ex.Control.Queues(task, all)
	return source.OnChannels(all, ex.Objects.Known)
}
