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
func (r *recorder) window() (best window, ok bool) {
	rank := -1
	for i, e := range r.events {
		if !e.preempted {
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
		if between.object == 0 || between.log {
			continue
		}
		w := window{between: between}
		for j := stop - 1; j >= 0 && w.before == nil; j-- {
			if e := r.events[j]; e.member == me && e.object == between.object && e.outcome == "" {
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
	if w.after == nil || !w.between.changes() && !w.after.changes() {
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

// conflict are the events to mark.
func (p *picture) conflict() map[*event]bool {
	marked := make(map[*event]bool)
	switch p.ex.out.kind {
	case KindDeadlock, KindLeak:
		for _, id := range p.cycle() {
			marked[p.rec.waiting[id]] = true
		}
		return marked
	case KindRace:
		return p.racing()
	}
	if w, ok := p.rec.window(); ok {
		for _, e := range []*event{w.before, w.between, w.after} {
			if e != nil {
				marked[e] = true
			}
		}
	}
	return marked
}

// racing are the events of the first race's two accesses.
func (p *picture) racing() map[*event]bool {
	marked := make(map[*event]bool)
	for _, a := range p.ex.out.races[0].Accesses {
		kind := siteRead
		if a.Write {
			kind = siteWrite
		}
		for i := len(p.rec.events) - 1; i >= 0; i-- {
			e := p.rec.events[i]
			if e.site.kind == kind && where(e.site.user) == a.place && p.ex.name(e.member) == a.Goroutine {
				marked[e] = true
				break
			}
		}
	}
	return marked
}

// cause is one sentence on why this schedule fails.
func (p *picture) cause(f *Failure) string {
	switch f.Kind {
	case KindRace:
		return "nothing orders the two accesses, whichever comes first"
	case KindDeadlock, KindLeak:
		if c := p.cycle(); len(c) > 1 {
			return p.cycleCause(c)
		}
		if len(p.ex.out.blocked) > 0 {
			return p.waitCause(p.ex.out.blocked[len(p.ex.out.blocked)-1])
		}
	}
	w, ok := p.rec.window()
	if !ok {
		if f.Preemptions == 0 {
			return "no goroutine has to be stopped for it: the order in which they take turns is enough"
		}
		return ""
	}
	me, other := p.ex.name(w.after.member), p.ex.name(w.between.member)
	if w.before != nil && w.before.site.kind == siteUnlock && w.after.site.kind == siteLock {
		return fmt.Sprintf("%q was stopped between two critical sections on %s, one ending at %s, one beginning at %s; meanwhile %q did %s",
			me, p.object(w.after), where(w.before.site.user), where(w.after.site.user), other, p.phrase(w.between))
	}
	if w.before == nil {
		return fmt.Sprintf("%q was stopped before %s; %q did %s first", me, p.phrase(w.after), other, p.phrase(w.between))
	}
	return fmt.Sprintf("%q was stopped between %s and %s; meanwhile %q did %s", me, p.phrase(w.before), p.phrase(w.after), other, p.phrase(w.between))
}

func (p *picture) phrase(e *event) string {
	text := e.site.op
	if o := p.object(e); o != "" {
		text += " " + o
	}
	if at := where(e.site.user); at != "" {
		text += " at " + at
	}
	return text
}

func (p *picture) cycleCause(cycle []uint32) string {
	text := ""
	for i, id := range cycle {
		e := p.rec.waiting[id]
		next := cycle[(i+1)%len(cycle)]
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%q waits for %s, which %q holds", p.ex.name(id), p.phraseObject(e), p.ex.name(next))
	}
	return text
}

func (p *picture) waitCause(id uint32) string {
	e := p.rec.waiting[id]
	if e == nil {
		return ""
	}
	if lost := p.lostWakeUp(id); lost != "" {
		return lost
	}
	if owner := p.rec.owners[e.object]; owner != 0 {
		return fmt.Sprintf("%q waits in %s; %q holds it and will not let go", p.ex.name(id), p.phrase(e), p.ex.name(owner))
	}
	return fmt.Sprintf("%q waits in %s, and nobody is left to end that", p.ex.name(id), p.phrase(e))
}

func (p *picture) phraseObject(e *event) string {
	if o := p.object(e); o != "" {
		return o + " at " + where(e.site.user)
	}
	return where(e.site.user)
}
