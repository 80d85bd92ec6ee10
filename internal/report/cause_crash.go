package report

import (
	"cmp"
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
	e = cmp.Or(e.inside, e) // the access that the runtime notes for a channel operation
	last := p.before(e.index+1, func(o *event) bool { return o.task == e.task && (o.closing() || o.sending()) })
	switch {
	case strings.Contains(f.Message, "closed channel") && last != nil:
		if s := p.closedStory(last); s.known() {
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
	case strings.Contains(f.Message, "negative WaitGroup counter"), strings.Contains(f.Message, "WaitGroup is reused"):
		return p.groupStory(f, e)
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
	return p.before(len(p.rec.events)+1, func(e *event) bool { return e.failed && !e.log })
}

// before returns the last row before the one of an index that is as asked, or nil.
func (p *picture) before(index int, is func(*event) bool) *event {
	for _, e := range slices.Backward(p.rec.events[:index-1]) {
		if is(e) {
			return e
		}
	}
	return nil
}

// panicked returns the row of the operation that panicked, if rows of deferred calls follow it, and
// otherwise crash itself.
func (p *picture) panicked(crash *event) *event {
	return cmp.Or(p.before(crash.index, func(e *event) bool {
		return e.task == crash.task && e.panicking() && e.Site.User == crash.Site.User
	}), crash)
}

func (e *event) closing() bool { return e.Site.Op == "close" }

func (e *event) sending() bool {
	return e.Site.Op == "send" || e.Site.Op == "try send" || e.Site.Op == "select"
}

// closedStory: a goroutine closes, or sends on, a channel that is already closed.
func (p *picture) closedStory(e *event) story {
	began := cmp.Or(e.started, e)
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
	other := p.before(e.index, func(o *event) bool { return o.object == e.object && o.acquired != nil })
	if other == nil {
		return tale(text, e)
	}
	return tale(fmt.Sprintf("%s had given %s back at step %d already when %s did so at step %d", p.who(other), p.nameOr(e, "the lock"), other.index, p.who(e), e.index), other, e)
}

// groupStory: a wait group panics. Another goroutine has counted it up during a Wait, or down before.
func (p *picture) groupStory(f *verdict.Failure, e *event) story {
	reused := strings.Contains(f.Message, "reused")
	if e.object == 0 { // go wg.Done() has no frame of the program
		e = cmp.Or(p.before(e.index, func(o *event) bool { return o.task == e.task && strings.HasPrefix(o.Site.Op, "WaitGroup.") }), e)
	}
	other := p.before(e.index, func(o *event) bool {
		var was, is int
		n, _ := fmt.Sscanf(o.value, "%d → %d", &was, &is)
		return n == 2 && is != was && (is > was) == reused && o.task != e.task && o.object == e.object
	})
	text := fmt.Sprintf("%s counted %s below zero at step %d: by then Done had been called more often than was added", p.who(e), p.nameOr(e, "a wait group"), e.index)
	switch {
	case reused && other == nil:
		return p.orderStory()
	case reused:
		began := cmp.Or(p.before(e.index, func(o *event) bool { return o.task == e.task && o.blocked }), e)
		return tale(fmt.Sprintf("%s counted %s up at step %d (%s), before %s, which began to wait at step %d, had returned from Wait (step %d)", p.who(other), p.object(other), other.index, source.Where(other.Site.User), p.who(e), began.index, e.index), began, other, e)
	case other == nil:
		return tale(text, e)
	}
	return tale(fmt.Sprintf("%s; %s had counted it down at step %d", text, p.who(other), other.index), other, e)
}

func (p *picture) nameOr(e *event, other string) string {
	if name := p.objects.name(e.object); name != "" && len(p.objects.names(e.object)) > 0 {
		return name
	}
	return other
}

// mapStory: the runtime detected two goroutines in one map.
func (p *picture) mapStory(e *event) story {
	for _, other := range slices.Backward(p.rec.events) {
		if other.task != e.task && strings.HasPrefix(other.Site.Op, "map") && (other.object == e.object || e.object == 0) {
			return tale(fmt.Sprintf("%s was in the middle of a %s of %s (step %d) when %s came to it at step %d",
				p.who(other), other.verb, p.nameOr(other, "the map"), other.index, p.who(e), e.index), other, e)
		}
	}
	return story{}
}

// A spin is what a goroutine does again and again.
type spin struct {
	last   *event
	times  int
	writes bool
}

// spinStory: an execution does not end.
func (p *picture) spinStory() story { return p.spinning(func(uint32) bool { return true }) }

// spinning tells what those of some goroutines do again and again that do not wait.
func (p *picture) spinning(some func(id uint32) bool) (s story) {
	events := p.rec.events
	tail := events[len(events)/2:]
	var order []uint32
	spins := make(map[uint32]*spin)
	for _, e := range tail {
		if e.log || e.Op.String() == "start" || !some(e.task) {
			continue
		}
		sp := spins[e.task]
		if sp == nil {
			sp = &spin{}
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
		text := fmt.Sprintf("%q %s (%d of the last %d steps)", p.ex.Name(id), p.again(sp.last), sp.times, len(tail))
		if changed := func(e *event) bool { return e.object == sp.last.object && changesIt(e) }; !sp.writes && !slices.ContainsFunc(tail, changed) {
			text += ", and nobody changes what it reads"
		}
		parts = append(parts, text)
	}
	s.text = strings.Join(parts, "; ")
	return s
}

// again says what a goroutine does time after time, given such a row.
func (p *picture) again(e *event) string {
	return fmt.Sprintf("does %s at %s again and again", strings.TrimSuffix(p.operation(e), fmt.Sprintf(" (step %d)", e.index)), source.Where(e.Site.User))
}
