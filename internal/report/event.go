package report

import (
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// An event is one row of a recorded execution.
type event struct {
	index int // from 1
	task  uint32
	source.Use
	verb   string    // the operation as it is shown, with its arguments
	pcs    []uintptr // return addresses, innermost first
	object uintptr
	findings
	locking
	channelUse
	valueUse
	links
	manner
}

// Findings are what an operation has read and changed.
type findings struct {
	value   string     // what was read or written, as it is shown; of a line, the line
	outcome string     // what it met with, as it is shown
	was, is string     // its variable before and after, if known
	reads   bool       // it depends on its object's state
	writes  bool       // it changed its object's state
	stored  bool       // of a call of sync.Map: it has changed the map
	refused bool       // a signal that met nobody, a try or a comparison that failed
	operand [2]uintptr // of an atomic operation
	bits    uint64     // its variable before
	path    string     // of a call on files
}

// A locking is what an operation has to do with locks.
type locking struct {
	held     []hold   // what the task held meanwhile
	acquired *event   // of an unlock, or an attempt that failed: what took the lock
	holders  []uint32 // of a blocked lock: who is in the way
	queued   bool     // and they wait themselves, but come first
}

// A channelUse is what an operation has to do with channels.
type channelUse struct {
	channels []uintptr // of a select, those first that it sends on
	sends    int       // of a select: how many those are
	ready    int       // of a select: cases that could be taken
	room     [2]int    // of a channel: values it held and could hold, before
	closed   bool      // of a channel: it was closed, before
	next     string    // of a channel: what the next receive would get, before
	receiver uint32    // of a channel: who was first to wait to receive, before
	sender   uint32    // of a channel: who was first to wait to send, before

	receivers map[uintptr]uint32 // of a select: the same of each channel
	waiters   map[uint32]*event  // of a close: who waits
}

// Links are the other rows that belong to one.
type links struct {
	started  *event   // of a row after a wait: the row in which the wait began
	inside   *event   // the first row of the call of package sync that it is part of
	end      *event   // then of that first row: the last one
	children []uint32 // of a go statement
	ending   []uint32 // of a count of goroutines: those that had only to end
	resumed  *event   // of the last row before a stop: the next one, if there is any
}

// A manner is how an operation came to be made, and how it went.
type manner struct {
	blocked   bool
	preempted bool  // the task had been stopped before this
	stops     bool  // the task was stopped after this
	timed     bool  // it is a sleep, or the start of what a timer has started
	now       int64 // of a sleep: when it began
	alone     bool  // no other goroutine of the program was alive
	log       bool
	failed    bool
}

// uses are what the events were on.
func (r *Recorder) uses() (all []*source.Use) {
	for _, e := range r.events {
		all = append(all, &e.Use)
	}
	return all
}

// call is the first row of the call of package sync that an event is part of, which may
// be the event itself.
func (e *event) call() *event {
	if e.started != nil {
		e = e.started
	}
	if e.inside != nil {
		return e.inside
	}
	return e
}

// within is the part of an event's stack below the program's.
func (e *event) within() []uintptr {
	return e.pcs[:max(slices.Index(e.pcs, e.PC), 0)]
}

// waits reports whether a wait can be part of the operation.
func (e *event) waits(reason string) bool {
	switch {
	case strings.HasPrefix(reason, "chan send"):
		return e.Site.Op == control.OpSend.String()
	case strings.HasPrefix(reason, "chan receive"):
		return e.Site.Op == control.OpRecv.String()
	case reason == "select":
		return e.Site.Op == control.OpSelect.String()
	case reason == "sync.WaitGroup.Wait":
		return strings.HasSuffix(e.Site.Op, "WaitGroup.Wait")
	case reason == "sync.Mutex.Lock", strings.HasPrefix(reason, "sync.RWMutex"):
		return e.Site.Kind == source.SiteLock || e.Site.Kind == source.SiteRLock
	case reason == "sync.Cond.Wait":
		return e.Site.Call == "Cond.Wait" && e.Site.Kind != source.SiteLock
	case reason == "synctest.Wait", reason == "synctest.Run":
		return e.verb == reason
	}
	return false
}
