package schedule

import "slices"

// An Operation is what a goroutine will do when it runs next: the objects that it works
// on, and how. Object numbers are valid within one execution. Two executions that have
// begun alike have given the same numbers: an object gets its number when an operation
// on it is first announced.
//
// The objects of two operations decide whether their order matters, so an operation
// must never name too few. A channel, a lock and every other type of package sync is
// one object each, whatever its parts; a select is on all of its channels; a timer
// is on its channel. Atomic variables and learnt accesses to plain memory are on the
// memory, in pieces of four bytes. The clock moves when no goroutine can run, between
// all earlier and all later steps, or by a step of its own, which changes [TimeObject].
// What depends on the time is on it too. To start a goroutine, to begin and to yield are on no
// object.
type Operation struct {
	Object uint32   // 0 is none
	Mode   Mode     // how it works on the object
	All    bool     // the objects are not known: none, or all that there are
	Near   Nearness // to a place that an [Aimer] names
	Target uint8    // index of that place; see [Aimer]
	Site   uint64   // hash of the place in the code, the same in every execution; 0 if there is none
	More   []Access // further accesses; must not be changed
}

// TimeObject is the object of the time and of all timers. A step reads it if it reads the time,
// sets or stops a timer, uses a timer's channel, looks at the set of goroutines, or ends the body,
// after which nobody is held up. WaitObject is the same for how long goroutines wait for mutexes:
// one that has waited for a millisecond is handed the mutex. The first object with a name is the
// one after them.
const (
	TimeObject = 2
	WaitObject = 3
)

// ReadsTime is the access of a step that depends on the time.
var ReadsTime = Access{Object: TimeObject, Mode: Reads}

// Moves is what each step of the clock is on.
var Moves = Operation{Object: TimeObject, Mode: Changes, More: []Access{{WaitObject, Changes}}}

// An Access is how an operation works on one object.
type Access struct {
	Object uint32
	Mode   Mode
}

// A Mode classifies operations on one object by whether their order is observable. Reads
// commute with each other, as do releases, counts and awaits; so do a send and a receive.
type Mode uint8

const (
	// Changes is any operation that none of the others covers.
	Changes Mode = iota
	// Reads leaves the object as it is, as far as others can observe: an atomic load, the
	// call of an operation of a [History], RLock where Shares would not be sound.
	Reads
	// Releases gives back what several goroutines may hold: the return of an operation
	// of a History, RUnlock where Returns would not be sound.
	Releases
	// Counts adds to a number without looking at it: an atomic addition whose result is
	// dropped, and WaitGroup.Add and Done where no goroutine can observe the
	// intermediate counts; see [Shared].
	Counts
	// Awaits continues once such a count is zero. It comes after the counts that it
	// waited for, which cannot be reversed.
	Awaits
	// Sends and Receives are operations on a channel outside of a select, which wait if
	// they have to. Values come out in the order in which they went in, to receivers in
	// the order of their arrival. So the order among sends and the order among receives
	// are observable, but not whether a send comes before a receive.
	Sends
	Receives
	// Takes locks a sync.Mutex, waiting until it is free. It comes after the unlock, which
	// cannot be reversed. An attempt that finds the mutex locked has no observable effect.
	Takes
	// Frees unlocks the mutex.
	Frees
	// Shares locks a sync.RWMutex for reading, Returns unlocks it; a writer Takes and Frees
	// it. Only the order between a reader's and a writer's arrival is observable: each waits
	// for all earlier arrivals of the other kind, which cannot be reversed.
	Shares
	Returns
	// Enters is the continuation of a goroutine that has waited for readers, or to read.
	Enters
	// Modes is the number of modes.
	Modes Mode = iota
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
		return o.Object == other.Object && !Commute(o.Mode, other.Mode)
	}
	return o.anyConflict(other)
}

func (o Operation) anyConflict(other Operation) bool {
	for i := range o.Accesses() {
		for j := range other.Accesses() {
			if a, b := o.Access(i), other.Access(j); a.Object == b.Object && !Commute(a.Mode, b.Mode) {
				return true
			}
		}
	}
	return false
}

// Looks reports whether operations of mode m leave the object as it is.
func (m Mode) Looks() bool { return m == Reads || m == Awaits || m == Shares }

// Commute reports whether the order of operations of these modes is unobservable.
func Commute(a, b Mode) bool {
	switch a {
	case Sends, Receives:
		return b.Queues() && a != b
	case Changes:
		return false
	case Takes:
		return b == Returns || b == Enters
	case Frees:
		return b >= Shares
	case Shares:
		return b >= Frees
	case Returns, Enters:
		return b >= Takes
	}
	return a == b
}

// Behind reports whether operations of mode m come after those of mode before in every
// schedule, because they wait for them.
func (m Mode) Behind(before Mode) bool {
	switch m {
	case Awaits:
		return before == Counts
	case Takes:
		return before == Frees || before == Returns
	case Shares:
		return before == Frees
	case Enters:
		return before == Frees || before == Returns
	}
	return false
}

// Queues reports whether m is the mode of a send or a receive.
func (m Mode) Queues() bool { return m == Sends || m == Receives }

// Accesses is the number of objects that the operation is known to work on.
func (o Operation) Accesses() int {
	if o.Object == 0 {
		return 0
	}
	return 1 + len(o.More)
}

// Access returns the i-th of these accesses, from 0.
func (o Operation) Access(i int) Access {
	if i == 0 {
		return Access{o.Object, o.Mode}
	}
	return o.More[i-1]
}

// has reports whether an access is one of the operation's, or on no object.
func (o Operation) has(a Access) bool {
	for i := range o.Accesses() {
		if o.Access(i) == a {
			return true
		}
	}
	return a.Object == 0
}

// Add adds an access to the operation.
func (o *Operation) Add(a Access) {
	switch {
	case o.has(a):
	case o.Object == 0:
		o.Object, o.Mode = a.Object, a.Mode
	default:
		o.More = append(slices.Clip(o.More), a)
	}
}

// AddAll adds all accesses of another operation.
func (o *Operation) AddAll(other Operation) {
	o.All = o.All || other.All
	for i := range other.Accesses() {
		o.Add(other.Access(i))
	}
}

// With returns the operation with one more access.
func (o Operation) With(a Access) Operation {
	o.Add(a)
	return o
}

// And returns an operation on everything that either works on.
func (o Operation) And(other Operation) Operation {
	o.AddAll(other)
	return o
}

// Covers reports whether the operation is on everything that the other is on.
func (o Operation) Covers(other Operation) bool {
	for i := range other.Accesses() {
		if !o.has(other.Access(i)) {
			return false
		}
	}
	return o.All || !other.All
}
