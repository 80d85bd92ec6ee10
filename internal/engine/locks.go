package engine

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/locks"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
)

// locked updates the lock table for a step of m. Its operation was op, at s unless the
// task was woken, on addr; effect says whether others can notice it.
func (ex *Execution) locked(m *control.Task, op control.Op, s *source.Site, addr uintptr, effect bool) {
	if op == control.OpWoken {
		if m.State != control.Blocked {
			ex.locks.Woken(m.ID)
		}
		return
	}
	if op != control.OpAtomic || s.Gathered {
		return
	}
	lock := addr - s.Offset
	switch s.Kind {
	case source.SiteLock, source.SiteRLock:
		w := locks.Want{Lock: lock, Read: s.Kind == source.SiteRLock}
		switch {
		case m.State == control.Blocked:
			ex.locks.Wait(m.ID, w)
		case effect:
			ex.locks.Hold(m.ID, w)
		}
	case source.SiteUnlock:
		if ex.locks.Unlock(lock, m.ID) {
			ex.Observed |= handsLocks
		}
	case source.SiteRUnlock:
		if ex.locks.Readers[lock][m.ID] == 0 {
			ex.Observed |= handsReads
		}
		ex.locks.RUnlock(lock, m.ID)
	}
}

// jam fails the execution with a cycle of tasks that wait for one another's locks, if there is one.
func (ex *Execution) jam() bool {
	cycle := ex.locks.Stuck(func(id uint32) bool { return ex.Control.Task(int(id)).State == control.Blocked })
	if len(cycle) == 0 || ex.HandsLocks() {
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

// held is [schedule.Point.Held]. An RWMutex begins with the mutex for writers, which a
// writer holds from the moment at which it begins to wait for readers.
func (ex *Execution) held(id uint32) bool {
	lock := ex.taking(id)
	const locked = 1
	state, ok := source.Word(lock, 4)
	return ok && state&locked != 0 && !ex.locks.Closes(id, lock, ex.taking)
}

// taking returns the lock that a task is about to take, or 0.
func (ex *Execution) taking(id uint32) uintptr {
	if int(id) >= len(ex.pending) || !ex.pending[id].Mode.Behind(schedule.Frees) {
		return 0
	}
	m := ex.Control.Task(int(id))
	if m.State != control.Runnable || m.Op != control.OpAtomic {
		return 0
	}
	return m.Addr - ex.site(m).Offset
}

// attempted marks the last step, in which m has blocked, as a mere attempt if it waits for
// a mutex. A task that waits for readers, or for a writer, is instead already ordered
// before later ones.
func (ex *Execution) attempted(m *control.Task) {
	if s := &ex.Trail[len(ex.Trail)-1]; s.Operation.Mode.Behind(schedule.Frees) {
		s.Resumed = m.WaitReason() == "sync.Mutex.Lock"
	}
}
