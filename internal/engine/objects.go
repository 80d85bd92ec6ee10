package engine

import (
	"fmt"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// HarnessObject is the object that the harness's own state is, such as all
// histories. It has no name.
const HarnessObject = 1

// An object is the identity of something that goroutines share, as good in one
// execution as in the next that takes the same course: what it is, and how many
// of its kind were used before it. It reads "mutex#1", "chan#2".
type object struct {
	kind   string
	number int
}

func (o object) String() string { return fmt.Sprintf("%s#%d", o.kind, o.number) }

// Objects are the objects of one execution, by address. An address stays the same
// object's as long as nothing is collected; see execution.forget.
type Objects struct {
	byAddr map[uintptr]uint32
	near   [32]struct { // some of byAddr, by address
		addr  uintptr
		n     uint32
		sizes uintptr // see sized
	}
	sizes map[uintptr]uintptr // of the accesses to variables at an address, as bits
	known []object            // known[n-1] is object n
	kinds map[string]int

	collected uint32 // collections so far, when those that they freed were forgotten
}

// number is the object at addr, which gets a number if it has none; 0 for what is on
// a stack, because nobody else can work on it.
func (o *Objects) number(addr uintptr, kind string) uint32 {
	near := &o.near[addr/8%uintptr(len(o.near))]
	if near.addr != addr {
		near.addr, near.n, near.sizes = addr, o.find(addr, kind), 0
	}
	return near.n
}

// sized takes note of the size of an access to a variable, of one or two granules. It
// reports whether another one was to a part of that only.
func (o *Objects) sized(addr, size uintptr) bool {
	if near := &o.near[addr/8%uintptr(len(o.near))]; near.addr == addr {
		if near.sizes&size != 0 {
			return false
		}
		near.sizes |= size
	}
	if o.sizes == nil {
		o.sizes = make(map[uintptr]uintptr)
	}
	o.sizes[addr] |= size
	return size == wideAtomic && o.sizes[addr+granule] != 0 || o.sizes[addr-granule]&wideAtomic != 0
}

func (o *Objects) find(addr uintptr, kind string) uint32 {
	if n, ok := o.byAddr[addr]; ok {
		return n
	}
	if control.OnStack(addr) {
		return 0
	}
	if o.byAddr == nil {
		o.byAddr, o.kinds = make(map[uintptr]uint32), make(map[string]int)
		o.known = make([]object, HarnessObject, 8)
	}
	o.kinds[kind]++
	o.known = append(o.known, object{kind, o.kinds[kind]})
	n := uint32(len(o.known))
	o.byAddr[addr] = n
	return n
}

// Of is the object that an operation works on first; the zero object if it is
// on none that has a name.
func (o *Objects) Of(op schedule.Operation) object {
	if op.Object == 0 || int(op.Object) > len(o.known) {
		return object{}
	}
	return o.known[op.Object-1]
}
