package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/verdict"
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
func (p *picture) tell(f *verdict.Failure) (s story) {
	switch f.Of {
	case engine.KindRace:
		s = p.raceStory()
	case engine.KindDeadlock, engine.KindLeak:
		s = p.waitStory()
	case engine.KindLivelock:
		s = p.spinStory()
	case engine.KindPanic, engine.KindFatal, engine.KindExit:
		s = p.crashStory(f)
	default: // a later check may fail for what has come of the first
		p.first = true
		s = p.orderStory()
		if p.first = false; !s.known() {
			s = p.orderStory()
		}
	}
	return s
}

// mostStops is with how many preemptions an order of operations is told: of a schedule
// that could not be reduced to so many, most of what came between has no part in the
// failure. Of the variables of the module under test a lost update is told all the same:
// what a server and its clients do besides takes many preemptions.
const mostStops = 5

// orderStory is why an order of operations made a check fail. What is told of the program
// is preferred to what a server of the standard library does besides.
func (p *picture) orderStory() (s story) {
	if schedule.Preemptions(p.ex.Run) > mostStops {
		p.own = true
		if s := p.lostStory(); s.known() {
			return s
		}
		return p.missedStory(true)
	}
	for _, find := range []func() story{p.abaStory, p.lostStory, p.halfStory, p.tornStory, p.stolenStory, p.sectionStory, p.staleStory, p.tryStory} {
		found := find()
		if found.known() && !slices.ContainsFunc(slices.Collect(maps.Keys(found.marks)), (*event).ofStandard) {
			return found
		}
		if !s.known() {
			s = found
		}
	}
	for _, find := range []func() story{p.windowStory, p.choiceStory, p.countStory, p.startStory, func() story { return p.missedStory(false) }, p.firstHoldStory} {
		if s.known() {
			break
		}
		s = find()
	}
	return s
}

// ofStandard reports whether a row is of the standard library.
func (e *event) ofStandard() bool { return source.Standard(source.PackageOf(e.Site.User.Function)) }

// who is a task's name as the sentences have it.
func (p *picture) who(e *event) string { return fmt.Sprintf("%q", p.ex.Name(e.task)) }

// mostData is in how many rows a story is looked for: all pairs of them are
// compared, each with all others.
const mostData = 200

