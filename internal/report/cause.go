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

// A story explains why a schedule fails: one sentence, and the rows that it is about.
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

// has reports whether the story is about a row of some kind.
func (s *story) has(kind func(*event) bool) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(s.marks)), kind)
}

// tell finds the story of a failure.
func (p *picture) tell(f *verdict.Failure) (s story) {
	p.always, p.passes = f.Plain && f.Always, f.Passes
	switch f.Of {
	case engine.KindRace:
		s = p.raceStory()
	case engine.KindDeadlock, engine.KindLeak:
		if s = p.waitStory(); strings.HasSuffix(f.Message, engine.ByTimers) { // others are left, and go on
			s.text = strings.ReplaceAll(s.text, "is left to", "came to")
		}
		if stop := p.stopStory(); s.known() && stop.known() {
			s.text += "; before that, " + stop.text
			maps.Copy(s.marks, stop.marks)
		}
	case engine.KindLivelock:
		s = p.spinStory()
	case engine.KindPanic, engine.KindFatal, engine.KindExit:
		s = p.crashStory(f)
	default: // the story of the first failed check comes first, because later ones may follow from it
		p.first = true
		s = p.orderStory()
		if p.first = false; !s.known() {
			s = p.orderStory()
		}
	}
	return s
}

// mostStops bounds the preemptions of a schedule for which an order of operations is told: if a
// schedule could not be reduced to that many, most rows in between have no part in the failure. A
// lost update of the module's own variables is told all the same, because a server and its clients
// need many preemptions for other things.
const mostStops = 5

// orderStory finds an order of operations that made a check fail. It prefers stories about the
// program to those about a server of the standard library.
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
		if found.known() && !found.has((*event).ofStandard) {
			return found
		}
		if !s.known() {
			s = found
		}
	}
	for _, find := range []func() story{p.recoveredStory, p.leftStory, p.windowStory, p.claimStory, p.startStory, p.choiceStory, p.withinStory, p.countStory, func() story { return p.missedStory(false) }, p.firstHoldStory, p.turnStory} {
		if s.known() || p.always {
			break
		}
		s = find()
	}
	return s
}

// stopStory says what came between two operations of a goroutine whose only stop made others wait
// for ever, or whom it had missed before. A cycle of locks needs no such story.
func (p *picture) stopStory() story {
	i := slices.IndexFunc(p.rec.events, func(e *event) bool { return e.preempted })
	if i < 0 || schedule.Preemptions(p.ex.Run) != 1 || len(p.cycle()) > 0 {
		return story{}
	}
	goesOn := func(e *event) bool { return e.task == p.rec.events[i].task && (e.index > i || e.missed()) }
	for _, find := range []func() story{p.sectionStory, p.staleStory, p.windowStory, func() story { return p.missedStory(false) }} {
		if s := find(); s.has(goesOn) && !s.has((*event).ofStandard) {
			return s
		}
	}
	return story{}
}

// ofStandard reports whether a row is of the standard library.
func (e *event) ofStandard() bool { return source.Standard(source.PackageOf(e.Site.User.Function)) }

// who returns the name of a row's goroutine as in the sentences.
func (p *picture) who(e *event) string { return fmt.Sprintf("%q", p.ex.Name(e.task)) }

// mostData bounds the rows in which a story is looked for, because all pairs of them are compared,
// each with all others.
const mostData = 200

// data returns the rows that read or write variables, in the order in which they took effect. If
// there are many, it returns the last ones before the failure.
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

// effect returns the number of the row in which an operation takes effect: a call with several rows
// reads in its first row and writes in its last.
func (e *event) effect() int {
	if e.end != nil && writesIt(e) {
		return e.end.index
	}
	return e.index
}

// late reports whether a row comes after the check has failed.
func (p *picture) late(e *event) bool { return e.index > p.end() }

// variableOf identifies the variable that a row works on; "" if it works on none.
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

// readsIt and writesIt report what a row did to its variable. A call of sync.Map reads if its name
// says so, and writes if one of its operations has written.
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

// changesIt reports whether a row has changed the value of its variable.
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

// ofContext reports whether a row is on a context, whose fields are not variables of the program.
func (e *event) ofContext() bool { return e.Site.Family() == source.ContextFamily }

// paired reports whether two variables may belong together: they have the same owner or both none,
// both or neither are contexts, both or neither have names in the source, and a reader can tell them
// apart.
func (p *picture) paired(a, b *event) bool {
	named := func(e *event) bool { return len(p.objects.names(e.object)) > 0 }
	if a.ofContext() != b.ofContext() || named(a) != named(b) {
		return false
	}
	one, other := p.object(a), p.object(b)
	return one != "" && other != "" && one != other && owner(one) == owner(other)
}

