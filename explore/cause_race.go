package explore

import (
	"fmt"
	"strings"
)

// raceStory says which two accesses nothing orders, and why the locks that are
// held do not either.
func (p *picture) raceStory() story {
	if len(p.ex.out.races) == 0 {
		return story{}
	}
	r := p.ex.out.races[0]
	first, second := p.access(r.Accesses[1]), p.access(r.Accesses[0]) // the later one comes first in a report
	kind := "read-write"
	if r.Accesses[0].Write && r.Accesses[1].Write {
		kind = "write-write"
	}
	text := fmt.Sprintf("%s conflict: %s and %s, and nothing orders the two", kind,
		p.accessed(r.Accesses[1], first, p.raced(r)), p.accessed(r.Accesses[0], second, "it"))
	if first != nil && second != nil {
		text += p.lockNote(first, second)
	}
	return tale(text, first, second)
}

// accessed says who did what to a variable.
func (p *picture) accessed(a RaceAccess, e *event, what string) string {
	if e != nil && e.site.kind == siteChannel {
		return fmt.Sprintf("%q did %s %s at step %d", a.Goroutine, e.verb, what, e.index)
	}
	verb := "read"
	if a.Write {
		verb = "wrote"
	}
	if a.Atomic {
		verb += " (atomically)"
	}
	text := fmt.Sprintf("%q %s %s", a.Goroutine, verb, what)
	if e != nil {
		return text + fmt.Sprintf(" at step %d", e.index)
	}
	return text + " at " + a.place
}

// lockNote says which locks were held at two accesses, if any.
func (p *picture) lockNote(first, second *event) string {
	if len(first.held) == 0 && len(second.held) == 0 {
		return ""
	}
	if len(first.held) > 0 && len(second.held) > 0 {
		a, b := first.held[0], second.held[0]
		if a.object == b.object && a.read && b.read {
			return fmt.Sprintf(": both hold %s, but only for reading", p.objects.name(a.object))
		}
		return fmt.Sprintf(": %s holds %s and %s holds %s", p.who(first), p.locks(first.held), p.who(second), p.locks(second.held))
	}
	with, without := first, second
	if len(first.held) == 0 {
		with, without = second, first
	}
	return fmt.Sprintf(": %s holds %s, %s does not", p.who(with), p.locks(with.held), p.who(without))
}

func (p *picture) locks(held []hold) string {
	var names []string
	for _, h := range held {
		name := p.objects.name(h.object)
		if h.read {
			name += " (for reading)"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// access is the row of one of a race's accesses, nil if it was no point.
func (p *picture) access(a RaceAccess) *event {
	for i := len(p.rec.events) - 1; i >= 0; i-- {
		e := p.rec.events[i]
		if a.is(e.site) && p.ex.name(e.member) == a.Goroutine && where(e.site.user) == a.place {
			if e.inside != nil {
				return e.inside // a channel operation
			}
			return e
		}
	}
	return nil
}

// is reports whether an operation can be the access.
func (a RaceAccess) is(s site) bool {
	switch s.kind {
	case siteRead:
		return !a.Write
	case siteWrite:
		return a.Write
	case siteAtomicRead, siteAtomicWrite:
		return a.Atomic
	case siteChannel:
		return len(a.Stack) > 0 && strings.HasPrefix(a.Stack[0], "runtime.")
	}
	return false
}

// raced is what a race is on: a variable's name, if a row has it, else what the
// detector calls it.
func (p *picture) raced(r RaceReport) string {
	for _, a := range r.Accesses {
		if e := p.access(a); e != nil {
			if name := p.objects.name(e.object); name != "" {
				return name
			}
		}
	}
	return "the same memory"
}
