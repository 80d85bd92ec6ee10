package litmus

import (
	"fmt"
	"slices"
	"strings"
)

// A Kind is what an object is.
type Kind uint8

// The kinds of object.
const (
	Int     Kind = iota // int64, used atomically
	Word                // 64 bits, also used as two atomic halves
	Value               // atomic.Value
	Plain               // int, used only by the task that holds the object's lock
	Mutex               // sync.Mutex
	RWMutex             // sync.RWMutex
	Chan                // chan int of the object's size
	Group               // sync.WaitGroup that begins at the object's size
	Once                // sync.Once
	Cond                // sync.Cond with a lock of its own
	Map                 // sync.Map, of which one key is used
	Context             // a context that can be cancelled with a cause
	Timer               // time.AfterFunc of as many ms as its size, which adds 1 to the Int before it
	Pool                // sync.Pool
)

// An Object is shared by tasks.
type Object struct {
	Kind Kind
	Size int // see Kind
}

// A Verb is what an operation does. Each belongs to the objects of one kind.
type Verb uint8

// The verbs.
const (
	Load Verb = iota
	Store
	Add
	Swap
	CAS // the result is 1 if it has swapped
	And
	Or
	LowAdd   // to the lower half of a Word
	HighLoad // of the upper half of a Word
	HighStore
	PlainLoad
	PlainStore
	Lock
	Unlock
	TryLock // if it fails, the next Skip operations are left out
	RLock
	RUnlock
	TryRLock
	Send
	Recv
	TrySend
	TryRecv
	Len
	Close
	Select // of Cases, with a default if Arg is 1, or with a time limit of 2 ms if it is 2
	Done
	GroupAdd // of 1
	Wait
	Do // of Add(1) on the Int object Arg
	CondLock
	CondUnlock
	CondWait
	Signal
	Broadcast
	MapLoad // 0 if there is none
	MapStore
	LoadOrStore // the value that is there afterwards
	LoadAndDelete
	MapCAS
	Cancel // with Arg as the cause
	Cause  // 0 if it is not cancelled
	TryDone
	AwaitDone
	TimerStop
	TimerReset // to Arg ms
	PoolGet    // 0 if there is none
	PoolPut
	Gosched
	Sleep // for Arg ms
	Start // task Arg
	Count // Add to an Int, or to the lower half of a Word, whose result is not used
)

var verbNames = [...]string{"Load", "Store", "Add", "Swap", "CAS", "And", "Or", "LowAdd", "HighLoad", "HighStore", "PlainLoad", "PlainStore",
	"Lock", "Unlock", "TryLock", "RLock", "RUnlock", "TryRLock", "Send", "Recv", "TrySend", "TryRecv", "Len", "Close", "Select", "Done", "GroupAdd",
	"Wait", "Do", "CondLock", "CondUnlock", "CondWait", "Signal", "Broadcast", "MapLoad", "MapStore", "LoadOrStore", "LoadAndDelete", "MapCAS",
	"Cancel", "Cause", "TryDone", "AwaitDone", "TimerStop", "TimerReset", "PoolGet", "PoolPut", "Gosched", "Sleep", "Start", "Count"}

var kindNames = [...]string{"Int", "Word", "Value", "Plain", "Mutex", "RWMutex", "Chan", "Group", "Once", "Cond", "Map", "Context", "Timer", "Pool"}

func (v Verb) String() string { return verbNames[v] }
func (k Kind) String() string { return kindNames[k] }

// An Op is one operation of a task. Its result, if it has one, is part of the
// program's outcome.
type Op struct {
	Verb    Verb
	On      int  // the object
	Arg     int  // what is stored, added, sent
	Old     int  // what CAS expects
	Last    bool // Arg counts from the result of the operation before
	Skip    int  // see TryLock
	Cases   []Case
	Reflect bool // by package reflect
	More    int  // how many tasks after Arg Start starts too, in a loop
	Alike   bool // these tasks do the same, and are started alike
	Between bool // Old is stored in the Int On between two starts
}

