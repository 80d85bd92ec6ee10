package engine

import (
	"fmt"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/system"
)

// How long the network is waited for, in real time, when no goroutine can run.
const (
	netPause  = 50 * time.Microsecond  // between two looks
	netDelay  = time.Millisecond       // what came from another task may take
	netFinish = 10 * time.Millisecond  // what came from outside may take, once the body has returned
	netLate   = 50 * time.Millisecond  // what the operating system has taken may take until it is there
	netVain   = 500 * time.Millisecond // what is waited for in vain, in all executions, until it no longer is
)

// netAnswer is the virtual time that what comes from outside takes, however long
// it did: about what it takes here, where all that run are controlled.
const netAnswer = time.Millisecond

// network waits for the network, or for a goroutine that was released, if a task
// does. What tasks send to one another is there at once, or never; for a sender
// outside the execution it waits until the next timer is due, and no longer than
// Config.Watchdog, or hardly any more once the body has returned: a connection that is
// kept for later has a timer of a minute and a half. Time does not pass otherwise while
// someone outside may still answer; and while a process is waited for not at all after
// that, since a timer may end it. over says that nothing more can be waited for.
func (ex *Execution) network() (woken, over bool) {
	waits, stranger := ex.strangers()
	if !waits {
		return false, false
	}
	ex.Networked = true
	if stranger == 0 {
		return ex.listen(netDelay), false
	}
	limit, pending := ex.Engine.Settings.Watchdog, false
	if ns, ok := ex.Control.NextTimer(); ok {
		limit, pending = min(limit, time.Duration(ns)), true
	}
	if ex.Returned() {
		limit = min(limit, netFinish)
	}
	busy := len(ex.Spins.resting) > 0 // they may have more to do, or look for themselves
	if busy {
		limit = min(limit, netDelay)
	}
	ex.depends(stranger)
	if ex.listen(limit) {
		ex.answered()
		return true, false
	}
	endless := !pending || limit == ex.Engine.Settings.Watchdog && slices.ContainsFunc(ex.enabled.io, ex.awaitsProcess)
	if endless && !busy && !ex.Returned() {
		ex.Out.Unknown = fmt.Sprintf("goroutine %q has waited %v %s", ex.Name(stranger), limit, ex.waitedFor(stranger))
		return false, true
	}
	return false, false
}

// arrivals waits, where system calls have been made since the last look, which are so
// many now, until what tasks have sent to one another has arrived: a busy machine may be
// late, and what comes next must not depend on that.
func (ex *Execution) arrivals(made uint64) {
	x := ex.Engine
	if x.inVain >= netVain {
		return
	}
	ex.arrived = made
	if ex.Notes |= ex.Control.Notes(); ex.Notes&control.NoteNetwork == 0 {
		return
	}
	for left := newPatience(netLate); ex.traffic.UnderWay(ex.Control.Opened); time.Sleep(netPause) {
		if left.over() {
			x.inVain += netLate
			return
		}
	}
}

// systemCalls counts the system calls that tasks have made.
func (ex *Execution) systemCalls() uint64 {
	ex.calls += ex.Control.Calls()
	return ex.calls
}

// How long a signal that has come, or a thread of C that may call, is waited for at a
// time, and all of these in an execution.
const (
	signalDelay = time.Second
	signalComes = 20 * time.Millisecond // from a system call that may have sent it
	callDelay   = 200 * time.Millisecond
	callDelays  = time.Second
)

// calledBack waits, before time passes, for somebody outside who is about to wake a
// task: package os/signal, while it has a signal to pass on; or code in C, where a
// task has called some, which is waited for in the first executions only, unless
// it has woken one then.
func (ex *Execution) calledBack() bool {
	x, before := ex.Engine, ex.heard
	ex.heard = ex.systemCalls()
	if pending, wanted := ex.Control.Signals(); wanted {
		x.signalled = x.signalled || pending || system.SignalUnderWay()
		if !pending && (x.signalled || ex.heard > before) && (ex.listen(signalComes) || system.SignalUnderWay() && ex.listen(signalDelay)) {
			return true
		}
		if pending, _ = ex.Control.Signals(); pending && ex.listen(signalDelay) {
			return true
		}
	}
	ex.Notes |= ex.Control.Notes()
	ns, timer := ex.Control.NextTimer()
	if ex.Notes&control.NoteC == 0 || !timer || ex.Returned() || !x.First && !x.callsBack || ex.delayed >= callDelays {
		return false
	}
	limit := min(callDelay, time.Duration(ns))
	ex.delayed += limit
	if ex.listen(limit) {
		x.callsBack = true
		return true
	}
	return false
}

// answered lets some time pass with an answer from outside. Otherwise none would
// pass for the others while one goroutine is answered again and again.
func (ex *Execution) answered() {
	if ns, ok := ex.Control.NextTimer(); ok && time.Duration(ns) <= netAnswer {
		ex.pass()
		return
	}
	ex.Control.Pass(int64(netAnswer))
}

// listen looks for something from the network, or from a goroutine outside, until
// limit has passed.
func (ex *Execution) listen(limit time.Duration) bool {
	for left := newPatience(limit); ; time.Sleep(netPause) {
		if ex.Control.Poll() || ex.Control.Waking() {
			return true
		}
		if left.over() || ex.Engine.Context.Err() != nil {
			return false
		}
	}
}

// strangers reports whether tasks wait for the network, or for a goroutine that
// has been released, and one of them that waits for somebody who is no task, or 0.
func (ex *Execution) strangers() (waits bool, stranger uint32) {
	for _, id := range ex.enabled.io {
		if !system.Peered(int(ex.Control.Descriptor(id)), ex.Control.Opened) {
			return true, id
		}
	}
	if id := ex.awaitsReleased(); id != 0 {
		return true, id
	}
	return len(ex.enabled.io) > 0, 0
}

// depends notes that the execution depends on something outside it.
func (ex *Execution) depends(id uint32) {
	if ex.Outside == "" {
		ex.Outside = fmt.Sprintf("goroutine %q waited %s", ex.Name(id), ex.waitedFor(id))
	}
}

func (ex *Execution) waitedFor(id uint32) string {
	text := "for input or output that is no other goroutine's"
	switch {
	case !ex.Control.Task(int(id)).WaitsForIO():
		text = "for a channel from before, while another process lives"
	case ex.awaitsProcess(id):
		text = "for another process"
	}
	if at := source.Where(ex.blockedAt(id)); at != "" {
		text += ", at " + at
	}
	return text
}

// blockedAt is where in the program a blocked task waits.
func (ex *Execution) blockedAt(id uint32) source.Frame {
	for _, f := range source.Resolve(ex.Control.Where(id)) {
		if pkg := source.PackageOf(f.Function); !source.Machinery(pkg) && !source.Standard(pkg) {
			return f
		}
	}
	return source.Frame{}
}
