package source

import (
	"fmt"
	"maps"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// Memory is divided into granules. WideAtomic is the size of an atomic variable of two granules.
const (
	Granule    = 4
	WideAtomic = 2 * Granule
)

// HarnessObject is the object of the harness's own state, such as all histories. It has no
// name, nor have those up to [schedule.WaitObject].
const HarnessObject = 1

// An object identifies something that goroutines share, in the same way in every
// execution that takes the same course: by its kind, and how many of that kind were
// used before. It reads "mutex#1", "chan#2".
type object struct {
	kind   string
	number int
}

func (o object) String() string { return fmt.Sprintf("%s#%d", o.kind, o.number) }

// Objects are the objects of one execution, by address. An address belongs to the same
// object as long as no garbage is collected; see Forget.
type Objects struct {
	byAddr map[uintptr]uint32
	near   [64]nearObject      // cache of byAddr
	sizes  map[uintptr]uintptr // by address: the sizes of accesses to variables, as bits
	known  []object            // known[n-1] is object n
	kinds  map[string]int

	Collected uint32 // the number of collections when freed objects were last forgotten
}

// A nearObject is a recently used object.
type nearObject struct {
	addr  uintptr
	n     uint32
	sizes uint32 // see Sized
}

// slot returns the cache entry for addr.
func (o *Objects) slot(addr uintptr) *nearObject {
	return &o.near[uint64(addr)*0x9e3779b97f4a7c15>>58]
}

// Number returns the object at addr, and numbers a new one; 0 for an address on a
// stack, because no other goroutine can access that.
func (o *Objects) Number(addr uintptr, kind string) uint32 {
	near := o.slot(addr)
	if near.addr != addr {
		near.addr, near.n, near.sizes = addr, o.find(addr, kind), 0
	}
	return near.n
}

// Known is Number for an object that has a number already; 0 for any other.
func (o *Objects) Known(addr uintptr, _ string) uint32 { return o.byAddr[addr] }

// Sized records the size of an access to a variable of one or two granules. It reports
// whether another access was to only a part of the same variable.
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
		o.known = make([]object, schedule.WaitObject, 8)
	}
	o.kinds[kind]++
	o.known = append(o.known, object{kind, o.kinds[kind]})
	n := uint32(len(o.known))
	o.byAddr[addr] = n
	return n
}

// Of returns the first object of an operation; the zero object if it has none with a
// name.
func (o *Objects) Of(op schedule.Operation) object {
	if op.Object == 0 || int(op.Object) > len(o.known) {
		return object{}
	}
	return o.known[op.Object-1]
}

// Again returns the objects of the next execution, reusing this memory.
func (o *Objects) Again() Objects {
	if o.byAddr == nil {
		return Objects{}
	}
	clear(o.byAddr)
	clear(o.sizes)
	clear(o.kinds)
	return Objects{byAddr: o.byAddr, sizes: o.sizes, kinds: o.kinds, known: o.known[:schedule.WaitObject]}
}

// Forget forgets objects that were collected, because their addresses will be reused.
// collections is the number of collections so far.
func (o *Objects) Forget(collections uint32) {
	o.Collected = collections
	clear(o.near[:])
	ForgetFreed(o.byAddr)
	ForgetFreed(o.sizes)
}

// ForgetFreed deletes collected objects from a map by address.
func ForgetFreed[V any](byAddr map[uintptr]V) {
	maps.DeleteFunc(byAddr, func(addr uintptr, _ V) bool { return control.Freed(addr) })
}
