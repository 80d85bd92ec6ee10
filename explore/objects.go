package explore

import (
	"fmt"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

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

// objects are the objects of one execution, by address. An address stays the same
// object's as long as nothing is collected; see execution.forget.
type objects struct {
	byAddr map[uintptr]uint32
	near   [32]struct { // some of byAddr, by address
		addr uintptr
		n    uint32
	}
	known []object // known[n-1] is object n
	kinds map[string]int

	collected uint32 // collections so far, when those that they freed were forgotten
}

// number is the object at addr, which gets a number if it has none; 0 for what is on
// a stack, because nobody else can work on it.
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
	if control.OnStack(addr) {
		return 0
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
