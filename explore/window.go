package explore

import "fmt"

// A window is what happened while a goroutine was stopped that could have gone
// on: the events of others between two of its own.
type window struct {
	before, after *event // its own, around the window, on one object
	between       *event // another goroutine's, on the same object
}

// window finds the operation of another goroutine that came between two of a
// stopped one, on the same object, and prefers plain memory to atomics to locks.
func (r *recorder) window(end int) (best window, ok bool) {
	rank := -1
	for i, e := range r.events {
		if !e.preempted || i > end {
			continue
		}
		w, n := r.around(i)
		if n > rank {
			best, rank = w, n
		}
	}
	return best, rank >= 0
}

// around looks at the stop before event i.
func (r *recorder) around(i int) (best window, rank int) {
	me := r.events[i].member
	stop := i
	for stop > 0 && r.events[stop-1].member != me {
		stop--
	}
	rank = -1
	for _, between := range r.events[stop:i] {
		if between.object == 0 || between.log || between.site.self {
			continue
		}
		w := window{between: between}
		for j := stop - 1; j >= 0 && w.before == nil; j-- {
			if e := r.events[j]; e.member == me && e.object == between.object && !e.blocked {
				w.before = e
			}
		}
		for j := i; j < len(r.events) && w.after == nil; j++ {
			if e := r.events[j]; e.member == me && e.object == between.object {
				w.after = e
			}
		}
		if n := w.rank(); n > rank {
			best, rank = w, n
		}
	}
	return best, rank
}

// rank says how well a window explains a failure; below 0 not at all.
func (w window) rank() int {
	if w.after == nil || !w.between.writes && !w.after.writes {
		return -1
	}
	n := 0
	if w.before != nil {
		n += 10
	}
	switch w.between.site.kind {
	case siteWrite:
		n += 4
	case siteAtomicWrite, siteRead:
		n += 3
	case siteChannel:
		n += 2
	case siteLock, siteRLock:
		n++
	}
	return n
}

// windowStory says what came between two operations of a goroutine that was
// stopped there.
func (p *picture) windowStory() story {
	w, ok := p.rec.window(p.end())
	if !ok {
		return story{}
	}
	me, other := p.who(w.after), p.who(w.between)
	if w.before == nil {
		return tale(fmt.Sprintf("%s was stopped before %s; %s did %s first", me, p.operation(w.after), other, p.operation(w.between)), w.between, w.after)
	}
	return tale(fmt.Sprintf("%s was stopped between %s and %s; meanwhile %s did %s",
		me, p.operation(w.before), p.operation(w.after), other, p.operation(w.between)), w.before, w.between, w.after)
}

// staleStory: a goroutine goes on with a value that has changed while it was
// stopped.
func (p *picture) staleStory() story {
	for i, next := range p.rec.events {
		if !next.preempted || p.late(next) {
			continue
		}
		stop := i
		for stop > 0 && p.rec.events[stop-1].member != next.member {
			stop--
		}
		meanwhile := p.rec.events[max(stop, i-mostData):i]
		for j := stop - 1; j >= max(0, stop-mostData); j-- {
			e := p.rec.events[j]
			if e.member != next.member || !readsIt(e) || e.site.self || p.variableOf(e) == "" {
				continue
			}
			for _, other := range meanwhile {
				if writesIt(other) && p.variableOf(other) == p.variableOf(e) {
					return tale(fmt.Sprintf("%s went on with a stale value: it read %s at step %d%s, %s changed it at step %d%s, and then %s did %s",
						p.who(e), p.object(e), e.index, valued(e), p.who(other), other.index, valued(other), p.who(e), p.operation(next)), e, other, next)
				}
			}
		}
	}
	return story{}
}

// sectionStory: what a goroutine saw under a lock no longer holds when it takes
// the lock again.
func (p *picture) sectionStory() story {
	events := p.rec.events[:min(p.end()+1, len(p.rec.events))]
	for k, again := range events {
		if again.site.kind != siteLock && again.site.kind != siteRLock || again.refused || again.blocked || again.site.part() || again.site.call == condWait {
			continue
		}
		var theirs *event
		for j := k - 1; j >= 0; j-- {
			e := events[j]
			if e.object != again.object || e.refused || e.blocked {
				continue
			}
			if e.member != again.member {
				if e.site.kind == siteLock {
					theirs = e
				}
				continue
			}
			if theirs == nil || e.acquired == nil {
				break
			}
			return tale(fmt.Sprintf("%s held %s from step %d to %d and took it again at step %d; in between, at step %d, %s had it: what was seen under the first hold need not be so under the second",
				p.who(again), p.object(again), e.acquired.index, e.index, again.index, theirs.index, p.who(theirs)), e, theirs, again)
		}
	}
	return story{}
}
