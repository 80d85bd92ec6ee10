package explore

import (
	"fmt"
	"slices"
	"time"
)

// How long the network is waited for, in real time, when no goroutine can run.
const (
	netPause  = 50 * time.Microsecond // between two looks
	netDelay  = time.Millisecond      // what came from another member may take
	netFinish = 10 * time.Millisecond // what came from outside may take, once the body has returned
)

// netAnswer is the virtual time that what comes from outside takes, however long
// it did: about what it takes here, where all that run are controlled.
const netAnswer = time.Millisecond

// network waits for the network, or for a goroutine that was released, if a member
// does. What members send to one another is there at once, or never; for a sender
// outside the execution it waits until the next timer is due, and no longer than
// Config.Stall. Time does not pass otherwise while someone outside may still
// answer; and while a process is waited for not at all after that, since a timer
// may end it. over says that nothing more can be waited for.
func (ex *execution) network() (woken, over bool) {
	waits, stranger := ex.strangers()
	if !waits {
		return false, false
	}
	if stranger == 0 {
		return ex.listen(netDelay), false
	}
	limit, pending := ex.x.cfg.Stall, false
	if ns, ok := ex.e.NextTimer(); ok {
		limit, pending = min(limit, time.Duration(ns)), true
	} else if ex.returned() {
		limit = min(limit, netFinish)
	}
	busy := len(ex.spins.resting) > 0 // they may have more to do, or look for themselves
	if busy {
		limit = min(limit, netDelay)
	}
	ex.depends(stranger)
	if ex.listen(limit) {
		ex.answered()
		return true, false
	}
	endless := !pending || limit == ex.x.cfg.Stall && slices.ContainsFunc(ex.enabled.io, ex.awaitsProcess)
	if endless && !busy && !ex.returned() {
		ex.out.unknown = fmt.Sprintf("goroutine %q has waited %v %s", ex.name(stranger), limit, ex.waitedFor(stranger))
		return false, true
	}
	return false, false
}

// answered lets some time pass with an answer from outside. Otherwise none would
// pass for the others while one goroutine is answered again and again.
func (ex *execution) answered() {
	if ns, ok := ex.e.NextTimer(); ok && time.Duration(ns) <= netAnswer {
		ex.pass()
		return
	}
	ex.e.Pass(int64(netAnswer))
}

// listen looks for something from the network, or from a goroutine outside, until
// limit has passed.
func (ex *execution) listen(limit time.Duration) bool {
	for left := newPatience(limit); ; time.Sleep(netPause) {
		if ex.e.Poll() || ex.e.Waking() {
			return true
		}
		if left.over() || ex.x.ctx.Err() != nil {
			return false
		}
	}
}

// strangers reports whether members wait for the network, or for a goroutine that
// has been released, and one of them that waits for somebody who is no member, or 0.
func (ex *execution) strangers() (waits bool, stranger uint32) {
	for _, id := range ex.enabled.io {
		if !peered(int(ex.e.Descriptor(id)), ex.e.Opened) {
			return true, id
		}
	}
	if id := ex.awaitsReleased(); id != 0 {
		return true, id
	}
	return len(ex.enabled.io) > 0, 0
}

// depends notes that the execution depends on something outside it.
func (ex *execution) depends(id uint32) {
	if ex.outside == "" {
		ex.outside = fmt.Sprintf("goroutine %q waited %s", ex.name(id), ex.waitedFor(id))
	}
}

func (ex *execution) waitedFor(id uint32) string {
	text := "for input or output that is no other goroutine's"
	switch {
	case !ex.e.Member(int(id)).WaitsForIO():
		text = "for a channel from before, while another process lives"
	case ex.awaitsProcess(id):
		text = "for another process"
	}
	if at := where(ex.blockedAt(id)); at != "" {
		text += ", at " + at
	}
	return text
}

// blockedAt is where in the program a blocked member waits.
func (ex *execution) blockedAt(id uint32) frame {
	for _, f := range resolve(ex.e.Where(id)) {
		if pkg := packageOf(f.function); !machinery(pkg) && !matches(trusted, pkg) && !standard(pkg) {
			return f
		}
	}
	return frame{}
}
