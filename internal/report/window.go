package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
)

// A window is what happened while a runnable goroutine was stopped: the events of others between
// two of its own.
type window struct {
	before, after *event // its own events around the window, on one object
	between       *event // another goroutine's event on that object
	stop, resume  int    // how many events come before the stop, and before its end
	waits         bool   // after is a wait for ever
	next          bool   // after is the first that the goroutine did after the stop
}

// window finds the operation of another goroutine that came between two of a stopped one, on the
// same object; with waits, the last of these may be a wait for ever. It prefers plain memory to
// atomics to locks, and the last of several. The other's operation lies before end, and what the
// stopped goroutine does next before after.
func (r *Recorder) window(end, after int, waits bool) (best window, ok bool) {
	rank := -1
	for i, e := range r.events {
		if !e.preempted {
			continue
		}
		w, n := r.around(i, end, after, waits)
		if n >= max(rank, 0) {
			best, rank = w, n
		}
	}
	return best, rank >= 0
}

// around looks at the stop before event i, at events of others in it before end, and at later ones
// before after.
func (r *Recorder) around(i, end, after int, waits bool) (best window, rank int) {
	me := r.events[i].task
	stop := i
	for stop > 0 && r.events[stop-1].task != me {
		stop--
	}
	rank = -1
	for _, between := range r.events[stop:max(stop, min(i, end))] {
		if between.object == 0 || between.log || between.Site.Self || between.blocked || between.refused || between.glance {
			continue
		}
		w := window{between: between, stop: stop, resume: i, next: true}
		for j := stop - 1; j >= 0 && w.before == nil; j-- {
			if e := r.events[j]; e.task == me && e.object == between.object && !e.blocked {
				w.before = e
			}
		}
		for j := i; j < after && w.after == nil; j++ {
			switch e := r.events[j]; {
			case e.task != me || j > end && me == r.events[end].task: // its own clean-up decides nothing
			case e.object == between.object:
				w.after, w.waits = e, waits && r.waiting[me] == e
			case e.object != 0:
				w.next = false
			}
		}
		n := w.rank()
		if n > besides && r.onlyCounts(between.object) {
			n = besides
		}
		if n >= max(rank, 0) {
			best, rank = w, n
		}
	}
	return best, rank
}

// onlyCounts reports whether a variable is only ever counted up, as statistics are: that decides
// less than anything else, unless somebody uses the results.
func (r *Recorder) onlyCounts(object uintptr) bool {
	return !slices.ContainsFunc(r.events, func(e *event) bool {
		return e.object == object && (e.Action != "Add" || strings.HasPrefix(e.verb, "Add(-"))
	})
}

// besides is the least rank of operations that came between two others.
const besides = 10

// rank says how well a window explains a failure; below 0 not at all.
func (w window) rank() int {
	if w.after == nil || w.after.blocked && !w.waits || w.before == nil && !w.next || !w.between.writes && !w.after.writes || w.vacuous() {
		return -1
	}
	switch {
	case w.before != nil:
		return besides + w.between.weight()
	case !w.after.preempted: // the stop was in a go statement
		return 0
	}
	if w.between.Site.Kind == source.SiteAtomicRead { // what is read too early weighs as what is written too late
		return w.after.weight()
	}
	return w.between.weight()
}

// weight prefers operations on plain memory to those on atomics to those on locks.
func (e *event) weight() int {
	switch e.Site.Kind {
	case source.SiteWrite:
		return 4
	case source.SiteAtomicWrite, source.SiteRead:
		return 3
	case source.SiteChannel:
		return 2
	case source.SiteLock, source.SiteRLock:
		return 1
	}
	return 0
}

// vacuous reports whether a goroutine waits for those of a wait group that it has counted, one of
// which ends: that comes in between in any schedule; or whether both only end.
func (w window) vacuous() bool {
	return w.between.Site.Kind == source.SiteDone && (w.after.waitsForGroup() || w.before == nil && w.after.Site.Kind == source.SiteDone)
}

