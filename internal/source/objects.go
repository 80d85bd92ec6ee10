package source

import (
	"fmt"
	"maps"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// Memory is told apart in granules. WideAtomic is the size of an atomic variable that has two.
const (
	Granule    = 4
	WideAtomic = 2 * Granule
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
// object's as long as nothing is collected; see Forget.
type Objects struct {
	byAddr map[uintptr]uint32
	near   [64]nearObject      // some of byAddr, by address
	sizes  map[uintptr]uintptr // of the accesses to variables at an address, as bits
	known  []object            // known[n-1] is object n
	kinds  map[string]int

	Collected uint32 // collections so far, when those that they freed were forgotten
}

// A nearObject is an object that was used lately.
type nearObject struct {
	addr  uintptr
	n     uint32
	sizes uint32 // see Sized
}

// slot is where to look for the object at addr first.
func (o *Objects) slot(addr uintptr) *nearObject {
	return &o.near[uint64(addr)*0x9e3779b97f4a7c15>>58]
}

// Number is the object at addr, which gets a number if it has none; 0 for what is on
// a stack, because nobody else can work on it.
func (o *Objects) Number(addr uintptr, kind string) uint32 {
	near := o.slot(addr)
	if near.addr != addr {
		near.addr, near.n, near.sizes = addr, o.find(addr, kind), 0
	}
	return near.n
}

// Sized takes note of the size of an access to a variable, of one or two granules. It
// reports whether another one was to a part of that only.
func (o *Objects) Sized(addr, size uintptr) bool {
	if near := o.slot(addr); near.addr == addr {
		if near.sizes&uint32(size) != 0 {
			return false
		}
		near.sizes |= uint32(size)
	}
	if o.sizes == nil {
		o.sizes = make(map[uintptr]uintptr)
	}
	o.sizes[addr] |= size
	return size == WideAtomic && o.sizes[addr+Granule] != 0 || o.sizes[addr-Granule]&WideAtomic != 0
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

// Again is the objects of the next execution, in this memory.
func (o *Objects) Again() Objects {
	if o.byAddr == nil {
		return Objects{}
	}
	clear(o.byAddr)
	clear(o.sizes)
	clear(o.kinds)
	return Objects{byAddr: o.byAddr, sizes: o.sizes, kinds: o.kinds, known: o.known[:HarnessObject]}
}

// Forget forgets the objects that were collected, in so many collections by now: what is
// at their addresses next is something else.
func (o *Objects) Forget(collections uint32) {
	o.Collected = collections
	clear(o.near[:])
	ForgetFreed(o.byAddr)
	ForgetFreed(o.sizes)
}

// ForgetFreed takes out of a map by addresses those that were collected.
func ForgetFreed[V any](byAddr map[uintptr]V) {
	maps.DeleteFunc(byAddr, func(addr uintptr, _ V) bool { return control.Freed(addr) })
}
