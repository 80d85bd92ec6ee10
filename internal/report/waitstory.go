package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
)

// waitStory explains why tasks wait for ever.
func (p *picture) waitStory() story {
	if c := p.cycle(); len(c) > 0 {
		return p.cycleStory(c)
	}
	if s := p.standstillStory(); s.known() {
		return s
	}
	var s story
	var parts []string
	told := make(map[*event]bool)
	for _, id := range p.ex.Out.Blocked {
		e := p.rec.waiting[id]
		if e == nil || p.joins(e) || told[e] {
			continue
		}
		together := p.together(e)
		for _, other := range together {
			told[other] = true
			s.mark(other)
		}
		text, marks := p.waitPart(together, e)
		s.mark(append(marks, e)...)
		parts = append(parts, text)
	}
	if spins := p.spinning(p.runsOn); spins.known() {
		s.mark(slices.Collect(maps.Keys(spins.marks))...)
		parts = append(parts, spins.text)
	}
	if len(parts) == 0 {
		return p.joinStory()
	}
	const most = 3
	if n := len(parts) - most; n > 0 {
		parts = append(parts[:most], fmt.Sprintf("and %d more wait", n))
	}
	s.text = strings.Join(parts, "; ")
	return s
}

// runsOn reports whether a task that is left does not wait.
func (p *picture) runsOn(id uint32) bool { return p.stuck(id) && p.rec.waiting[id] == nil }

// together returns the rows of the tasks that wait as e does, for the same object.
func (p *picture) together(e *event) (all []*event) {
	for _, id := range p.ex.Out.Blocked {
		other := p.rec.waiting[id]
		if other != nil && other.object == e.object && other.Action == e.Action && other.object != 0 || other == e {
			all = append(all, other)
		}
	}
	return all
}

// whoSince says which goroutines wait, and since when.
func (p *picture) whoSince(all []*event) (who, verb, since string) {
	var names, steps []string
	for _, e := range all {
		name := p.who(e)
		if by := p.started(e.task); by != "" && p.ex.Out.Kind == engine.KindLeak {
			name += ", " + by + ","
		}
		names, steps = append(names, name), append(steps, fmt.Sprint(e.index))
	}
	if len(all) == 1 {
		return names[0], "waits", "since step " + steps[0]
	}
	return source.Listed(names), "wait", "since steps " + source.Listed(steps)
}

// joinStory is for goroutines that wait only for others to end. If they wait for different things,
// one of them may have been meant to end another one's wait.
func (p *picture) joinStory() (s story) {
	var parts []string
	told := make(map[*event]bool)
	for _, id := range p.ex.Told(p.ex.Out.Blocked) {
		e := p.rec.waiting[id]
		if e == nil || told[e] {
			continue
		}
		together := p.together(e)
		for _, other := range together {
			told[other] = true
		}
		s.mark(e)
		who, verb, since := p.whoSince(together)
		parts = append(parts, fmt.Sprintf("%s %s for %s %s", who, verb, p.awaited(e), since))
	}
	const most = 3
	switch n := len(parts); {
	case n == 1:
		s.text = parts[0] + ", and nobody is left to count it down"
	case n > most:
		s.text = fmt.Sprintf("%s; and %d more wait", strings.Join(parts[:most], "; "), n-most)
	case n > 1:
		s.text = strings.Join(parts, "; ") + "; and nobody else is left to count these down"
	}
	return s
}

// cycleStory tells a wait-for cycle: what each goroutine holds and waits for.
func (p *picture) cycleStory(cycle []uint32) (s story) {
	var parts []string
	for i, id := range cycle {
		e := p.rec.waiting[id]
		prev := cycle[(i+len(cycle)-1)%len(cycle)]
		next := cycle[(i+1)%len(cycle)]
		s.mark(e, p.takenBy(id, p.rec.waiting[prev]))
		parts = append(parts, p.link(id, p.rec.waiting[prev], e, next))
	}
	s.text = strings.Join(parts, "; ")
	return s
}

