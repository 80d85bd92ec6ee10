package explore

import (
	"fmt"
	"slices"
	"strings"
)

// A story is why a schedule fails: one sentence, and the rows that it is about.
type story struct {
	text  string
	marks map[*event]bool
}

func (s *story) mark(events ...*event) {
	if s.marks == nil {
		s.marks = make(map[*event]bool)
	}
	for _, e := range events {
		if e != nil {
			s.marks[e] = true
		}
	}
}

func tale(text string, events ...*event) story {
	s := story{text: text}
	s.mark(events...)
	return s
}

func (s *story) known() bool { return s.text != "" }

// tell finds the story of a failure.
func (p *picture) tell(f *Failure) (s story) {
	switch f.Kind {
	case KindRace:
		s = p.raceStory()
	case KindDeadlock, KindLeak:
		s = p.waitStory()
	case KindLivelock:
		s = p.spinStory()
	case KindPanic, KindFatal, KindExit:
		s = p.crashStory(f)
	default:
		s = p.orderStory()
	}
	if !s.known() && f.Preemptions == 0 && len(p.rec.parents) > 1 {
		s.text = "no goroutine has to be stopped for it: the order in which they take turns is enough"
	}
	return s
}

// orderStory is why an order of operations made a check fail.
func (p *picture) orderStory() story {
	for _, find := range []func() story{p.abaStory, p.lostStory, p.halfStory, p.tornStory, p.sectionStory, p.staleStory, p.windowStory, p.choiceStory} {
		if s := find(); s.known() {
			return s
		}
	}
	return story{}
}

// who is a member's name as the sentences have it.
func (p *picture) who(e *event) string { return fmt.Sprintf("%q", p.ex.name(e.member)) }

// mostData is in how many rows a story is looked for: all pairs of them are
// compared, each with all others.
const mostData = 200

// data are the rows that read or write variables, in the order in which they
// took effect. If they are many they are those before the failure.
func (p *picture) data() (rows []*event) {
	for _, e := range p.rec.events {
		if !e.log && e.inside == nil && e.started == nil && !e.site.self && p.variableOf(e) != "" {
			rows = append(rows, e)
		}
	}
	slices.SortStableFunc(rows, func(a, b *event) int { return a.effect() - b.effect() })
	if len(rows) <= mostData {
		return rows
	}
	end := p.end()
	rows = slices.DeleteFunc(rows, func(e *event) bool { return e.index > end })
	return rows[max(0, len(rows)-mostData):]
}

// effect is the number of the row in which an operation takes effect: a call of
// several rows reads in its first one and writes in its last.
func (e *event) effect() int {
	if e.end != nil && writesIt(e) {
		return e.end.index
	}
	return e.index
}

// late reports whether a row comes when the check has failed already.
func (p *picture) late(e *event) bool { return e.index > p.end() }

// variableOf identifies the variable that a row works on; "" if it is no row of
// a variable.
func (p *picture) variableOf(e *event) string {
	switch e.site.kind {
	case siteRead, siteWrite:
		return fmt.Sprint(e.object)
	case siteAtomicRead, siteAtomicWrite:
		if e.site.part() && strings.HasPrefix(e.site.call, "Map.") {
			return p.object(e)
		}
		if e.site.typ != "" {
			return fmt.Sprint(e.object)
		}
	}
	return ""
}

// readsIt and writesIt tell what a row did to its variable. A call of sync.Map
// does what its name says, whatever its first operation is.
func readsIt(e *event) bool {
	if method, ok := strings.CutPrefix(e.site.call, "Map."); ok {
		return method != "Store" && method != "Clear"
	}
	return e.reads
}

func writesIt(e *event) bool {
	if method, ok := strings.CutPrefix(e.site.call, "Map."); ok {
		return method != "Load" && method != "Range"
	}
	return e.writes
}

// lostStory: one reads, another writes, and the first overwrites that without
// having looked again.
func (p *picture) lostStory() story {
	rows := p.data()
	for k, last := range rows {
		if !writesIt(last) || readsIt(last) || p.late(last) {
			continue
		}
		var between *event
		for j := k - 1; j >= 0; j-- {
			e := rows[j]
			if p.variableOf(e) != p.variableOf(last) {
				continue
			}
			if e.member != last.member {
				if writesIt(e) && between == nil {
					between = e
				}
				continue
			}
			if between == nil || !readsIt(e) || writesIt(e) {
				break
			}
			return tale(fmt.Sprintf("lost update of %s: %s read it at step %d%s, %s changed it at step %d%s, and %s overwrote that at %s%s",
				p.object(last), p.who(e), e.index, valued(e), p.who(between), between.index, valued(between), p.who(last), last.steps(), wrote(last)),
				e, between, last)
		}
	}
	return story{}
}

