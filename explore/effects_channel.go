package explore

import (
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

// selectVerb is what a select is called.
const selectVerb = "select"

// channelDone notes what went through a channel.
func (r *recorder) channelDone(ex *execution, m *control.Member, e *event) {
	switch e.op {
	case control.OpSelect:
		r.selectDone(ex, m, e)
		return
	case control.OpWoken:
		r.woken(ex, m, e)
		return
	}
	c := r.state.channel(e.object)
	switch e.op {
	case control.OpClose:
		c.closed = e
	case control.OpSend:
		r.sent(ex, e, e.object, e.value)
		e.value = prefixed("← ", e.value)
	case control.OpTrySend:
		receiver := r.receiver(ex, e.member, e.object)
		if n, _, _ := control.Channel(e.object); receiver == 0 && n <= e.room[0] {
			e.refused, e.outcome, e.writes = true, "not sent: nobody receives", false
			if e.room[1] > 0 {
				e.outcome = "not sent: full"
			}
		} else {
			r.sent(ex, e, e.object, e.value)
		}
		e.value = prefixed("← ", e.value)
	case control.OpRecv, control.OpTryRecv:
		r.received(e, c)
	}
}

// received notes what a receive that did not wait has got.
func (r *recorder) received(e *event, c *channelState) {
	switch value, ok := c.pop(); {
	case ok:
		e.value = prefixed("= ", value)
	case e.closed:
		e.outcome, e.writes = "closed", false
	case e.op == control.OpTryRecv && e.room[0] == 0:
		e.refused, e.outcome, e.writes = true, "nothing to receive", false
	}
}

// receiver is the member that has been waiting to receive from a channel and
// was given a value just now, 0 if there is none.
func (r *recorder) receiver(ex *execution, sender uint32, channel uintptr) uint32 {
	for i := 1; i <= ex.e.Len(); i++ {
		m := ex.e.Member(i)
		e := r.waiting[m.ID]
		if e == nil || m.State != control.Runnable || m.Op != control.OpWoken || m.Waker != sender {
			continue
		}
		if e.op == control.OpRecv && e.object == channel {
			return m.ID
		}
		for _, c := range e.channels {
			if c == channel {
				return m.ID
			}
		}
	}
	return 0
}

// sent notes a value that is in a channel now, or with a goroutine that waited
// for it.
func (r *recorder) sent(ex *execution, e *event, channel uintptr, value string) {
	c := r.state.channel(channel)
	c.sends = append(c.sends, e)
	if id := r.receiver(ex, e.member, channel); id != 0 {
		c.delivered[id] = value
		return
	}
	c.queue = append(c.queue, value)
}

// woken notes how a wait at a channel ended.
func (r *recorder) woken(ex *execution, m *control.Member, e *event) {
	if len(e.channels) > 0 {
		r.selectDone(ex, m, e)
		return
	}
	c := r.state.channel(e.object)
	switch {
	case e.site.op == control.OpSend.String():
		if e.started != nil {
			e.value = e.started.value
		}
	case c.delivered[e.member] != "":
		e.value = prefixed("= ", c.delivered[e.member])
		delete(c.delivered, e.member)
	case c.closed != nil:
		e.outcome = strings.TrimPrefix(e.outcome+", closed", ", ")
	}
}

// selectDone notes which case a select took.
func (r *recorder) selectDone(ex *execution, m *control.Member, e *event) {
	took := m.Taken()
	e.ready = int(m.Ready)
	if took.Channel == 0 {
		e.verb, e.writes = selectVerb+": default", false
		return
	}
	e.object = took.Channel
	value := r.values.element(took.Value)
	c := r.state.channel(e.object)
	switch {
	case took.Send:
		e.verb, e.value = selectVerb+": send", prefixed("← ", value)
		if e.op == control.OpSelect {
			r.sent(ex, e, e.object, value)
		}
	case took.Closed:
		e.verb, e.writes = selectVerb+": receive", false
		e.outcome = strings.TrimPrefix(e.outcome+", closed", ", ")
	default:
		e.verb, e.value = selectVerb+": receive", prefixed("= ", value)
		if e.op == control.OpSelect {
			c.pop()
		}
		delete(c.delivered, e.member)
	}
}