// windowStory says what came between two operations of a goroutine that was stopped there.
func (p *picture) windowStory() story { return p.windowAt(false) }

// startStory says what came before the first operation of a goroutine that was stopped in a go
// statement.
func (p *picture) startStory() story { return p.windowAt(true) }

func (p *picture) windowAt(started bool) story {
	after := len(p.rec.events)
	if p.first {
		after = min(after, p.end())
	}
	w, ok := p.rec.window(p.end(), after, p.ex.Out.Kind == engine.KindDeadlock || p.ex.Out.Kind == engine.KindLeak)
	if !ok || started != (w.before == nil && !w.after.preempted) {
		return story{}
	}
	me, other := p.who(w.after), p.who(w.between)
	if w.before == nil {
		return p.overtaken(w)
	}
	if w.before.call() == w.after.call() {
		return tale(fmt.Sprintf("%s was stopped within %s; meanwhile %s did %s", me, p.operation(w.after.call()), other, p.operation(w.between)), w.before, w.between, w.after)
	}
	return tale(fmt.Sprintf("%s was stopped between %s and %s; meanwhile %s did %s",
		me, p.operation(w.before), p.operation(w.after), other, p.operation(w.between)), w.before, w.between, w.after)
}

// overtaken tells that a stopped goroutine came to an object after another one: if it had come to
// some other object before that one, the two orders are contrary.
func (p *picture) overtaken(w window) story {
	me, other := p.who(w.after), p.who(w.between)
	if a, b := p.crossing(w); a != nil {
		first, second := b, w.between
		if first.index > second.index {
			first, second = second, first
		}
		return tale(fmt.Sprintf("%s was stopped between %s and %s; meanwhile %s did %s and %s",
			me, p.operation(a), p.operation(w.after), other, p.operation(first), p.operation(second)), a, b, w.between, w.after)
	}
	return tale(fmt.Sprintf("%s was stopped before %s; %s did %s first", me, p.operation(w.after), other, p.operation(w.between)), w.between, w.after)
}

// crossing returns the last operations of a stopped goroutine and of the other one in its window on
// an object other than the window's, the first of them before the stop.
func (p *picture) crossing(w window) (mine, theirs *event) {
	theirs, mine = heaviest(p.rec.events[w.stop:w.resume], p.rec.events[max(0, w.stop-mostData):w.stop], 2, func(b, a *event) bool {
		same := a.task == w.after.task && b.task == w.between.task && a.object == b.object && (a.writes || b.writes)
		return same && b.object != w.between.object && !a.blocked && !b.blocked && !a.refused && !b.refused
	})
	return mine, theirs
}

// staleStory: a goroutine goes on with a value that was changed while it was stopped. The value is
// the last that it read of a variable, in the function of its next row or in one that called it.
func (p *picture) staleStory() story {
	for i, row := range p.rec.events {
		next, did := cmp.Or(row.inside, row), "did"
		if next != row {
			did = "went on with"
		}
		if !row.preempted || p.late(row) || !p.goesOn(next) {
			continue
		}
		stop := i
		for stop > 0 && p.rec.events[stop-1].task != next.task {
			stop--
		}
		seen := make(map[string]bool)
		for _, e := range slices.Backward(p.rec.events[max(0, stop-mostData):stop]) {
			e = cmp.Or(e.inside, e)
			v := p.variableOf(e)
			if e == next || e.task != next.task || e.Site.Self || e.glance || v == "" || seen[v] {
				continue
			}
			if seen[v] = true; e.ofContext() || !readsIt(e) || writesIt(e) || e.refused || !beneath(next, e) {
				continue
			}
			if other := p.changed(v, p.rec.events[max(stop, i-mostData):i]); other != nil && (p.variableOf(next) != v || writesIt(next) || next.refused) {
				return tale(fmt.Sprintf("%s went on with a stale value: it read %s at step %d%s, %s changed it at step %d%s, and then %s %s %s",
					p.who(e), p.object(e), e.index, valued(e), p.who(other), other.index, valued(other), p.who(e), did, p.operation(next)), e, other, next)
			}
		}
	}
	return story{}
}

