package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// crashStory explains why a goroutine panicked, or why the runtime ended it.
func (p *picture) crashStory(f *verdict.Failure) story {
	e := p.crashed()
	if e == nil {
		return p.orderStory()
	}
	e = p.panicked(e)
	if e.inside != nil { // the access that the runtime notes for a channel operation
		e = e.inside
	}
	switch {
	case strings.Contains(f.Message, "closed channel") && (e.closing() || e.sending()):
		if s := p.closedStory(e); s.known() {
			return s
		}
	case strings.Contains(f.Message, "nlock of unlocked") && (e.Site.Kind == source.SiteUnlock || e.Site.Kind == source.SiteRUnlock):
		return p.unlockStory(e)
	case strings.Contains(f.Message, "concurrent map"):
		if s := p.mapStory(e); s.known() {
			return s
		}
	case strings.Contains(f.Message, "stack overflow"):
		s := p.orderStory()
		s.text = fmt.Sprintf("%s called ever deeper, until its stack had %d MiB", p.who(e), engine.MaxStack>>20) + source.Prefixed("; before that, ", s.text)
		return s
	case verdict.TooLate(f):
		return tale(fmt.Sprintf("%s went on when the test was over, and %s at step %d: nothing had made the test wait for %s", p.who(e), failsLate(f, "failed it", "logged for it"), e.index, p.who(e)), e)
	case strings.Contains(f.Message, "negative WaitGroup counter"):
		return tale(fmt.Sprintf("%s counted %s below zero at step %d: there were more calls of Done than were added", p.who(e), p.object(e), e.index), e)
	}
	if f.Of == engine.KindExit {
		return tale(fmt.Sprintf("%s ended the process at step %d", p.who(e), e.index), e)
	}
	return p.orderStory()
}

// failsLate returns fails if a goroutine has only failed the test that was over, and else logs.
func failsLate(f *verdict.Failure, fails, logs string) string {
	if strings.Contains(f.Message, "Fail in goroutine after ") {
		return fails
	}
	return logs
}

// crashed returns the row in which the execution ended.
func (p *picture) crashed() *event {
	for i := len(p.rec.events) - 1; i >= 0; i-- {
		if e := p.rec.events[i]; e.failed && !e.log {
			return e
		}
	}
	return nil
}

// panicked returns the row of the operation that panicked, if rows of deferred calls follow it, and
// otherwise crash itself.
func (p *picture) panicked(crash *event) *event {
	for _, e := range slices.Backward(p.rec.events[:crash.index-1]) {
		if e.task == crash.task && e.panicking() && e.Site.User == crash.Site.User {
			return e
		}
	}
	return crash
}

func (e *event) closing() bool { return e.Site.Op == "close" }

func (e *event) sending() bool {
	return e.Site.Op == "send" || e.Site.Op == "try send" || e.Site.Op == "select"
}

// closedStory: a goroutine closes, or sends on, a channel that is already closed.
func (p *picture) closedStory(e *event) story {
	began := e
	if e.started != nil {
		began = e.started
	}
	for _, other := range p.rec.events {
		if other == e || !other.closing() || other.failed {
			continue
		}
		if e.object != other.object && (e.object != 0 || !e.sendsOn(other.object)) {
			continue
		}
		what := "sent on it"
		switch {
		case e.closing() && e.index < other.index:
			what = "had begun to close it"
		case e.closing():
			what = "closed it again"
		case began.index < other.index: // a racing access is a point within a send
			what = "had begun to send on it"
		}
		return tale(fmt.Sprintf("%s closed %s at step %d (%s); %s %s at step %d (%s)",
			p.who(other), p.object(other), other.index, source.Where(other.Site.User), p.who(e), what, began.index, source.Where(e.Site.User)), other, e)
	}
	return story{}
}

// recoveredStory: a goroutine recovers from the panic of a channel operation, and a check fails.
func (p *picture) recoveredStory() story {
	for _, e := range slices.Backward(p.untilEnd()) {
		if e.panicking() && (e.closing() || e.sending()) {
			return p.closedStory(e)
		}
	}
	return story{}
}

func (e *event) panicking() bool { return strings.HasPrefix(e.outcome, "panics: ") }

// unlockStory: a goroutine unlocks a lock that is not held.
func (p *picture) unlockStory(e *event) story {
	text := fmt.Sprintf("%s gave %s back at step %d, which nobody held", p.who(e), p.nameOr(e, "a lock"), e.index)
	for _, other := range slices.Backward(p.rec.events[:e.index-1]) { // the last one
		if other.object == e.object && other.acquired != nil {
			text = fmt.Sprintf("%s had given %s back at step %d already when %s did so at step %d", p.who(other), p.nameOr(e, "the lock"), other.index, p.who(e), e.index)
			return tale(text, other, e)
		}
	}
	return tale(text, e)
}

func (p *picture) nameOr(e *event, other string) string {
	if name := p.objects.name(e.object); name != "" && len(p.objects.names(e.object)) > 0 {
		return name
	}
	return other
}

// mapStory: the runtime detected two goroutines in one map.
func (p *picture) mapStory(e *event) story {
	for i := len(p.rec.events) - 1; i >= 0; i-- {
		other := p.rec.events[i]
		if other.task != e.task && strings.HasPrefix(other.Site.Op, "map") && (other.object == e.object || e.object == 0) {
			return tale(fmt.Sprintf("%s was in the middle of a %s of %s (step %d) when %s came to it at step %d",
				p.who(other), other.verb, p.nameOr(other, "the map"), other.index, p.who(e), e.index), other, e)
		}
	}
	return story{}
}

// A spin is what a goroutine does again and again.
type spin struct {
	task   uint32
	first  *event
	last   *event
	times  int
	writes bool
}

// spinStory: an execution does not end.
func (p *picture) spinStory() (s story) {
	events := p.rec.events
	tail := events[len(events)/2:]
	var order []uint32
	spins := make(map[uint32]*spin)
	for _, e := range tail {
		if e.log || e.Op.String() == "start" {
			continue
		}
		sp := spins[e.task]
		if sp == nil {
			sp = &spin{task: e.task, first: e}
			spins[e.task] = sp
			order = append(order, e.task)
		}
		sp.times++
		sp.writes = sp.writes || e.writes
		if e.object != 0 {
			sp.last = e
		}
	}
	var parts []string
	for _, id := range order {
		sp := spins[id]
		if sp.last == nil {
			parts = append(parts, fmt.Sprintf("%q goes on and on (%d of the last %d steps)", p.ex.Name(id), sp.times, len(tail)))
			continue
		}
		s.mark(sp.last)
		text := fmt.Sprintf("%q does %s at %s again and again (%d of the last %d steps)",
			p.ex.Name(id), strings.TrimSuffix(p.operation(sp.last), fmt.Sprintf(" (step %d)", sp.last.index)), source.Where(sp.last.Site.User), sp.times, len(tail))
		if changed := func(e *event) bool { return e.object == sp.last.object && changesIt(e) }; !sp.writes && !slices.ContainsFunc(tail, changed) {
			text += ", and nobody changes what it reads"
		}
		parts = append(parts, text)
	}
	s.text = strings.Join(parts, "; ")
	return s
}