// link says what one task of a cycle holds and waits for; wanted is the wait of the previous task.
func (p *picture) link(id uint32, wanted, e *event, next uint32) string {
	text := fmt.Sprintf("%q", p.ex.Name(id))
	if since := p.takenBy(id, wanted); since != nil {
		text += fmt.Sprintf(" holds %s", cmp.Or(p.object(since), since.verb))
		if since.Site.Kind == source.SiteRLock {
			text += " for reading"
		}
		text += fmt.Sprintf(" since step %d and", since.index)
	}
	switch {
	case next == id:
		return text + fmt.Sprintf(" waits for it itself since step %d", e.index)
	case e.queued:
		return text + fmt.Sprintf(" waits since step %d to lock %s for reading, behind %q, which came first", e.index, p.object(e), p.ex.Name(next))
	}
	return text + fmt.Sprintf(" waits for %s since step %d", p.awaited(e), e.index)
}

// takenBy returns the row in which a task took the lock that e waits for.
func (p *picture) takenBy(id uint32, e *event) *event {
	if e == nil {
		return nil
	}
	for _, since := range p.rec.state.lock(e.object).holders() {
		if since.task == id {
			return since
		}
	}
	return nil
}

// waitPart explains why some tasks wait, and returns the rows that show it.
func (p *picture) waitPart(all []*event, e *event) (text string, marks []*event) {
	who, verb, since := p.whoSince(all)
	waits := fmt.Sprintf("%s %s for %s %s", who, verb, p.awaited(e), since)
	if lost := p.dropped(e); lost != nil {
		return p.droppedPart(waits, lost)
	}
	switch {
	case e.Site.Op == source.EmptySelect, e.timed:
		return waits, nil
	case len(e.holders) > 0:
		return p.heldPart(waits, e)
	case e.Action == source.CondWait:
		return p.signalPart(waits, e)
	case e.object == 0 && e.Site.Kind == source.SiteChannel && len(e.channels) == 0:
		return waits + ", where nobody can ever come", nil
	case p.ticks(e):
		return waits + ", and nothing but a timer is left to end that", nil
	case len(e.channels) > 0:
		return waits + ", and nobody is left to make a case ready", nil
	case e.Site.Op == "send":
		if e.room[1] > 0 {
			waits += fmt.Sprintf(" (it is full: %d of %d)", e.room[0], e.room[1])
		}
		return p.leftPart(waits+", and nobody is left to receive", e)
	case e.Site.Op == "receive":
		return p.leftPart(waits+", and nobody is left to send or to close it", e)
	}
	return waits + ", and nobody is left to end that", nil
}

// ticks reports whether timers have gone on ending such waits of e's task after the body's end.
func (p *picture) ticks(e *event) bool {
	return p.ex.Ticking() && slices.ContainsFunc(p.rec.events, func(other *event) bool {
		return other.task == e.task && other.timed && other.started != nil && (other.object == e.object && e.object != 0 ||
			slices.ContainsFunc(other.started.channels, func(c uintptr) bool { return slices.Contains(e.channels, c) }))
	})
}

// heldPart explains a wait for a lock whose holder is not in a cycle with it.
func (p *picture) heldPart(waits string, e *event) (text string, marks []*event) {
	holder := e.holders[0]
	since := p.takenBy(holder, e)
	if since == nil {
		return waits + fmt.Sprintf(", behind %q", p.ex.Name(holder)), nil
	}
	if holder == e.task {
		return waits + fmt.Sprintf(", which it took itself at step %d, and nobody is left to give it back", since.index), []*event{since}
	}
	if waits += fmt.Sprintf(", which %q took at step %d", p.ex.Name(holder), since.index); p.runsOn(holder) {
		return waits, []*event{since}
	}
	if p.stuck(holder) || p.ex.Control.Task(int(holder)).State == control.Blocked {
		return waits + " and keeps while it waits itself", []*event{since}
	}
	return waits + " and never gave back", []*event{since}
}