// goesOn reports whether a row may depend on a value that was read.
func (p *picture) goesOn(e *event) bool {
	waits := e.blocked && p.stuck(e.task) && p.rec.waiting[e.task] == e // for ever
	return (!e.blocked || waits) && !e.glance && e.started == nil && (p.variableOf(e) != "" || e.Site.Kind == source.SiteChannel || waits && e.Action == source.CondWait)
}

// changed returns the first of some rows that changes a variable.
func (p *picture) changed(variable string, rows []*event) *event {
	if i := slices.IndexFunc(rows, func(e *event) bool { return p.variableOf(e) == variable && changesIt(e) }); i >= 0 {
		return rows[i]
	}
	return nil
}

// beneath reports whether a row is in the function of another one, or in a function called from it.
func beneath(e, other *event) bool {
	function := other.Site.User.Function
	return slices.ContainsFunc(source.Resolve(e.pcs), func(f source.Frame) bool { return f.Function == function })
}

// sectionStory: what a goroutine saw under a lock is no longer true when it takes the lock again.
func (p *picture) sectionStory() story {
	events := p.untilEnd()
	for k, again := range events {
		if !again.takesLock() {
			continue
		}
		for _, e := range slices.Backward(events[:k]) {
			if e.object != again.object || e.task != again.task || e.refused || e.blocked || e.glance {
				continue
			}
			theirs := p.heldUp(e, again)
			if theirs == nil || e.acquired == nil || e.acquired.task != e.task || again.ofStandard() || again.inNextCall(e) {
				break
			}
			return tale(fmt.Sprintf("%s held %s from step %d to %d and took it again at step %d; in between, at step %d, %s had it: what was seen under the first hold need not be so under the second",
				p.who(again), p.object(again), e.acquired.index, e.index, again.index, theirs.index, p.who(theirs)), e, theirs, again)
		}
	}
	return story{}
}

// inNextCall reports whether a row belongs to another call of the code under test than an earlier row
// of its goroutine at another place, and the test has made both.
func (e *event) inNextCall(earlier *event) bool {
	return e.side() == inCode && e.PC != earlier.PC && e.callFrom(inTest) != 0 && !e.during(earlier)
}

// heldUp returns the row by which another goroutine got the lock of two rows while their goroutine was
// preempted, slept, or waited for a lock. One that waits for a message expects others to run meanwhile.
func (p *picture) heldUp(first, second *event) (theirs *event) {
	for _, e := range p.rec.events[first.index:second.index] {
		switch mine := e.task == first.task; {
		case mine && theirs != nil && (e.preempted || e.started != nil && (e.timed || locks(e.Site))):
			return theirs
		case mine:
			theirs = nil
		case theirs == nil && e.object == first.object && e.Site.Kind == source.SiteLock && !e.refused && !e.blocked && !e.glance:
			theirs = e
		}
	}
	return nil
}

// takesLock reports whether a row is an operation of the program that got a lock.
func (e *event) takesLock() bool {
	lock := e.Site.Kind == source.SiteLock || e.Site.Kind == source.SiteRLock
	return lock && !e.refused && !e.blocked && !e.glance && !e.ofContext() && !e.Site.Part() && e.Site.Call != source.CondWait
}

