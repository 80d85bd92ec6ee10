package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// missedStory: somebody looked at a channel, did not wait, and went on without; who would
// have made it otherwise could go on, and was stopped. With last it is asked of what the
// goroutine that fails did last only.
func (p *picture) missedStory(last bool) story {
	events := p.rec.events
	for _, i := range p.misses(last) {
		e := events[i]
		k := i + max(slices.IndexFunc(events[i:], e.missedBy), 0)
		if why := p.idle(i, events[k]); k > i && why != "" {
			return tale(fmt.Sprintf("%s found %s %s at step %d and went on without; %s %s",
				p.who(e), cmp.Or(p.object(events[k]), p.object(e)), e.found(), e.index, p.who(events[k]), why), e, events[k])
		}
	}
	return story{}
}

// misses are the places of rows that went on without a channel, the last ones first: at most
// mostData of them, for each is compared with all that come after it, and a loop may look
// thousands of times.
func (p *picture) misses(last bool) (at []int) {
	events := p.rec.events
	end := min(p.end(), len(events)-1)
	for i := end; i >= 0 && len(at) < mostData; i-- {
		e := events[i]
		if last && (e.task != events[end].task || e.log) {
			continue
		}
		if e.missed() {
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

// missedBy reports whether another row sends to, receives from or closes the channel that
// an operation went on without, so that it need not have.
func (e *event) missedBy(other *event) bool {
	switch text := strings.TrimPrefix(other.verb, selectVerb+": "); {
	case other.task == e.task, other.blocked, other.refused, other.Site.Kind != source.SiteChannel:
		return false
	case strings.HasPrefix(text, "receive"), strings.HasPrefix(text, "try receive"):
		return e.Op == control.OpTrySend && e.object == other.object || e.sendsOn(other.object)
	default:
		return e.Op == control.OpTryRecv && e.object == other.object || e.receivesFrom(other.object)
	}
}

// found is how an operation met a channel that it went on without.
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

// idle is why the goroutine of a later row had not come to it at a row of another, though
// it could go on; "" if it could not.
func (p *picture) idle(at int, later *event) string {
	next := at + max(slices.IndexFunc(p.rec.events[at:], later.ofTask), 0)
	switch {
	case p.unbegun(at, later):
		return "had not begun, and came to " + p.operation(later) + " too late"
	case slices.ContainsFunc(p.rec.events[:at], later.ofTask) && p.rec.events[next].preempted:
		return "was stopped before " + p.operation(later)
	}
	return ""
}

// ofTask reports whether another row is of the same goroutine.
func (e *event) ofTask(other *event) bool { return e.task == other.task }

// unbegun reports whether the goroutine of a later row was started before a row of another,
// and had not begun.
func (p *picture) unbegun(at int, later *event) bool {
	past := p.rec.events[:at]
	started := func(e *event) bool { return slices.Contains(e.children, later.task) }
	return slices.ContainsFunc(past, started) && !slices.ContainsFunc(past, later.ofTask)
}
