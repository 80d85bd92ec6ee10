package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

// An Operation is what a goroutine will do when it is run next: which objects
// it works on, and how. Objects have numbers, which are good in one execution.
// Two executions that have begun alike have given the same numbers: an object
// gets its number when an operation on it is first announced.
//
// What an operation is on is what decides whether the order of two matters, so
// it must never be too little. A channel, a lock and every other thing of package
// sync is one object each, whatever it is made of; a select is on all of its
// channels; a timer is on its channel. Atomic variables and learnt accesses to
// plain memory are on the memory, in pieces of four bytes. The clock is no object:
// it moves only when nobody can run, so all that comes before comes before all
// that comes after. To start a goroutine, to begin and to yield are on nothing.
type Operation struct {
	Object uint32   // 0 is none
	Mode   Mode     // how it works on the object
	More   []Access // what else it works on; not to be changed
	All    bool     // it is not known what it works on: nothing, or all that there is
}

// An Access is how an operation works on one object.
type Access struct {
	Object uint32
	Mode   Mode
}

// A Mode sorts the operations on one object by whether their order can be told.
// Two of the same mode commute, unless both are changes.
type Mode uint8

const (
	// Changes is any operation that is none of the others.
	Changes Mode = iota
	// Reads leaves the object as it is, for all that others can tell: an atomic
	// load, RLock, WaitGroup.Wait, the call of an operation of a [History].
	Reads
	// Releases gives back what many may hold: RUnlock, WaitGroup.Done, the
	// return of an operation of a History.
	Releases
)

// Conflicts reports whether the order of two operations can matter.
func (o Operation) Conflicts(other Operation) bool {
	if o.All || other.All {
		return true
	}
	if o.Object == 0 || other.Object == 0 {
		return false
	}
	if len(o.More) == 0 && len(other.More) == 0 {
		return o.Object == other.Object && !commute(o.Mode, other.Mode)
	}
	return o.anyConflict(other)
}

func (o Operation) anyConflict(other Operation) bool {
	for i := range o.accesses() {
		for j := range other.accesses() {
			if a, b := o.access(i), other.access(j); a.Object == b.Object && !commute(a.Mode, b.Mode) {
				return true
			}
		}
	}
	return false
}

func commute(a, b Mode) bool { return a == b && a != Changes }

// accesses is the number of objects that the operation is known to work on.
func (o Operation) accesses() int {
	if o.Object == 0 {
		return 0
	}
	return 1 + len(o.More)
}

func (o Operation) access(i int) Access {
	if i == 0 {
		return Access{o.Object, o.Mode}
	}
	return o.More[i-1]
}

// with is the operation with one more access.
func (o Operation) with(a Access) Operation {
	for i := range o.accesses() {
		if o.access(i) == a {
			return o
		}
	}
	if o.Object == 0 {
		o.Object, o.Mode = a.Object, a.Mode
		return o
	}
	o.More = append(slices.Clip(o.More), a)
	return o
}

// and is the operation on all that either works on.
func (o Operation) and(other Operation) Operation {
	o.All = o.All || other.All
	for i := range other.accesses() {
		o = o.with(other.access(i))
	}
	return o
}

// covers reports whether the operation is on all that the other is on.
func (o Operation) covers(other Operation) bool {
	for i := range other.accesses() {
		if o.with(other.access(i)).accesses() > o.accesses() {
			return false
		}
	}
	return o.All || !other.All
}

// harnessObject is the object that the harness's own state is, such as all
// histories. It has no name.
const harnessObject = 1

// An object is the identity of something that goroutines share, as good in one
// execution as in the next that takes the same course: what it is, and how many
// of its kind were used before it. It reads "mutex#1", "chan#2".
type object struct {
	kind   string
	number int
}

func (o object) String() string { return fmt.Sprintf("%s#%d", o.kind, o.number) }

// objects are the objects of one execution, by address. Nothing is collected
// within an execution, unless the heap is very large, so an address stays the
// same object's.
type objects struct {
	byAddr map[uintptr]uint32
	near   [32]struct { // some of byAddr, by address
		addr uintptr
		n    uint32
	}
	known []object // known[n-1] is object n
	kinds map[string]int
}

// number is the object at addr, which gets a number if it has none.
func (o *objects) number(addr uintptr, kind string) uint32 {
	near := &o.near[addr/8%uintptr(len(o.near))]
	if near.addr != addr {
		near.addr, near.n = addr, o.find(addr, kind)
	}
	return near.n
}

func (o *objects) find(addr uintptr, kind string) uint32 {
	if n, ok := o.byAddr[addr]; ok {
		return n
	}
	if o.byAddr == nil {
		o.byAddr, o.kinds = make(map[uintptr]uint32), make(map[string]int)
		o.known = make([]object, harnessObject, 8)
	}
	o.kinds[kind]++
	o.known = append(o.known, object{kind, o.kinds[kind]})
	n := uint32(len(o.known))
	o.byAddr[addr] = n
	return n
}

// of is the object that an operation works on first; the zero object if it is
// on none that has a name.
func (o *objects) of(op Operation) object {
	if op.Object == 0 || int(op.Object) > len(o.known) {
		return object{}
	}
	return o.known[op.Object-1]
}

// on is what a pending operation is on: the whole, where it has parts.
func (s *site) on(m *control.Member) (addr uintptr, kind string) {
	if m.Op == control.OpTimer {
		// A timer begins with its channel, which is nil for time.AfterFunc.
		if c, ok := word(m.Addr, 8); ok && c != 0 {
			return uintptr(c), "chan"
		}
	}
	return m.Addr - s.offset, s.object
}

// objectKind is what the operation's object is called.
func (s *site) objectKind(op control.Op) string {
	switch op {
	case control.OpSignal, control.OpBroadcast, control.OpCondWait:
		return "cond"
	case control.OpTimer:
		return "timer"
	case control.OpRead, control.OpWrite:
		return "memory"
	case control.OpAtomic:
		for _, kind := range []string{"RWMutex", "Mutex", "WaitGroup", "Once"} {
			if strings.HasPrefix(s.op, kind) {
				return strings.ToLower(kind)
			}
		}
		return "atomic"
	}
	return "chan"
}

// mode is how the operation works on its object.
func (s *site) mode() Mode {
	switch s.kind {
	case siteRead, siteAtomicRead, siteRLock:
		return Reads
	case siteRUnlock, siteDone:
		return Releases
	}
	return Changes
}

// Memory is told apart in granules. mostGranules bounds how many of them an
// access may be on.
const (
	granule      = 4
	mostGranules = 32
)

// announce notes what the member that ran last will do next. One that has blocked
// will go on with what it was doing.
func (ex *execution) announce() {
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
		ex.selects = append(ex.selects, openSelect{m.ID, ex.objects.number(^uintptr(m.ID), "select"), was})
		return was
	case "sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock", "sync.WaitGroup.Wait", "semacquire":
		return was
	}
	return Operation{}
}

// An openSelect is a select that waits in the queues of several channels. The
// first operation on one of them that it can go on with decides which case it
// takes, so those on all of them have the select in common until it has left the
// queues.
type openSelect struct {
	member uint32
	object uint32
	on     Operation
}

// contend adds the open selects to an operation on one of their channels.
func (ex *execution) contend(m *control.Member, o Operation) Operation {
	for i := 0; i < len(ex.selects); i++ {
		s := ex.selects[i]
		if s.member == m.ID {
			ex.selects = slices.Delete(ex.selects, i, i+1)
			i--
		} else if s.on.Conflicts(o) {
			o = o.with(Access{s.object, Changes})
		}
	}
	return o
}