// data are the rows that read or write variables, in the order in which they
// took effect. If they are many they are those before the failure.
func (p *picture) data() (rows []*event) {
	for _, e := range p.rec.events {
		if p.own && !source.InModule(source.PackageOf(e.Site.User.Function)) {
			continue
		}
		if !e.log && e.inside == nil && e.started == nil && !e.Site.Self && !e.glance && p.variableOf(e) != "" {
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
	switch e.Site.Kind {
	case source.SiteRead, source.SiteWrite, source.SiteFileRead, source.SiteFileWrite:
		return fmt.Sprint(e.object)
	case source.SiteAtomicRead, source.SiteAtomicWrite:
		if e.Site.Part() && strings.HasPrefix(e.Site.Call, "Map.") {
			return p.object(e)
		}
		if e.Site.Type != "" {
			return fmt.Sprint(e.object)
		}
	}
	return ""
}

// readsIt and writesIt tell what a row did to its variable. A call of sync.Map
// reads if its name says so, and writes if one of its operations has.
func readsIt(e *event) bool {
	if method, ok := strings.CutPrefix(e.Site.Call, "Map."); ok {
		return method != "Store" && method != "Clear"
	}
	return e.reads
}

func writesIt(e *event) bool {
	if strings.HasPrefix(e.Site.Call, "Map.") {
		return e.stored
	}
	return e.writes && !e.refused
}

// changesIt reports whether its variable was another one after a row.
func changesIt(e *event) bool { return writesIt(e) && (e.was == "" || e.was != e.is) }

// parted reports whether a goroutine was stopped, or waited, between two of its rows.
func (p *picture) parted(first, second *event) bool {
	end := second.index
	if second.end != nil {
		end = second.end.index
	}
	return slices.ContainsFunc(p.rec.events[first.index:end], func(e *event) bool {
		return e.task == first.task && (e.preempted || e.started != nil)
	})
}

// ofContext reports whether a row is on a context, whose fields are no variables of the
// program.
func (e *event) ofContext() bool { return e.Site.Family() == source.ContextFamily }

// paired reports whether two variables can be meant to go together: they are of one
// thing, or both of none, two contexts or none, and the source has names for both or none.
func (p *picture) paired(a, b *event) bool {
	named := func(e *event) bool { return len(p.objects.names(e.object)) > 0 }
	if a.ofContext() != b.ofContext() || named(a) != named(b) {
		return false
	}
	one, other := p.object(a), p.object(b)
	return one != "" && other != "" && owner(one) == owner(other)
}

// lostStory: one reads, another writes, and the first overwrites that without
// having looked again.
func (p *picture) lostStory() story {
	rows := p.data()
	for k, last := range rows {
		if !writesIt(last) || readsIt(last) || last.ofContext() || p.late(last) {
			continue
		}
		var between *event
		for j := k - 1; j >= 0; j-- {
			e := rows[j]
			if p.variableOf(e) != p.variableOf(last) {
				continue
			}
			if e.task != last.task {
				if changesIt(e) && between == nil {
					between = e
				}
				continue
			}
			if between == nil || !readsIt(e) || writesIt(e) || !p.parted(e, last) {
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
		if cas.Action != "CompareAndSwap" || cas.refused || p.late(cas) {
			continue
		}
		var back, away *event // the last change by others, and the first
		for j := k - 1; j >= 0; j-- {
			e := rows[j]
			switch {
			case e.object != cas.object:
				continue
			case e.task != cas.task && changesIt(e):
				if back == nil {
					back = e
				}
				away = e
				continue
			case e.task != cas.task:
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
			if first.task != second.task || !readsIt(first) || writesIt(first) || p.variableOf(first) == p.variableOf(second) || !p.paired(first, second) {
				continue
			}
			before1, after1 := p.writesAround(rows, i, first)
			before2, after2 := p.writesAround(rows, k, second)
			if half && before1 != nil && after2 != nil && before1.task == after2.task && after2.index > second.index && p.parted(before1, after2) {
				return tale(fmt.Sprintf("half an update: %s wrote %s at step %d%s but %s only at step %d; %s read both in between, at steps %d%s and %d%s",
					p.who(before1), p.object(before1), before1.index, valued(before1), p.object(after2), after2.index,
					p.who(second), first.index, valued(first), second.index, valued(second)), before1, first, second, after2)
			}
			if !half && after1 != nil && before2 != nil && after1.task == before2.task && after1.index < second.index && before2.index > first.index && p.parted(first, second) {
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
		if e.task == read.task || !changesIt(e) || p.variableOf(e) != p.variableOf(read) || e.task == 1 {
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

// countStory: goroutines were counted before one that had nothing left to do had ended.
func (p *picture) countStory() story {
	for _, e := range slices.Backward(p.rec.events) {
		if len(e.ending) > 0 && !p.late(e) {
			return tale(fmt.Sprintf("%s counted goroutines at step %d (%s), when %s had nothing left to do and had not ended",
				p.who(e), e.index, strings.TrimPrefix(e.value, "= "), p.ex.List(e.ending)), e)
		}
	}
	return story{}
}

// choiceStory: a select had several cases to take. Of several such nobody knows which
// is to blame.
func (p *picture) choiceStory() story {
	var only *event
	for _, e := range p.rec.events {
		switch {
		case e.ready < 2 || p.late(e):
		case only != nil:
			return story{}
		default:
			only = e
		}
	}
	if only == nil {
		return story{}
	}
	return tale(fmt.Sprintf("the select at step %d by %s (%s) could take %d cases, and took %s %s",
		only.index, p.who(only), p.choices(only), only.ready, strings.TrimPrefix(only.verb, selectVerb+": "), p.object(only)), only)
}
