package schedule

import "slices"

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
// it moves when nobody can run, and all that comes before comes before all that
// comes after, or by a step of its own, which is on everything. To start a goroutine,
// to begin and to yield are on nothing.
type Operation struct {
	Object uint32   // 0 is none
	Mode   Mode     // how it works on the object
	All    bool     // it is not known what it works on: nothing, or all that there is
	Near   Nearness // to what the strategy is directed at
	Target uint8    // which of that it is nearest to; see [Aimer]
	Site   uint64   // hash of the place in the code, the same in every execution; 0 if there is none
	More   []Access // what else it works on; not to be changed
}

// An Access is how an operation works on one object.
type Access struct {
	Object uint32
	Mode   Mode
}

// A Mode sorts the operations on one object by whether their order can be told.
// Reads commute, as do releases, counts and those who await; so do a send and a receive.
type Mode uint8

const (
	// Changes is any operation that is none of the others.
	Changes Mode = iota
	// Reads leaves the object as it is, for all that others can tell: an atomic
	// load, the call of an operation of a [History], RLock where Shares is not known to do.
	Reads
	// Releases gives back what many may hold: the return of an operation of a History,
	// RUnlock where Returns is not known to do.
	Releases
	// Counts adds to a number that it does not look at: an atomic addition whose result
	// nobody takes, and WaitGroup.Add and Done, where nobody can see what it comes to in
	// between; see [Shared].
	Counts
	// Awaits goes on once such a count is zero. What was counted before comes before it,
	// which cannot be reversed.
	Awaits
	// Sends and Receives are those of a channel that no select does, and that wait if they
	// have to. Values come out in the order in which they went in, to those who receive in
	// the order in which they came: so it is told who sends before whom, and who receives
	// before whom, but not whether one sends before another receives.
	Sends
	Receives
	// Takes takes a sync.Mutex, if need be once it is free: behind who gave it back, which
	// cannot be reversed. An attempt that finds it held does nothing that others could tell.
	Takes
	// Frees gives it back.
	Frees
	// Shares takes a sync.RWMutex to read, Returns gives that back; a writer Takes and Frees
	// it. It is told who came to read before which writer came, and after which, and no more:
	// each waits for all that came before him, which cannot be reversed.
	Shares
	Returns
	// Enters is when one goes on who has waited for readers, or to read.
	Enters
	// Modes is how many there are.
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

// Looks reports whether operations of a mode leave the object as it is.
func (m Mode) Looks() bool { return m == Reads || m == Awaits || m == Shares }

// Commute reports whether nobody can tell the order of operations of these modes.
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

// Behind reports whether operations of mode m come behind those of mode before, whatever
// the schedule: they wait for them.
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

// Queues reports whether operations of a mode are those of a channel's two ends.
func (m Mode) Queues() bool { return m == Sends || m == Receives }

// Accesses is the number of objects that the operation is known to work on.
func (o Operation) Accesses() int {
	if o.Object == 0 {
		return 0
	}
	return 1 + len(o.More)
}

// Access is one of them, from 0.
func (o Operation) Access(i int) Access {
	if i == 0 {
		return Access{o.Object, o.Mode}
	}
	return o.More[i-1]
}

// has reports whether an access is one of the operation's, or on nothing.
func (o Operation) has(a Access) bool {
	for i := range o.Accesses() {
		if o.Access(i) == a {
			return true
		}
	}
	return a.Object == 0
}

// Add has the operation work on one thing more.
func (o *Operation) Add(a Access) {
	switch {
	case o.has(a):
	case o.Object == 0:
		o.Object, o.Mode = a.Object, a.Mode
	default:
		o.More = append(slices.Clip(o.More), a)
	}
}

// AddAll has it work on all that another one works on.
func (o *Operation) AddAll(other Operation) {
	o.All = o.All || other.All
	for i := range other.Accesses() {
		o.Add(other.Access(i))
	}
}

// With is the operation with one more access.
func (o Operation) With(a Access) Operation {
	o.Add(a)
	return o
}

// And is the operation on all that either works on.
func (o Operation) And(other Operation) Operation {
	o.AddAll(other)
	return o
}

// Covers reports whether the operation is on all that the other is on.
func (o Operation) Covers(other Operation) bool {
	for i := range other.Accesses() {
		if !o.has(other.Access(i)) {
			return false
		}
	}
	return o.All || !other.All
}
