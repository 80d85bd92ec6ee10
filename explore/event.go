package explore

import (
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

// An event is one row of a recorded execution.
type event struct {
	index    int // from 1
	member   uint32
	op       control.Op
	site     site
	action   string    // the operation
	verb     string    // the same as it is shown, with its arguments
	pcs      []uintptr // return addresses, innermost first
	pc       uintptr   // the one in the program
	object   uintptr
	channels []uintptr // of a select

	value   string // what was read or written, as it is shown; of a line, the line
	outcome string // what it met with, as it is shown
	was, is string // its variable before and after, if known
	reads   bool   // it depends on its object's state
	writes  bool   // it changed its object's state

	blocked   bool
	refused   bool       // a signal that met nobody, a try or a comparison that failed
	held      []hold     // what the member held meanwhile
	acquired  *event     // of an unlock: what took the lock
	started   *event     // of a row after a wait: the row in which the wait began
	inside    *event     // the first row of the call of package sync that it is part of
	end       *event     // then of that first row: the last one
	ready     int        // of a select: cases that could be taken
	children  []uint32   // of a go statement
	operand   [2]uintptr // of an atomic operation
	bits      uint64     // its variable before
	holders   []uint32   // of a blocked lock: who is in the way
	queued    bool       // and they wait themselves, but come first
	room      [2]int     // of a channel: values it held and could hold, before
	closed    bool       // of a channel: it was closed, before
	preempted bool       // the member had been stopped before this
	alone     bool       // no other goroutine of the program was alive
	log       bool
	failed    bool
}

// within is the part of an event's stack below the program's.
func (e *event) within() []uintptr {
	return e.pcs[:max(slices.Index(e.pcs, e.pc), 0)]
}

// waits reports whether a wait can be part of the operation.
func (e *event) waits(reason string) bool {
	switch {
	case strings.HasPrefix(reason, "chan send"):
		return e.site.op == control.OpSend.String()
	case strings.HasPrefix(reason, "chan receive"):
		return e.site.op == control.OpRecv.String()
	case reason == "select":
		return e.site.op == control.OpSelect.String()
	case reason == "sync.WaitGroup.Wait":
		return strings.HasSuffix(e.site.op, "WaitGroup.Wait")
	case reason == "sync.Mutex.Lock", strings.HasPrefix(reason, "sync.RWMutex"):
		return e.site.kind == siteLock || e.site.kind == siteRLock
	case reason == "sync.Cond.Wait":
		return e.site.call == "Cond.Wait" && e.site.kind != siteLock
	case reason == "synctest.Wait", reason == "synctest.Run":
		return e.verb == reason
	}
	return false
}