// steps are the numbers of a call's rows.
func (e *event) steps() string {
	if e.end == nil {
		return fmt.Sprintf("step %d", e.index)
	}
	return fmt.Sprintf("steps %d to %d", e.index, e.end.index)
}

// valued is a row's value in brackets, with the one before if it was changed.
func valued(e *event) string {
	switch {
	case e.writes && e.was != "" && e.is != "":
		return " (" + change(e.was, e.is) + ")"
	case e.value == "":
		return ""
	}
	return " (" + strings.TrimPrefix(e.value, "= ") + ")"
}

// wrote says what a row wrote.
func wrote(e *event) string {
	if e.is == "" {
		return ""
	}
	return " with " + e.is
}

// abaStory: a comparison succeeds because its variable has the same value
// again.
func (p *picture) abaStory() story {
	rows := p.data()
	for k, cas := range rows {
		if cas.action != "CompareAndSwap" || cas.refused || p.late(cas) {
			continue
		}
		var back, away *event // the last change by others, and the first
		for j := k - 1; j >= 0; j-- {
			e := rows[j]
			switch {
			case e.object != cas.object:
				continue
			case e.member != cas.member && e.writes:
				if back == nil {
					back = e
				}
				away = e
				continue
			case e.member != cas.member:
				continue
			}
			if e.reads && away != nil && away != back && e.was == cas.was && back.is == cas.was {
				return tale(fmt.Sprintf("ABA on %s: %s read %s at step %d; %s changed it to %s at step %d and back to %s at step %d, so that the CompareAndSwap at step %d succeeded all the same",
					p.object(cas), p.who(e), e.was, e.index, p.who(away), away.is, away.index, back.is, back.index, cas.index),
					e, away, back, cas)
			}
			break
		}
	}
	return story{}
}

// halfStory: one is stopped between two writes, and another sees the first
// without the second.
func (p *picture) halfStory() story {
	return p.pairStory(true)
}

// tornStory: one is stopped between two reads, and another changes both
// variables meanwhile.
func (p *picture) tornStory() story {
	return p.pairStory(false)
}

// pairStory looks for two variables that one goroutine writes and another
// reads, so that the reader has one new value and one old one.
func (p *picture) pairStory(half bool) story {
	rows := p.data()
	for k, second := range rows { // the reader's second read
		if !readsIt(second) || writesIt(second) || p.late(second) {
			continue
		}
		for i := k - 1; i >= 0; i-- {
			first := rows[i]
			if first.member != second.member || !readsIt(first) || writesIt(first) || p.variableOf(first) == p.variableOf(second) {
				continue
			}
			before1, after1 := p.writesAround(rows, i, first)
			before2, after2 := p.writesAround(rows, k, second)
			if half && before1 != nil && after2 != nil && before1.member == after2.member && after2.index > second.index {
				return tale(fmt.Sprintf("half an update: %s wrote %s at step %d%s but %s only at step %d; %s read both in between, at steps %d%s and %d%s",
					p.who(before1), p.object(before1), before1.index, valued(before1), p.object(after2), after2.index,
					p.who(second), first.index, valued(first), second.index, valued(second)), before1, first, second, after2)
			}
			if !half && after1 != nil && before2 != nil && after1.member == before2.member && after1.index < second.index && before2.index > first.index {
				return tale(fmt.Sprintf("inconsistent read: %s read %s at step %d%s, before %s changed it at step %d, and %s at step %d%s, after its change at step %d",
					p.who(second), p.object(first), first.index, valued(first), p.who(after1), after1.index,
					p.object(second), second.index, valued(second), before2.index), first, after1, before2, second)
			}
		}
	}
	return story{}
}

// writesAround are the last write before a read by another goroutine and the
// first one behind it.
func (p *picture) writesAround(rows []*event, at int, read *event) (before, after *event) {
	for j, e := range rows {
		if e.member == read.member || !writesIt(e) || p.variableOf(e) != p.variableOf(read) || e.member == 1 {
			continue
		}
		if j < at {
			before = e
		} else if after == nil {
			after = e
		}
	}
	return before, after
}

// choiceStory: a select had several cases to take.
func (p *picture) choiceStory() story {
	for _, e := range p.rec.events {
		if e.ready > 1 {
			return tale(fmt.Sprintf("the select at step %d by %s (%s) could take %d cases, and took %s %s",
				e.index, p.who(e), p.choices(e), e.ready, strings.TrimPrefix(e.verb, selectVerb+": "), p.object(e)), e)
		}
	}
	return story{}
}
