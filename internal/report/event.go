package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// An event is one row of a recorded execution.
type event struct {
	index int // counts from 1
	step  int // the number of its step, as in races; 0 if it is a part of the row before
	task  uint32
	source.Use
	verb   string    // the operation as shown, with its arguments
	pcs    []uintptr // return addresses, innermost first
	object uintptr
	findings
	locking
	channelUse
	valueUse
	links
	manner
}

// Findings are the effects of an operation.
type findings struct {
	value   string     // what was read or written, as shown; for a log line, the line
	outcome string     // the result, as shown
	was, is string     // the variable before and after, if known
	reads   bool       // depends on the object's state
	writes  bool       // changed the object's state
	stored  bool       // of a call of sync.Map: has changed the map
	refused bool       // a signal without a waiter, or a failed try or comparison
	operand [2]uintptr // of an atomic operation
	bits    uint64     // the variable before
	path    string     // of a call on files
}

// A locking is an operation's relation to locks.
type locking struct {
	held     []hold   // locks that the task held during the operation
	acquired *event   // of an unlock or a failed attempt: the row that took the lock
	holders  []uint32 // of a blocked lock: the tasks in the way
	queued   bool     // the holders wait themselves, but come first
}

// A channelUse is an operation's relation to channels.
type channelUse struct {
	channels []uintptr // of a select: its channels, those it sends on first
	sends    int       // of a select: how many of them it sends on
	ready    int       // of a select: cases that could be taken
	room     [2]int    // of a channel, before: number of values, and capacity
	closed   bool      // of a channel, before: it was closed
	next     string    // of a channel, before: the next value to receive
	receiver uint32    // of a channel, before: the first task that waits to receive
	sender   uint32    // of a channel, before: the first task that waits to send

	receivers map[uintptr]uint32 // of a select: receiver for each channel
	waiters   map[uint32]*event  // of a close: the waiting tasks
}

// Links are other rows that belong to a row.
type links struct {
	started  *event   // of a row after a wait: the row in which the wait began
	inside   *event   // the first row of the call of package sync that this row is part of
	end      *event   // of such a first row: the last row of the call
	children []uint32 // of a go statement: the tasks started
	ending   []uint32 // of a count of goroutines: those with nothing left to do
	resumed  *event   // of the last row before a stop: the task's next row, if any
}

// A manner says how an operation came about, and how it went.
type manner struct {
	blocked   bool
	preempted bool  // the task was stopped before this row
	decision  int   // the number of the decision for this row; 0 if there was no choice
	stops     bool  // the task was stopped after this row
	timed     bool  // a sleep, or the start of a goroutine by a timer
	now       int64 // of a sleep: its start, in virtual time
	alone     bool  // no other goroutine of the program was alive
	log       bool
	failed    bool
}

// uses returns the uses of all events.
func (r *Recorder) uses() (all []*source.Use) {
	for _, e := range r.events {
		all = append(all, &e.Use)
	}
	return all
}

// call returns the first row of the call of package sync that an event is part of, or the event
// itself.
func (e *event) call() *event {
	e = cmp.Or(e.started, e)
	return cmp.Or(e.inside, e)
}

// within returns the part of an event's stack below the program's frames.
func (e *event) within() []uintptr {
	return e.pcs[:max(slices.Index(e.pcs, e.PC), 0)]
}

// waitsForGroup reports whether an operation is a wait for a wait group.
func (e *event) waitsForGroup() bool { return strings.HasSuffix(e.Site.Op, source.GroupWait) }

// waits reports whether a wait for this reason can be part of the operation.
func (e *event) waits(reason string) bool {
	switch {
	case strings.HasPrefix(reason, "chan send"):
		return e.Site.Op == control.OpSend.String()
	case strings.HasPrefix(reason, "chan receive"):
		return e.Site.Op == control.OpRecv.String()
	case reason == "select":
		return e.Site.Op == control.OpSelect.String()
	case reason == "sync.WaitGroup.Wait":
		return e.waitsForGroup()
	case reason == "sync.Mutex.Lock", strings.HasPrefix(reason, "sync.RWMutex"):
		return e.Site.Kind == source.SiteLock || e.Site.Kind == source.SiteRLock
	case reason == "sync.Cond.Wait":
		return e.Site.Call == "Cond.Wait" && e.Site.Kind != source.SiteLock
	case reason == "synctest.Wait", reason == "synctest.Run":
		return e.verb == reason
	}
	return false
}