// separate reports whether two writes are no two halves of one update, because some goroutine has
// done the first again without the second in between: one counts what went well, say, and the other
// what did not.
func (p *picture) separate(rows []*event, first, second *event) bool {
	once := make(map[uint32]bool) // goroutines that did the first, and not the second since
	for _, e := range rows {
		switch {
		case p.variableOf(e) == p.variableOf(second) && changesIt(e):
			once[e.task] = false
		case e.PC == first.PC && p.variableOf(e) == p.variableOf(first) && changesIt(e):
			if once[e.task] {
				return true
			}
			once[e.task] = true
		}
	}
	return false
}

// lostStory: a goroutine reads, another one writes, and the first overwrites that without reading
// again.
func (p *picture) lostStory() story {
	rows := p.data()
	for k, last := range rows {
		if !writesIt(last) || readsIt(last) || last.ofContext() || p.late(last) {
			continue
		}
		var between *event
		for _, e := range slices.Backward(rows[:k]) {
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

// steps returns the numbers of a call's rows.
func (e *event) steps() string {
	if e.end == nil {
		return fmt.Sprintf("step %d", e.index)
	}
	return fmt.Sprintf("steps %d to %d", e.index, e.end.index)
}

// valued returns a row's value in brackets, with the previous one if it was changed.
func valued(e *event) string {
	switch {
	case e.writes && e.was != "" && e.is != "":
		return " (" + change(e.was, e.is) + ")"
	case e.value == "":
		return ""
	}
	return " (" + strings.TrimPrefix(e.value, "= ") + ")"
}

// wrote says which value a row wrote.
func wrote(e *event) string {
	if e.is == "" {
		return ""
	}
	return " with " + e.is
}

// abaStory: a comparison succeeds because its variable has returned to the same value.
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

// halfStory: a goroutine is stopped between two writes, and another reads the first without the
// second.
func (p *picture) halfStory() story {
	return p.pairStory(true)
}

// tornStory: a goroutine is stopped between two reads, and another changes both variables
// meanwhile.
func (p *picture) tornStory() story {
	return p.pairStory(false)
}

// pairStory looks for two variables that one goroutine writes and another reads, so that the reader
// has one new value and one old one.
func (p *picture) pairStory(half bool) story {
	rows := p.data()
	for k, second := range rows { // second is the reader's second read
		if !readsIt(second) || writesIt(second) || p.late(second) {
			continue
		}
		for i, first := range slices.Backward(rows[:k]) {
			if first.task != second.task || !readsIt(first) || writesIt(first) || p.variableOf(first) == p.variableOf(second) || !p.paired(first, second) {
				continue
			}
			before1, after1 := p.writesAround(rows, i, first)
			before2, after2 := p.writesAround(rows, k, second)
			again := before1 != nil && before2 != nil && before2.task == before1.task && before2.index > before1.index // no half
			if half && !again && before1 != nil && after2 != nil && before1.task == after2.task && after2.index > second.index && p.parted(before1, after2) && !p.separate(rows, before1, after2) {
				return tale(fmt.Sprintf("half an update: %s wrote %s at step %d%s but %s only at step %d; %s read both in between, at steps %d%s and %d%s",
					p.who(before1), p.object(before1), before1.index, valued(before1), p.object(after2), after2.index,
					p.who(second), first.index, valued(first), second.index, valued(second)), before1, first, second, after2)
			}
			if !half && after1 != nil && before2 != nil && after1.task == before2.task && after1.index < second.index && before2.index > first.index && p.parted(first, second) && !p.outdates(rows[i:k], first) {
				return tale(fmt.Sprintf("inconsistent read: %s read %s at step %d%s, before %s changed it at step %d, and %s at step %d%s, after its change at step %d",
					p.who(second), p.object(first), first.index, valued(first), p.who(after1), after1.index,
					p.object(second), second.index, valued(second), before2.index), first, after1, before2, second)
			}
		}
	}
	return story{}
}

// outdates reports whether the reader of a variable writes it itself in some rows: it then wants no
// more to see it as it was.
func (p *picture) outdates(rows []*event, read *event) bool {
	return slices.ContainsFunc(rows, func(e *event) bool {
		return e.task == read.task && writesIt(e) && p.variableOf(e) == p.variableOf(read)
	})
}

// writesAround returns the last write by another goroutine before a read, and the first one after
// it.
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

// withinStory: a goroutine was stopped within a call on a map that others changed meanwhile.
func (p *picture) withinStory() story {
	rows := p.data()
	for _, e := range rows {
		if e.end == nil || p.late(e) {
			continue
		}
		for _, other := range slices.Backward(rows) {
			if other.task != e.task && p.variableOf(other) == p.variableOf(e) && writesIt(other) && e.index < other.index && other.index < e.end.index {
				return tale(fmt.Sprintf("%s was stopped within %s; meanwhile %s did %s", p.who(e), p.operation(e), p.who(other), p.operation(other)), e, other)
			}
		}
	}
	return story{}
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

// choiceStory: a select had several cases to take. With several such selects there is no story,
// because it is not known which one is the cause.
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