// firstHoldStory: in a schedule that deviates from the default one without a preemption, a goroutine
// had a lock before another one, which had not begun, came to it. If that is so for several locks or
// goroutines there is no story, because it is not known which one decides.
func (p *picture) firstHoldStory() (s story) {
	if schedule.Preemptions(p.ex.Run) > 0 || len(schedule.Deviations(p.ex.Run)) == 0 {
		return story{}
	}
	first, met := make(map[uintptr]*event), make(map[[2]uintptr]bool) // by lock, and by lock and goroutine
	for _, e := range p.untilEnd() {
		if !e.takesLock() {
			continue
		}
		earlier, key := first[e.object], [2]uintptr{e.object, uintptr(e.task)}
		switch {
		case earlier == nil:
			first[e.object] = e
		case met[key] || e.Site.Kind == source.SiteRLock && earlier.Site.Kind == source.SiteRLock || !p.unbegun(earlier.index-1, e):
		case s.known():
			return story{}
		default:
			s = tale(fmt.Sprintf("%s had %s at step %d, before %s, which had not begun, came to it at step %d",
				p.who(earlier), p.object(e), earlier.index, p.who(e), e.index), earlier, e)
		}
		met[key] = true
	}
	return s
}

// claimStory: two goroutines claim a variable by the same Swap or CompareAndSwap, and one comes
// second. If that is so several times there is no story, because it is not known which one decides.
func (p *picture) claimStory() (s story) {
	first := make(map[string]*event) // the claim that each variable is under
	for _, e := range p.untilEnd() {
		v := p.variableOf(e)
		switch earlier := first[v]; {
		case v == "" || e.glance:
		case e.Action != "Swap" && e.Action != "CompareAndSwap":
			if changesIt(e) {
				delete(first, v)
			}
		case changesIt(e):
			first[v] = e
		case earlier == nil || earlier.task == e.task || earlier.verb != e.verb:
		case s.known():
			return story{}
		default:
			s = tale(fmt.Sprintf("%s did %s; %s came second, and did %s", p.who(earlier), p.operation(earlier), p.who(e), p.operation(e)), earlier, e)
		}
	}
	return s
}

// stolenStory: a goroutine woken from a condition variable got the lock only after another one, and
// went on without waiting again.
func (p *picture) stolenStory() story {
	events := p.untilEnd()
	for k, woken := range events {
		if woken.Action != source.CondWait || woken.started == nil || woken.blocked {
			continue
		}
		notice, again := p.noticeOf(events[:k], woken), p.relock(events[k:], woken)
		if notice == nil || again == nil {
			continue
		}
		for _, theirs := range events[notice.index:again.index] {
			if theirs.task != woken.task && theirs.object == again.object && theirs.Site.Kind == source.SiteLock && !theirs.refused && !theirs.blocked && !theirs.glance {
				return tale(fmt.Sprintf("%s was woken by the %s of %s at step %d, and had %s again at step %d only; before that, at step %d, %s had it: what was so when it was woken need not be so any more",
					p.who(woken), notice.Action, p.object(woken), notice.index, p.object(again), again.index, theirs.index, p.who(theirs)), notice, theirs, again)
			}
		}
	}
	return story{}
}

// noticeOf returns the row that ended a wait on a condition variable.
func (p *picture) noticeOf(before []*event, woken *event) *event {
	for j := len(before) - 1; j >= 0 && before[j] != woken.started; j-- {
		if e := before[j]; e.object == woken.object && (e.Op == control.OpSignal || e.Op == control.OpBroadcast) && !e.refused {
			return e
		}
	}
	return nil
}

// relock returns the row in which a goroutine woken from a condition variable has its lock again;
// nil if it waits once more.
func (p *picture) relock(rest []*event, woken *event) (again *event) {
	for _, e := range rest {
		switch {
		case e.task != woken.task || e == woken:
		case again == nil && e.Site.Kind == source.SiteLock && e.Site.Call == source.CondWait && !e.blocked:
			again = e
		case e.object == woken.object && e.Action == source.CondWait:
			return nil
		}
	}
	return again
}

// tryStory: an attempt to take a lock failed, because the lock was held.
func (p *picture) tryStory() story {
	for _, e := range slices.Backward(p.untilEnd()) {
		if since := e.acquired; e.isTry() && e.refused && since != nil {
			return tale(fmt.Sprintf("%s did not get %s at step %d (%s %s), which %s had since step %d",
				p.who(e), p.object(e), e.index, e.verb, e.value, p.who(since), since.index), since, e)
		}
	}
	return story{}
}