// signalPart explains a wait on a condition variable.
func (p *picture) signalPart(waits string, e *event) (text string, marks []*event) {
	var last *event
	for _, other := range p.rec.events {
		if other.object == e.object && (other.Action == "Signal" || other.Action == "Broadcast") {
			last = other
		}
	}
	switch {
	case last == nil:
		return waits + ", and nobody ever signals it", nil
	case last.refused && last.index < e.index:
		return fmt.Sprintf("lost wake-up: the %s of %s by %s at step %d found nobody waiting; %s, and nobody is left to signal again",
			last.Action, p.object(e), p.who(last), last.index, waits), []*event{last}
	}
	return fmt.Sprintf("%s; the last %s, by %s at step %d, %s, and nobody is left to signal again",
		waits, last.Action, p.who(last), last.index, strings.Replace(last.outcome, "wakes", "woke", 1)), []*event{last}
}

// dropped returns the last non-blocking operation that would have ended e's wait, had it begun
// earlier: a send if e waits to receive, a receive if it waits to send. A send that found a channel
// full is not lost: what filled the channel was received.
func (p *picture) dropped(e *event) (last *event) {
	for _, other := range p.rec.events[:e.index-1] {
		if !other.refused || other.closed || other.task == e.task {
			continue
		}
		switch {
		case other.Op == control.OpTrySend && other.room[1] == 0 && e.receivesFrom(other.object), other.Op == control.OpTryRecv && e.sendsOn(other.object):
			last = other
		}
	}
	return last
}

// receivesFrom and sendsOn report what a wait at channels is for.
func (e *event) receivesFrom(channel uintptr) bool {
	return e.Site.Op == "receive" && e.object == channel || slices.Contains(e.channels[len(e.sendCases()):], channel)
}

func (e *event) sendsOn(channel uintptr) bool {
	return e.Site.Op == "send" && e.object == channel || slices.Contains(e.sendCases(), channel)
}

// sendCases returns the channels of the cases of a select that send.
func (e *event) sendCases() []uintptr { return e.channels[:min(e.sends, len(e.channels))] }

// leftPart adds which select would have ended a wait at a channel, and took another case last.
func (p *picture) leftPart(text string, e *event) (string, []*event) {
	for _, other := range slices.Backward(p.rec.events) {
		meets := e.Site.Op == "send" && other.receivesFrom(e.object) || e.Site.Op == "receive" && other.sendsOn(e.object)
		switch {
		case other.task == e.task || !meets || other.blocked || other.refused || other.log:
		case len(other.channels) == 0 || other.object == e.object:
			return text, nil
		default:
			return text + ": " + p.otherCase(other), []*event{other}
		}
	}
	return text, nil
}

// droppedPart explains a wait for an operation that came too early.
func (p *picture) droppedPart(waits string, lost *event) (text string, marks []*event) {
	what, nobody := "send on", "receiver"
	if lost.Op == control.OpTryRecv {
		what, nobody = "receive from", "sender"
	}
	return fmt.Sprintf("lost wake-up: the %s %s by %s at step %d found no %s and was dropped; %s",
		what, p.object(lost), p.who(lost), lost.index, nobody, waits), []*event{lost}
}

// standstillStory: in a bubble, one goroutine waits for the clock or for all others to be blocked,
// and another one for a lock, which the runtime does not count as blocked.
func (p *picture) standstillStory() story {
	for _, id := range p.ex.Out.Blocked {
		m, e := p.ex.Control.Task(int(id)), p.rec.waiting[id]
		if m.Bubble == 0 || e == nil || e.Site.Kind != source.SiteLock && e.Site.Kind != source.SiteRLock {
			continue
		}
		for _, other := range p.ex.Bubble(m) {
			since := p.rec.waiting[other]
			if since == nil || !slices.Contains(p.ex.Out.Blocked, other) {
				continue
			}
			waits := ""
			switch p.ex.Control.Task(int(other)).WaitReason() {
			case "sleep":
				waits = "sleeps"
			case control.OpIdle.String():
				waits = "is in " + control.OpIdle.String()
			default:
				continue
			}
			return tale(fmt.Sprintf("%s %s since step %d, and %s waits for %s since step %d: a bubble's clock stands still, and synctest.Wait does not return, while a goroutine of the bubble waits for a lock",
				p.who(since), waits, since.index, p.who(e), p.awaited(e), e.index), since, e)
		}
	}
	return story{}
}
