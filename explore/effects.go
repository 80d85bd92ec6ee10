package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

// condWait is what a wait on a condition variable is called.
const condWait = "Cond.Wait"

// look notes what an operation is about to work on.
func (r *recorder) look(e *event, m *control.Member) {
	switch {
	case e.op == control.OpSend, e.op == control.OpTrySend:
		e.value = r.values.element(m.Sent())
		e.lookAtChannel()
	case e.op == control.OpRecv, e.op == control.OpTryRecv, e.op == control.OpClose:
		e.lookAtChannel()
	case e.op == control.OpSelect:
		e.channels = slices.Clone(m.Channels())
		e.object = 0
	case e.site.typ != "" && e.site.size != 0:
		e.operand = m.Operands()
		e.bits, _ = word(e.variable(), e.site.size)
		e.was = r.atomic(e)
	case e.site.kind == siteRead, e.site.kind == siteWrite:
		e.was = r.plain(e)
	case e.isTry(), strings.HasPrefix(e.site.op, "WaitGroup."):
		e.bits, _ = word(e.variable(), e.stateSize())
	}
}

// lookAtChannel notes how full a channel is.
func (e *event) lookAtChannel() {
	e.room[0], e.room[1], e.closed = control.Channel(e.object)
}

// variable is the address of the word that the operation begins with.
func (e *event) variable() uintptr { return e.object + e.site.offset }

func (e *event) isTry() bool { return strings.HasPrefix(e.action, "Try") }

// stateSize is the size of the word that tells what became of an operation of
// package sync.
func (e *event) stateSize() uintptr {
	if strings.HasPrefix(e.site.op, "WaitGroup.") {
		return 8
	}
	return 4
}

// atomic is the present value of an atomic variable.
func (r *recorder) atomic(e *event) string {
	bits, ok := word(e.variable(), e.site.size)
	if !ok {
		return ""
	}
	return r.values.atomic(e.site.typ, bits)
}

// plain is the present value of a plain variable, if the source tells its type.
func (r *recorder) plain(e *event) string {
	t := r.sources.basicType(e)
	if t == nil || e.object == 0 || e.object%uintptr(t.Align()) != 0 || strings.HasPrefix(e.site.op, "map") {
		return ""
	}
	return r.values.value(t, pointerTo(e.object))
}

// done notes the effect of an operation that is over.
func (r *recorder) done(ex *execution, m *control.Member, e *event) {
	if e.action == condWait {
		return
	}
	switch e.site.kind {
	case siteLock, siteRLock:
		if e.isTry() && !r.tryDone(e) {
			return
		}
		r.state.acquired(e)
	case siteUnlock, siteRUnlock:
		e.acquired = r.state.released(e)
	case siteAtomicRead, siteAtomicWrite, siteDone:
		r.atomicDone(e)
	case siteRead:
		e.value = prefixed("= ", e.was)
	case siteWrite:
		e.is = r.plain(e)
		e.value = change(e.was, e.is)
	case siteChannel:
		r.channelDone(ex, m, e)
	}
	if e.op == control.OpSignal || e.op == control.OpBroadcast {
		r.notified(ex, e)
	}
}

// tryDone says whether an attempt to lock succeeded.
func (r *recorder) tryDone(e *event) bool {
	const mutexLocked = 1
	now, _ := word(e.variable(), 4)
	got := e.bits&mutexLocked == 0 && now&mutexLocked != 0
	if e.site.kind == siteRLock {
		if got = int32(now) > int32(e.bits); !got {
			return false // it looks first, and may try in a step of its own
		}
	}
	e.value, e.refused = fmt.Sprint("= ", got), !got
	e.writes = e.writes && got
	return got
}

// notified says whom a condition variable's notification has woken.
func (r *recorder) notified(ex *execution, e *event) {
	var woken []string
	for i := 1; i <= ex.e.Len(); i++ {
		if m := ex.e.Member(i); m.State == control.Runnable && m.Op == control.OpWoken && m.Waker == e.member && r.waitsOn(m.ID, e.object) {
			woken = append(woken, ex.name(m.ID))
		}
	}
	if len(woken) == 0 {
		e.refused, e.outcome = true, "nobody waits"
		return
	}
	e.outcome = "wakes " + strings.Join(woken, ", ")
}

// waitsOn reports whether a member waits for an object, or waited until now.
func (r *recorder) waitsOn(id uint32, object uintptr) bool {
	e := r.waiting[id]
	return e != nil && e.object == object
}

// waits notes what a wait is for.
func (r *recorder) waits(ex *execution, m *control.Member, e *event) {
	switch {
	case e.site.kind == siteLock, e.site.kind == siteRLock:
		e.holders, e.queued = r.inTheWay(e)
		if len(e.holders) > 0 {
			e.outcome += ", " + ex.holding(e)
		}
	case e.op == control.OpSend:
		r.state.channel(e.object).queue = append(r.state.channel(e.object).queue, e.value)
		r.state.channel(e.object).sends = append(r.state.channel(e.object).sends, e)
		e.value = prefixed("← ", e.value)
		e.outcome = "blocked, nobody receives"
		if e.room[1] > 0 {
			e.outcome = fmt.Sprintf("blocked, full: %d of %d", e.room[0], e.room[1])
		}
		if e.object == 0 {
			e.outcome = "blocked for ever: the channel is nil"
		}
	case e.op == control.OpRecv:
		e.outcome = "blocked, nothing to receive"
		if e.object == 0 {
			e.outcome = "blocked for ever: the channel is nil"
		}
	}
}

// inTheWay are the members that e has to wait for to have its lock: those that
// hold it, or, if it is only to be read and nobody writes, those that wait to
// write, which go first.
func (r *recorder) inTheWay(e *event) (ids []uint32, queued bool) {
	l := r.state.lock(e.object)
	if e.site.kind == siteLock || l.writer != nil {
		for _, holder := range l.holders() {
			ids = append(ids, holder.member)
		}
		return ids, false
	}
	for _, other := range r.events {
		if r.waiting[other.member] == other && other.object == e.object && other.site.kind == siteLock {
			ids = append(ids, other.member)
		}
	}
	return ids, true
}

// stillInTheWay looks again at who is in the way of those that wait for a lock:
// it may have passed from one to another since they began to.
func (r *recorder) stillInTheWay() {
	for _, e := range r.waiting {
		if e == nil || e.site.kind != siteLock && e.site.kind != siteRLock {
			continue
		}
		if ids, queued := r.inTheWay(e); !queued && len(ids) > 0 {
			e.holders, e.queued = ids, false
		}
	}
}

// holding says who is in the way of a wait for a lock.
func (ex *execution) holding(e *event) string {
	var names []string
	for _, id := range e.holders {
		if id == e.member {
			names = append(names, "itself")
		} else {
			names = append(names, ex.name(id))
		}
	}
	if e.queued {
		return "behind " + strings.Join(names, ", ")
	}
	return "held by " + strings.Join(names, ", ")
}

func prefixed(sign, value string) string {
	if value == "" {
		return ""
	}
	return sign + value
}

// change is a value that was replaced by another.
func change(was, is string) string {
	switch {
	case was == "" || is == "":
		return prefixed("= ", is)
	}
	return was + " → " + is
}
