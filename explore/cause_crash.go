package explore

import (
	"fmt"
	"strings"
)

// crashStory is why a goroutine panicked, or the runtime ended it.
func (p *picture) crashStory(f *Failure) story {
	e := p.crashed()
	if e == nil {
		return p.orderStory()
	}
	switch {
	case e.closing(), e.sending():
		if s := p.closedStory(e); s.known() {
			return s
		}
	case e.site.kind == siteUnlock, e.site.kind == siteRUnlock:
		return p.unlockStory(e)
	case strings.Contains(f.Message, "concurrent map"):
		if s := p.mapStory(e); s.known() {
			return s
		}
	case strings.Contains(f.Message, "stack overflow"):
		return tale(fmt.Sprintf("%s called ever deeper, until its stack had %d MiB", p.who(e), maxStack>>20))
	case strings.Contains(f.Message, "negative WaitGroup counter"):
		return tale(fmt.Sprintf("%s counted %s below zero at step %d: there were more calls of Done than were added", p.who(e), p.object(e), e.index), e)
	}
	if f.Kind == KindExit {
		return tale(fmt.Sprintf("%s ended the process at step %d", p.who(e), e.index), e)
	}
	s := p.orderStory()
	if !s.known() {
		if stack := p.stack(p.ex.out.stack); len(stack) > 0 {
			_, at, _ := strings.Cut(stack[0], " ")
			s.text = fmt.Sprintf("%s comes to it at %s (step %d)", p.who(e), at, e.index)
		}
	}
	return s
}

// crashed is the row in which the execution ended.
func (p *picture) crashed() *event {
	for i := len(p.rec.events) - 1; i >= 0; i-- {
		if e := p.rec.events[i]; e.failed && !e.log {
			return e
		}
	}
	return nil
}

func (e *event) closing() bool { return e.site.op == "close" }

func (e *event) sending() bool {
	return e.site.op == "send" || e.site.op == "try send" || e.site.op == "select"
}

// closedStory: a channel is closed or sent on that is closed already.
func (p *picture) closedStory(e *event) story {
	for _, other := range p.rec.events {
		if other == e || !other.closing() || other.failed {
			continue
		}
		if e.object != other.object && !contains(e.channels, other.object) {
			continue
		}
		what := "sent on it"
		if e.closing() {
			what = "closed it again"
		}
		return tale(fmt.Sprintf("%s closed %s at step %d (%s); %s %s at step %d (%s)",
			p.who(other), p.object(other), other.index, where(other.site.user), p.who(e), what, e.index, where(e.site.user)), other, e)
	}
	return story{}
}

func contains(all []uintptr, one uintptr) bool {
	for _, c := range all {
		if c == one {
			return true
		}
	}
	return false
}

// unlockStory: a lock is given back that nobody holds.
func (p *picture) unlockStory(e *event) story {
	text := fmt.Sprintf("%s gave %s back at step %d, which nobody held", p.who(e), p.nameOr(e, "a lock"), e.index)
	for _, other := range p.rec.events[:e.index-1] {
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

// mapStory: the runtime saw two goroutines in one map.
func (p *picture) mapStory(e *event) story {
	for i := len(p.rec.events) - 1; i >= 0; i-- {
		other := p.rec.events[i]
		if other.member != e.member && strings.HasPrefix(other.site.op, "map") && (other.object == e.object || e.object == 0) {
			return tale(fmt.Sprintf("%s was in the middle of a %s of %s (step %d) when %s came to it at step %d",
				p.who(other), other.verb, p.nameOr(other, "the map"), other.index, p.who(e), e.index), other, e)
		}
	}
	return story{}
}

// spin is what a goroutine does again and again.
type spin struct {
	member uint32
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
		if e.log || e.op.String() == "start" {
			continue
		}
		sp := spins[e.member]
		if sp == nil {
			sp = &spin{member: e.member, first: e}
			spins[e.member] = sp
			order = append(order, e.member)
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
			parts = append(parts, fmt.Sprintf("%q goes on and on (%d of the last %d steps)", p.ex.name(id), sp.times, len(tail)))
			continue
		}
		s.mark(sp.last)
		text := fmt.Sprintf("%q does %s at %s again and again (%d of the last %d steps)",
			p.ex.name(id), strings.TrimSuffix(p.operation(sp.last), fmt.Sprintf(" (step %d)", sp.last.index)), where(sp.last.site.user), sp.times, len(tail))
		if !sp.writes {
			text += ", and nobody changes what it reads"
		}
		parts = append(parts, text)
	}
	s.text = strings.Join(parts, "; ")
	return s
}
