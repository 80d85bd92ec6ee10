package engine

import (
	"fmt"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/system"
)

// Bounds on waiting for the network, in real time, while no goroutine can run.
const (
	netPause  = 50 * time.Microsecond  // between two polls
	netDelay  = time.Millisecond       // until data from another task must have arrived
	netFinish = 10 * time.Millisecond  // for data from outside, once the body has returned
	netLate   = 50 * time.Millisecond  // until data that the operating system has accepted must have arrived
	netVain   = 500 * time.Millisecond // waited in vain, over all executions, after which arrivals waits no more
)

// netAnswer is the virtual time that an answer from outside takes, whatever it took in
// real time: about what it takes here, where all tasks are controlled.
const netAnswer = time.Millisecond

// network waits for the network, or for a released goroutine, if a task does. Data that
// tasks send to one another is there at once, or never. For a sender outside the
// execution, network waits until the next timer is due and at most Config.Watchdog;
// once the body has returned, hardly at all, because an idle kept-alive connection has
// a timer of a minute and a half. Virtual time does not pass while someone outside may
// still answer. While a task waits for a process, time does not pass even after that,
// since a timer might end the process. over means that the execution must end.
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
	busy := len(ex.Spins.resting) > 0 // resting tasks may have more to do, or poll themselves
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

// arrivals waits until the data that tasks have sent to one another has arrived, if they
// have made system calls since the last look; made is their count. On a busy machine
// data may arrive late, and that must not influence the schedule.
func (ex *Execution) arrivals(made uint64) {
	x := ex.Engine
	if x.inVain >= netVain {
		return
	}
	ex.arrived = made
	if ex.Notes |= ex.Control.Notes(); ex.Notes&control.NoteNetwork == 0 {
		return
	}
	for left := system.NewPatience(netLate); ex.traffic.UnderWay(ex.Control.Opened); time.Sleep(netPause) {
		if left.Over() {
			x.inVain += netLate
			return
		}
	}
}

// systemCalls returns how many system calls tasks have made.
func (ex *Execution) systemCalls() uint64 {
	ex.calls += ex.Control.Calls()
	return ex.calls
}

// Bounds on waiting for signals and for threads of C, in real time: each wait, and all
// callDelay waits of an execution.
const (
	signalDelay = time.Second
	signalComes = 20 * time.Millisecond // for a signal, after a system call that may have sent it
	callDelay   = 200 * time.Millisecond
	callDelays  = time.Second
)

// calledBack waits, before time passes, for something outside that is about to wake a
// task: package os/signal, which has a signal to deliver; or C code, if a task has
// called some. It waits for C code only in the first executions, unless C code has
// woken a task there.
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

// answered lets virtual time pass with an answer from outside. Otherwise no time would
// pass for other tasks while one goroutine receives answer after answer.
func (ex *Execution) answered() {
	if ns, ok := ex.Control.NextTimer(); ok && time.Duration(ns) <= netAnswer {
		ex.pass()
		return
	}
	ex.Control.Pass(int64(netAnswer))
}

// listen polls the network and goroutines outside until something has woken a task or
// limit has passed.
func (ex *Execution) listen(limit time.Duration) bool {
	for left := system.NewPatience(limit); ; time.Sleep(netPause) {
		if ex.Control.Poll() || ex.Control.Waking() {
			return true
		}
		if left.Over() || ex.Engine.Context.Err() != nil {
			return false
		}
	}
}

// strangers reports whether tasks wait for the network or for a released goroutine.
// stranger is one that waits for something other than a task, or 0.
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

// depends records that the execution depends on something outside it.
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

// blockedAt returns where in the program a blocked task waits.
func (ex *Execution) blockedAt(id uint32) source.Frame {
	for _, f := range source.Resolve(ex.Control.Where(id)) {
		if pkg := source.PackageOf(f.Function); !source.Machinery(pkg) && !source.Standard(pkg) {
			return f
		}
	}
	return source.Frame{}
}
