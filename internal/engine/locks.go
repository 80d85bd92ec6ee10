package engine

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// locks is what an execution knows of who holds which lock and who waits for
// one. A lock is known by its address. A goroutine may release one that another
// holds, so goroutines that wait for one another can never go on only once nobody
// else does.
type locks struct {
	owner   map[uintptr]uint32
	readers map[uintptr]map[uint32]int
	waits   map[uint32]lockWait
	given   map[uintptr]bool // locks that were given back for another
	cycle   []uint32         // tasks each of which waits for the next one
}

// A lockWait is a lock that a task waits for.
type lockWait struct {
	lock uintptr
	read bool
}

// locked takes note of a step that m has made: its operation was op at s, on
// addr, and had an effect or not.
func (ex *Execution) locked(m *control.Task, op control.Op, s *source.Site, addr uintptr, effect bool) {
	l := &ex.locks
	if op == control.OpWoken {
		l.woken(m)
		return
	}
	if s == nil || op != control.OpAtomic || s.Gathered {
		return
	}
	lock := addr - s.Offset
	switch s.Kind {
	case source.SiteLock, source.SiteRLock:
		w := lockWait{lock: lock, read: s.Kind == source.SiteRLock}
		switch {
		case m.State == control.Blocked:
			l.wait(m.ID, w)
			ex.cycle(m.ID)
		case effect:
			l.hold(m.ID, w)
		}
	case source.SiteUnlock:
		delete(l.owner, lock)
	case source.SiteRUnlock:
		l.read(lock, m.ID)
	}
}

// read takes note that a task has given back a lock that was held to read. For
// whom is not known if it does not hold it itself.
func (l *locks) read(lock uintptr, id uint32) {
	held := l.readers[lock]
	switch {
	case held[id] > 1:
		held[id]--
	case held[id] == 1:
		delete(held, id)
	default:
		if l.given == nil {
			l.given = make(map[uintptr]bool)
		}
		l.given[lock] = true
	}
}

// woken takes note that a task that waited has gone on.
func (l *locks) woken(m *control.Task) {
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

// behind are the tasks that one waits for, each of which has to move: whoever
// holds its lock and, if it would read, whoever is before it to write.
func (l *locks) behind(id uint32) []uint32 {
	w, ok := l.waits[id]
	if !ok || l.given[w.lock] {
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

// cycle looks for tasks each of which waits for the next one, from one that
// has just begun to wait.
func (ex *Execution) cycle(from uint32) {
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
		ex.locks.cycle = path
	}
}

// stuck is the cycle of tasks that wait for one another, if none has moved.
func (ex *Execution) stuck() []uint32 {
	l := &ex.locks
	for _, id := range l.cycle {
		if _, waits := l.waits[id]; !waits || ex.Control.Task(int(id)).State != control.Blocked {
			l.cycle = nil
		}
	}
	return l.cycle
}

// jam makes a cycle of locks the verdict, if there is one.
func (ex *Execution) jam() bool {
	cycle := ex.stuck()
	if len(cycle) == 0 {
		return false
	}
	ex.Out.Blocked = slices.Sorted(slices.Values(cycle))
	text := " wait for one another"
	if len(cycle) == 1 {
		text = " waits for itself"
	}
	ex.Out.fail(KindDeadlock, ex.List(ex.Out.Blocked)+text+", whatever others do")
	return true
}
