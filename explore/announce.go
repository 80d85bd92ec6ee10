package explore

import "github.com/jacquard-go/jacquard/internal/control"

// Memory is told apart in granules. mostGranules bounds how many of them an
// access may be on.
const (
	granule      = 4
	mostGranules = 32
)

// announce notes what the member that ran last will do next. One that has blocked
// will go on with what it was doing.
func (ex *execution) announce() {
	ex.forget()
	ex.born()
	for len(ex.pending) <= ex.e.Len() {
		m := ex.e.Member(len(ex.pending)) // one that begins, unless it is a resident
		ex.pending = append(ex.pending, Operation{All: m.Resident()})
	}
	if ex.ran == 0 || ex.announced == len(ex.trail) {
		return
	}
	ex.announced = len(ex.trail)
	m := ex.e.Member(int(ex.ran))
	switch {
	case m.State == control.Blocked || m.Op == control.OpWoken:
		ex.pending[m.ID] = ex.resumed(m)
	case m.State == control.Runnable:
		ex.pending[m.ID] = ex.operation(m)
	}
}

// operation is what a member has announced.
func (ex *execution) operation(m *control.Member) Operation {
	if m.Op == control.OpStart {
		return Operation{}
	}
	s := ex.site(m)
	if s.trusted || ex.owned[m.ID] {
		return Operation{All: true} // points of the call were left out
	}
	var o Operation
	switch m.Op {
	case control.OpGo, control.OpYield:
	case control.OpSelect:
		if m.Cases > control.MaxObjects {
			return Operation{All: true}
		}
		for _, c := range m.Channels() {
			if c != 0 {
				o = o.with(Access{ex.objects.number(c, "chan"), Changes})
			}
		}
	case control.OpRead, control.OpWrite:
		if m.Size > granule*mostGranules {
			return Operation{All: true}
		}
		for at := m.Addr &^ (granule - 1); at < m.Addr+max(m.Size, 1); at += granule {
			o = o.with(Access{ex.objects.number(at, "memory"), s.mode()})
		}
		if s.within {
			o = o.and(ex.pending[m.ID]) // has not ended
		}
	default:
		if m.Addr != 0 {
			addr, kind := s.on(m)
			o.Object, o.Mode = ex.objects.number(addr, kind), s.mode()
		}
	}
	return ex.condition(m, o)
}

// condition adds the condition variable to what is done within Cond.Wait: the
// unlocking ends with a look at it.
func (ex *execution) condition(m *control.Member, o Operation) Operation {
	if m.Op == control.OpCondWait {
		if ex.conds == nil {
			ex.conds = make(map[uint32]uint32)
		}
		ex.conds[m.ID] = o.Object
		return o
	}
	list, ok := ex.conds[m.ID]
	if !ok {
		return o
	}
	if !ex.x.sites.waitsForCond(m) {
		delete(ex.conds, m.ID)
		return o
	}
	return o.with(Access{list, Changes})
}

// resumed is what a blocked member will do when it is woken. One that waits for
// a semaphore has to look again at what it is behind, and a select leaves the
// queues of its channels; all others have what they waited for.
func (ex *execution) resumed(m *control.Member) Operation {
	was := ex.pending[m.ID]
	delete(ex.conds, m.ID)
	switch {
	case was.All || ex.x.sites.hides(m) || m.WaitsForIO():
		return Operation{All: true}
	case ex.x.sites.self(m):
		return Operation{}
	}
	switch m.WaitReason() {
	case "select":
		if was.More == nil {
			return Operation{}
		}
		ex.selects.open(openSelect{m.ID, ex.objects.number(^uintptr(m.ID), "select"), was})
		return was
	case "sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock", "sync.WaitGroup.Wait", "semacquire":
		return was
	}
	return Operation{}
}
