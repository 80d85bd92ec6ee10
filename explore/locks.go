package explore

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
)

// stuckSteps is how long others may go on, in steps, before a cycle of locks is
// the verdict: a lock may be released by a goroutine that does not hold it.
const stuckSteps = 1000

// locks is what an execution knows of who holds which lock and who waits for
// one. A lock is known by its address.
type locks struct {
	owner   map[uintptr]uint32
	readers map[uintptr]map[uint32]int
	waits   map[uint32]lockWait
	cycle   []uint32 // members each of which waits for the next one
	since   int      // the execution's step at which it was found
}

// A lockWait is a lock that a member waits for.
type lockWait struct {
	lock uintptr
	read bool
}

// locked takes note of a step that m has made: its operation was op at s, on
// addr, and had an effect or not.
func (ex *execution) locked(m *control.Member, op control.Op, s *site, addr uintptr, effect bool) {
	l := &ex.locks
	if op == control.OpWoken {
		l.woken(m)
		return
	}
	if s == nil || op != control.OpAtomic || s.gathered {
		return
	}
	lock := addr - s.offset
	switch s.kind {
	case siteLock, siteRLock:
		w := lockWait{lock: lock, read: s.kind == siteRLock}
		switch {
		case m.State == control.Blocked:
			l.wait(m.ID, w)
			ex.cycle(m.ID)
		case effect:
			l.hold(m.ID, w)
		}
	case siteUnlock:
		delete(l.owner, lock)
	case siteRUnlock:
		if held := l.readers[lock]; held[m.ID] > 1 {
			held[m.ID]--
		} else {
			delete(held, m.ID)
		}
	}
}

// woken takes note that a member that waited has gone on.
func (l *locks) woken(m *control.Member) {
	if w, ok := l.waits[m.ID]; ok && m.State != control.Blocked {
		delete(l.waits, m.ID)
		l.hold(m.ID, w)
	}
}

func (l *locks) wait(id uint32, w lockWait) {
	if l.waits == nil {
		l.waits = make(map[uint32]lockWait)
	}
	l.waits[id] = w
}

func (l *locks) hold(id uint32, w lockWait) {
	if l.owner == nil {
		l.owner, l.readers = make(map[uintptr]uint32), make(map[uintptr]map[uint32]int)
	}
	if !w.read {
		l.owner[w.lock] = id
		return
	}
	if l.readers[w.lock] == nil {
		l.readers[w.lock] = make(map[uint32]int)
	}
	l.readers[w.lock][id]++
}

// behind are the members that one waits for, each of which has to move: whoever
// holds its lock and, if it would read, whoever is before it to write.
func (l *locks) behind(id uint32) []uint32 {
	w, ok := l.waits[id]
	if !ok {
		return nil
	}
	var all []uint32
	if owner, ok := l.owner[w.lock]; ok {
		all = append(all, owner)
	}
	if !w.read {
		for reader := range l.readers[w.lock] {
			all = append(all, reader)
		}
	} else {
		for other, theirs := range l.waits {
			if theirs.lock == w.lock && !theirs.read {
				all = append(all, other)
			}
		}
	}
	slices.Sort(all)
	return all
}

// cycle looks for members each of which waits for the next one, from one that
// has just begun to wait.
func (ex *execution) cycle(from uint32) {
	if ex.locks.cycle != nil {
		return
	}
	seen := make(map[uint32]bool)
	var path []uint32
	var follow func(id uint32) bool
	follow = func(id uint32) bool {
		if id == from && len(path) > 0 {
			return true
		}
		if seen[id] {
			return false
		}
		seen[id] = true
		path = append(path, id)
		if slices.ContainsFunc(ex.locks.behind(id), follow) {
			return true
		}
		path = path[:len(path)-1]
		return false
	}
	if follow(from) {
		ex.locks.cycle, ex.locks.since = path, ex.steps
	}
}

// stuck is the cycle of members that wait for one another, if none has moved.
func (ex *execution) stuck() []uint32 {
	l := &ex.locks
	for _, id := range l.cycle {
		if _, waits := l.waits[id]; !waits || ex.e.Member(int(id)).State != control.Blocked {
			l.cycle = nil
		}
	}
	return l.cycle
}

// jammed reports whether some have waited for one another for so long that it
// is the verdict though others go on.
func (ex *execution) jammed() bool {
	if ex.locks.cycle == nil || ex.steps-ex.locks.since < stuckSteps {
		return false
	}
	return ex.jam()
}

// jam makes a cycle of locks the verdict, if there is one.
func (ex *execution) jam() bool {
	cycle := ex.stuck()
	if len(cycle) == 0 {
		return false
	}
	ex.out.blocked = slices.Sorted(slices.Values(cycle))
	text := " wait for one another"
	if len(cycle) == 1 {
		text = " waits for itself"
	}
	ex.out.fail(KindDeadlock, ex.list(ex.out.blocked)+text+", whatever others do")
	return true
}