// Timed reports whether time passes in the program.
func (p Program) Timed() bool {
	for _, ops := range p.Tasks {
		for _, o := range ops {
			if o.Verb == Sleep || o.Verb == TimerReset || o.Verb == Select && o.Arg == 2 {
				return true
			}
		}
	}
	return slices.ContainsFunc(p.Objects, func(o Object) bool { return o.Kind == Timer })
}

// A Case is a case of a select.
type Case struct {
	On   int
	Send bool
	Arg  int
}

// A Program is a few tasks with their operations on a few objects. Task 0 runs first and
// starts the others.
type Program struct {
	Objects []Object
	Tasks   [][]Op
}

// starts returns the operation that starts a task other than the first.
func (p Program) starts(task int) *Op {
	for _, ops := range p.Tasks {
		for k := range ops {
			if o := &ops[k]; o.Verb == Start && o.Arg <= task && task <= o.Arg+o.More {
				return o
			}
		}
	}
	return nil
}

// Results that are not values.
const (
	Never    = -1 // the operation was not reached, or never returned
	Panicked = -2
	Closed   = -3 // received from a closed channel
	NotReady = -4 // the default was taken
	Skipped  = -5
	TimedOut = -6
)

// selected returns the result of a select: its case and the value received.
func selected(i, value int) int { return 100*(i+1) + value }

// String returns the program as text, a line for each object and task.
func (p Program) String() string {
	var b strings.Builder
	for i, o := range p.Objects {
		fmt.Fprintf(&b, "%s = %s(%d)  ", name(i), o.Kind, o.Size)
	}
	for i, ops := range p.Tasks {
		fmt.Fprintf(&b, "\ntask %d:", i)
		for _, o := range ops {
			fmt.Fprintf(&b, " %s;", o)
		}
	}
	return b.String()
}

func name(object int) string { return string(rune('a' + object)) }

func (o Op) String() string {
	var b strings.Builder
	if o.Reflect {
		b.WriteString("reflect.")
	}
	switch o.Verb {
	case Select:
		b.WriteString("Select(")
		for _, c := range o.Cases {
			if c.Send {
				fmt.Fprintf(&b, "%s<-%d ", name(c.On), c.Arg)
			} else {
				fmt.Fprintf(&b, "<-%s ", name(c.On))
			}
		}
		b.WriteString([]string{"", "default", "2ms"}[o.Arg])
		return b.String() + ")"
	case Start:
		if o.More > 0 {
			fmt.Fprintf(&b, "Start(%d to %d", o.Arg, o.Arg+o.More)
			if o.Alike {
				b.WriteString(" alike")
			}
			if o.Between {
				fmt.Fprintf(&b, ", %s.Store(%d) between", name(o.On), o.Old)
			}
			return b.String() + ")"
		}
		fallthrough
	case Gosched, Sleep:
		return fmt.Sprintf("%s(%d)", o.Verb, o.Arg)
	}
	fmt.Fprintf(&b, "%s.%s(%d", name(o.On), o.Verb, o.Arg)
	if o.Verb == CAS || o.Verb == MapCAS {
		fmt.Fprintf(&b, " from %d", o.Old)
	}
	if o.Last {
		b.WriteString(" + last")
	}
	if o.Skip > 0 {
		fmt.Fprintf(&b, " else skip %d", o.Skip)
	}
	return b.String() + ")"
}

// An Outcome is the result of every operation, by task, and the final values of
// atomics.
type Outcome string

// outcome formats results and final values. It does not show which of several tasks that
// are alike had which results.
func (p Program) outcome(results [][]int, finals []int) Outcome {
	results = slices.Clone(results)
	for _, ops := range p.Tasks {
		for _, o := range ops {
			if o.Alike {
				slices.SortFunc(results[o.Arg:o.Arg+o.More+1], slices.Compare)
			}
		}
	}
	var b strings.Builder
	for _, r := range results {
		fmt.Fprint(&b, r, " ")
	}
	fmt.Fprint(&b, finals)
	return Outcome(b.String())
}
