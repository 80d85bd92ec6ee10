package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
)

// selectVerb is the name of a select.
const selectVerb = "select"

// onClosed is the outcome of a send or a close on a closed channel.
const onClosed = "panics: the channel is closed"

// lookAtChannel records the state that a channel operation will meet: no other task runs before it.
func (r *Recorder) lookAtChannel(e *event) {
	var next control.Element
	e.room[0], e.room[1], e.closed = control.Channel(e.object)
	e.receiver, e.sender, next = control.ChannelQueues(e.object)
	if e.Op == control.OpRecv || e.Op == control.OpTryRecv {
		e.next = r.values.Element(next)
	}
}

// channelDone records the value that passed through a channel.
func (r *Recorder) channelDone(ex *engine.Execution, m *control.Task, e *event) {
	switch e.Op {
	case control.OpSelect:
		r.selectDone(m, e)
	case control.OpWoken:
		r.woken(ex, m, e)
	case control.OpClose:
		if e.closed || e.object == 0 {
			e.panics(onClosed)
			return
		}
		r.state.closers[e.object] = e
	case control.OpSend, control.OpTrySend:
		r.sent(e)
	case control.OpRecv, control.OpTryRecv:
		e.receives()
	}
}

// panics records that an operation panicked and had no effect.
func (e *event) panics(outcome string) {
	e.outcome, e.writes, e.refused = outcome, false, true
}

// meetsClosed records that a receive returned because its channel is closed.
func (e *event) meetsClosed() {
	e.outcome, e.writes = strings.TrimPrefix(e.outcome+", closed", ", "), false
}

// sent records where the value of a send that did not wait has gone.
func (r *Recorder) sent(e *event) {
	text := e.value
	e.value = source.Prefixed("← ", text)
	switch {
	case e.closed:
		e.panics(onClosed)
	case e.receiver != 0:
		r.state.delivered[e.receiver] = text
	case e.Op == control.OpTrySend && e.room[0] == e.room[1]:
		e.refused, e.outcome, e.writes = true, "not sent: nobody receives", false
		if e.room[1] > 0 {
			e.outcome = "not sent: full"
		}
	}
}

// receives records the value of a receive that did not wait.
func (e *event) receives() {
	switch {
	case e.room[0] > 0 || e.sender != 0:
		e.value = source.Prefixed("= ", e.next)
	case e.closed:
		e.meetsClosed()
	case e.Op == control.OpTryRecv:
		e.refused, e.outcome, e.writes = true, "nothing to receive", false
	}
}

// woken records how a wait at a channel ended.
func (r *Recorder) woken(ex *engine.Execution, m *control.Task, e *event) {
	value, given := r.state.delivered[e.task]
	delete(r.state.delivered, e.task)
	closer := r.closed(m, e)
	switch {
	case len(e.channels) > 0:
		r.selectDone(m, e)
	case e.Site.Op == control.OpSend.String():
		if e.started != nil {
			e.value = e.started.value
		}
		if closer != nil {
			e.panics("panics: " + ex.Name(closer.task) + " closed the channel")
		}
	case closer != nil:
		e.meetsClosed()
	case given:
		e.value = source.Prefixed("= ", value)
	}
}

// closed returns the row that closed the channel and so woke a task, nil if something else woke it.
func (r *Recorder) closed(m *control.Task, e *event) *event {
	for _, c := range append(e.channels, e.object) {
		if closer := r.state.closers[c]; closer != nil && e.started != nil && closer.waiters[e.task] == e.started && closer.task == m.Waker {
			return closer
		}
	}
	return nil
}

// blockedAt returns the rows in which tasks began to wait for a channel, for tasks that still wait.
func (r *Recorder) blockedAt(ex *engine.Execution, channel uintptr) map[uint32]*event {
	all := make(map[uint32]*event)
	for id, e := range r.waiting {
		if e != nil && (e.object == channel || slices.Contains(e.channels, channel)) && ex.Control.Task(int(id)).State == control.Blocked {
			all[id] = e
		}
	}
	return all
}

// selectDone records which case a select took.
func (r *Recorder) selectDone(m *control.Task, e *event) {
	took := m.Taken()
	e.ready = int(m.Ready)
	if took.Channel == 0 {
		if i := slices.IndexFunc(e.sendCases(), isClosed); i >= 0 {
			e.object, e.verb = e.channels[i], selectVerb+": send"
			e.panics(onClosed)
			return
		}
		e.verb, e.writes = selectVerb+": default", false
		return
	}
	e.object = took.Channel
	value := r.values.Element(took.Value)
	switch {
	case took.Send:
		e.verb, e.value = selectVerb+": send", source.Prefixed("← ", value)
		if e.Op == control.OpSelect && e.receivers[e.object] != 0 {
			r.state.delivered[e.receivers[e.object]] = value
		}
	case took.Closed:
		e.verb = selectVerb + ": receive"
		e.meetsClosed()
	default:
		e.verb, e.value = selectVerb+": receive", source.Prefixed("= ", value)
	}
}

func isClosed(channel uintptr) bool {
	_, _, closed := control.Channel(channel)
	return closed
}

// blocksAtChannel records what a wait at a channel is for.
func (e *event) blocksAtChannel() {
	if e.Op == control.OpSend {
		e.value, e.outcome = source.Prefixed("← ", e.value), "blocked, nobody receives"
		if e.room[1] > 0 {
			e.outcome = fmt.Sprintf("blocked, full: %d of %d", e.room[0], e.room[1])
		}
	} else {
		e.outcome = "blocked, nothing to receive"
	}
	if e.object == 0 {
		e.outcome = "blocked for ever: the channel is nil"
	}
}
