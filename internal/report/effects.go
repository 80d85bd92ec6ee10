package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
)

// look records what an operation is about to work on.
func (r *Recorder) look(e *event, m *control.Task) {
	switch {
	case e.Op == control.OpFile:
		r.lookAtFile(e, m)
	case e.Op == control.OpSend, e.Op == control.OpTrySend:
		e.value = r.values.Element(m.Sent())
		r.lookAtChannel(e)
	case e.Op == control.OpRecv, e.Op == control.OpTryRecv, e.Op == control.OpClose:
		r.lookAtChannel(e)
	case e.Op == control.OpLen:
		e.room[0], e.room[1], _ = control.Channel(e.object)
	case e.Op == control.OpSelect:
		e.channels = slices.Clone(m.Channels())
		_, e.sends = m.Cases()
		e.object = 0
		e.receivers = make(map[uintptr]uint32)
		for _, c := range e.channels {
			e.receivers[c], _, _ = control.ChannelQueues(c)
		}
	case e.onValue():
		e.operand = m.Operands()
		r.lookAtValue(e)
	case e.Site.Type != "" && e.Site.Size != 0:
		e.operand = m.Operands()
		e.bits, _ = source.Word(e.variable(), e.Site.Size)
		e.was = r.atomic(e)
	case e.Site.Kind == source.SiteRead, e.Site.Kind == source.SiteWrite:
		e.was = r.plain(e)
	case e.isTry(), strings.Contains(e.Site.Op, "WaitGroup."):
		e.bits, _ = source.Word(e.variable(), e.stateSize())
	}
}

// variable returns the address of the word that the operation begins with.
func (e *event) variable() uintptr { return e.object + e.Site.Offset }

// stateSize returns the size in bytes of the word that holds the result of an operation of package
// sync.
func (e *event) stateSize() uintptr {
	if strings.Contains(e.Site.Op, "WaitGroup.") {
		return 8
	}
	return 4
}

// atomic returns the present value of an atomic variable.
func (r *Recorder) atomic(e *event) string {
	bits, ok := source.Word(e.variable(), e.Site.Size)
	if !ok {
		return ""
	}
	return r.values.Atomic(e.Site.Type, bits)
}

// plain returns the present value of a plain variable, if the source tells its type.
func (r *Recorder) plain(e *event) string {
	t := r.sources.BasicType(&e.Use)
	if t == nil || e.object == 0 || e.object%uintptr(t.Align()) != 0 || strings.HasPrefix(e.Site.Op, "map") {
		return ""
	}
	return r.values.Value(t, source.PointerTo(e.object))
}

// done records the effect of a completed operation.
func (r *Recorder) done(ex *engine.Execution, m *control.Task, e *event) {
	if e.Action == source.CondWait {
		if r.state.notified[e.task] = false; e.started == nil {
			r.state.tickets[e.object] = append(r.state.tickets[e.object], e.task)
		}
		return
	}
	switch e.Site.Kind {
	case source.SiteLock, source.SiteRLock:
		if !e.isTry() || r.tryDone(e) {
			r.state.acquired(e)
		}
	case source.SiteUnlock, source.SiteRUnlock:
		e.acquired = r.state.released(e)
		r.tryGoesOn(e)
	case source.SiteAtomicRead, source.SiteAtomicWrite, source.SiteDone:
		r.atomicDone(e)
	case source.SiteRead:
		e.value = source.Prefixed("= ", e.was)
	case source.SiteWrite:
		e.is = r.plain(e)
		e.value = change(e.was, e.is)
	case source.SiteChannel:
		r.channelDone(ex, m, e)
	}
	if e.Op == control.OpFile {
		e.fileDone(m)
	}
	if e.Op == control.OpTimer {
		e.value = fmt.Sprint("= ", m.Timed())
	}
	if e.Op == control.OpLen {
		e.value = fmt.Sprint("= ", e.room[0])
	}
	if e.Op == control.OpSignal || e.Op == control.OpBroadcast {
		r.notified(ex, e)
	}
}

// counted records how many goroutines there were when they were counted, and which of them had
// nothing left to do.
func (e *event) counted(ex *engine.Execution) {
	n := 0
	for i := 1; i <= ex.Control.Len(); i++ {
		m := ex.Control.Task(i)
		if m.State != control.Exited {
			n++
		}
		if m.State == control.Runnable && m.Op == control.OpEnd {
			e.ending = append(e.ending, m.ID)
		}
	}
	e.value = fmt.Sprint("= ", n)
}

// waits records what a wait is for.
func (r *Recorder) waits(ex *engine.Execution, m *control.Task, e *event) {
	switch {
	case e.Site.Kind == source.SiteLock, e.Site.Kind == source.SiteRLock:
		e.holders, e.queued = r.inTheWay(e)
		if len(e.holders) > 0 {
			e.outcome += ", " + r.holding(ex, e)
		}
	case (e.Op == control.OpSend || e.Op == control.OpRecv) && strings.HasPrefix(m.WaitReason(), "chan "): // otherwise it may sleep after the operation
		e.blocksAtChannel()
	}
}

// inTheWay returns the tasks that e must wait for to get its lock: its holders or, for a read lock
// without a writer, the tasks that wait to write, which go first.
func (r *Recorder) inTheWay(e *event) (ids []uint32, queued bool) {
	l := r.state.lock(e.object)
	if e.Site.Kind == source.SiteLock || l.writer != nil {
		for _, holder := range l.holders() {
			ids = append(ids, holder.task)
		}
		return ids, false
	}
	for _, other := range r.events {
		if r.waiting[other.task] == other && other.object == e.object && other.Site.Kind == source.SiteLock {
			ids = append(ids, other.task)
		}
	}
	return ids, true
}

// stillInTheWay updates the tasks in the way of those that wait for a lock, because the lock may
// have changed hands since they began to wait.
func (r *Recorder) stillInTheWay() {
	for _, e := range r.waiting {
		if e == nil || e.Site.Kind != source.SiteLock && e.Site.Kind != source.SiteRLock {
			continue
		}
		if ids, queued := r.inTheWay(e); !queued && len(ids) > 0 {
			e.holders, e.queued = ids, false
		}
	}
}

// holding says which goroutines are in the way of a wait for a lock.
func (r *Recorder) holding(ex *engine.Execution, e *event) string {
	var names []string
	for _, id := range e.holders {
		if id == e.task {
			names = append(names, "itself")
		} else {
			names = append(names, ex.Name(id))
		}
	}
	if e.queued {
		return "behind " + strings.Join(names, ", ")
	}
	return "held by " + strings.Join(names, ", ")
}

// change formats a value and its replacement.
func change(was, is string) string {
	switch {
	case was == "" || is == "":
		return source.Prefixed("= ", is)
	}
	return was + " → " + is
}
