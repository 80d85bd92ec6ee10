package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
)

// missedStory: a goroutine found a channel not ready and went on without it, while one that would
// have made it ready could run but was stopped. If it then waits for the channel before all else, as
// in io.Pipe and net.Pipe, it missed nothing. With last, only the failing one's last operation counts.
func (p *picture) missedStory(last bool) story {
	all := p.misses(last)
	for _, met := range []func(e, other *event) bool{(*event).missedBy, p.awaitedBy} { // first those who came
		for _, i := range all {
			if s := p.missedAt(i, met); s.known() {
				return s
			}
		}
	}
	return story{}
}

// missedAt is missedStory of row i, given by which later row it is met.
func (p *picture) missedAt(i int, met func(e, other *event) bool) story {
	events, e := p.rec.events, p.rec.events[i]
	k := i + max(slices.IndexFunc(events[i:], func(o *event) bool { return met(e, o) }), 0)
	acts := func(o *event) bool {
		return e.ofTask(o) && !o.missed() && (o.log || len(o.channels) > 0 || p.shared[o.object])
	}
	next := events[i+1+slices.IndexFunc(events[i+1:], acts)] // e itself if there is none
	waits := next != e && (next.receivesFrom(events[k].object) || next.sendsOn(events[k].object))
	why := p.idle(i, events[k])
	if k == i || why == "" || waits {
		return story{}
	}
	object := p.object(events[k])
	if events[k].blocked { // maybe at other channels too
		object = ""
	}
	return tale(fmt.Sprintf("%s found %s %s at step %d and went on without; %s %s",
		p.who(e), cmp.Or(object, p.object(e)), e.found(), e.index, p.who(events[k]), why), e, events[k])
}

// misses returns the indices of rows that went on without a channel, the last ones first: at most
// mostData of them, because each is compared with all later rows, and a loop may try thousands of
// times.
func (p *picture) misses(last bool) (at []int) {
	events := p.rec.events
	end := min(p.end(), len(events)-1)
	for i := end; i >= 0 && len(at) < mostData; i-- {
		e := events[i]
		if last && (e.task != events[end].task || e.log) {
			continue
		}
		if e.missed() || p.inTime(e) {
			at = append(at, i)
		}
		if last && e.object != 0 {
			break
		}
	}
	return at
}

// missed reports whether an operation went on without a channel.
func (e *event) missed() bool {
	return e.verb == selectVerb+": default" || e.refused && !e.closed && (e.Op == control.OpTrySend || e.Op == control.OpTryRecv)
}

// inTime reports whether a select took what a timer sent: nobody sends or closes there.
func (p *picture) inTime(e *event) bool {
	return e.verb == selectVerb+": receive" && !e.blocked && !strings.HasSuffix(e.outcome, "closed") && !slices.ContainsFunc(p.rec.events, func(other *event) bool {
		return other.object == e.object && other.Site.Kind == source.SiteChannel && !strings.HasSuffix(other.verb, "receive")
	})
}

// leftStory: a value was sent and never received, because a select that could have received it took
// another case after that. With several such values there is no story.
func (p *picture) leftStory() (s story) {
	for i, sent := range p.untilEnd() {
		if p.ex.Out.Kind != engine.KindCheck || sent.blocked || sent.refused || sent.receiver != 0 || sent.room[1] == 0 || !strings.HasSuffix(sent.verb, "send") {
			continue
		}
		var last *event
		received := 0
		for _, e := range p.rec.events[i+1:] {
			switch {
			case e.blocked || e.refused || !e.receivesFrom(sent.object) && !strings.HasSuffix(e.verb, "receive"):
			case e.object == sent.object:
				received++
			case e.receivesFrom(sent.object) && e.task != sent.task:
				last = e
			}
		}
		switch {
		case last == nil || received > sent.room[0] || p.late(last):
		case s.known():
			return story{}
		default:
			s = tale(fmt.Sprintf("%s did %s, and nobody received it: %s", p.who(sent), p.operation(sent), p.otherCase(last)), sent, last)
		}
	}
	return s
}

// otherCase says that a select could have met somebody at a channel, and did not.
func (p *picture) otherCase(e *event) string {
	return fmt.Sprintf("%s had that case in a select, and took %s", p.who(e), p.operation(e))
}

// missedBy reports whether another row sends to, receives from or closes the channel that an
// operation went on without, and so would have made it ready.
func (e *event) missedBy(other *event) bool {
	switch text := strings.TrimPrefix(other.verb, selectVerb+": "); {
	case other.task == e.task, other.blocked, other.object == e.object && len(e.channels) > 0, other.refused, other.Site.Kind != source.SiteChannel:
		return false
	case strings.HasPrefix(text, "receive"), strings.HasPrefix(text, "try receive"):
		return e.Op == control.OpTrySend && e.object == other.object || e.sendsOn(other.object)
	default:
		return e.Op == control.OpTryRecv && e.object == other.object || e.receivesFrom(other.object)
	}
}

// awaitedBy reports whether another row waits, but not for ever, for what an operation went on without.
func (p *picture) awaitedBy(e, other *event) bool {
	return other.blocked && !p.stuck(other.task) && (e.Op == control.OpTrySend && other.receivesFrom(e.object) || e.Op == control.OpTryRecv && other.sendsOn(e.object))
}

// found returns the state of the channel that an operation went on without.
func (e *event) found() string {
	switch {
	case e.Op == control.OpTrySend && e.room[1] > 0:
		return "full"
	case e.Op == control.OpTrySend:
		return "without a receiver"
	case e.Op == control.OpTryRecv:
		return "empty"
	}
	return "not ready"
}

// idle returns why the goroutine of a later row had not got to that row at another one, although it
// could run; "" if it could not.
func (p *picture) idle(at int, later *event) string {
	if p.depends(at, later) {
		return ""
	}
	next := at + max(slices.IndexFunc(p.rec.events[at:], later.ofTask), 0)
	switch {
	case p.unbegun(at, later):
		return "had not begun, and came to " + p.operation(later) + " too late"
	case slices.ContainsFunc(p.rec.events[:at], later.ofTask) && p.rec.events[next].preempted:
		return "was stopped before " + p.operation(later)
	}
	return ""
}

// depends reports whether a later row of a goroutine depends on what others did after row at:
// in between the goroutine waited, or used a channel that the task of row at had used.
func (p *picture) depends(at int, later *event) bool {
	rows := p.rec.events[at:later.index]
	return slices.ContainsFunc(rows, func(e *event) bool {
		if e.task != later.task || e == later || e == later.started {
			return false
		}
		heard := func(other *event) bool {
			return other.task == rows[0].task && other.object == e.object && other.index < e.index && !other.refused
		}
		return e.blocked || e.started != nil || e.Site.Kind == source.SiteChannel && slices.ContainsFunc(rows, heard)
	})
}

// ofTask reports whether another row is of the same goroutine.
func (e *event) ofTask(other *event) bool { return e.task == other.task }

// unbegun reports whether the goroutine of a later row had been started before row at, but had not
// begun.
func (p *picture) unbegun(at int, later *event) bool {
	past := p.rec.events[:at]
	started := func(e *event) bool { return slices.Contains(e.children, later.task) }
	return slices.ContainsFunc(past, started) && !slices.ContainsFunc(past, later.ofTask)
}
