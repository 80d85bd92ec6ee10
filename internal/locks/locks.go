// Package locks knows who holds which lock in an execution, and who waits for one, as
// numbers: tasks, and addresses of locks. It imports nothing of this module.
package locks

import "slices"

// A Table is all locks of an execution. A goroutine may release one that another holds, so
// goroutines that wait for one another can never go on only once nobody else does.
type Table struct {
	Owner   map[uintptr]uint32
	Readers map[uintptr]map[uint32]int
	waits   map[uint32]Want
	given   map[uintptr]bool // locks that were given back for another
	cycle   []uint32         // tasks each of which waits for the next one
}

// A Want is a lock that a task takes, to read or to write.
type Want struct {
	Lock uintptr
	Read bool
}

// Wait takes note that a task has begun to wait for a lock, and looks for a cycle.
func (t *Table) Wait(id uint32, w Want) {
	if t.waits == nil {
		t.waits = make(map[uint32]Want)
	}
	t.waits[id] = w
	t.close(id)
}

// Woken takes note that a task goes on that may have waited for a lock.
func (t *Table) Woken(id uint32) {
	if w, ok := t.waits[id]; ok {
		delete(t.waits, id)
		t.Hold(id, w)
	}
}

// Hold takes note that a task has a lock.
func (t *Table) Hold(id uint32, w Want) {
	if t.Owner == nil {
		t.Owner, t.Readers = make(map[uintptr]uint32), make(map[uintptr]map[uint32]int)
	}
	if !w.Read {
		t.Owner[w.Lock] = id
		return
	}
	if t.Readers[w.Lock] == nil {
		t.Readers[w.Lock] = make(map[uint32]int)
	}
	t.Readers[w.Lock][id]++
}

// Unlock takes note that a lock was given back by who held it to write.
func (t *Table) Unlock(lock uintptr) { delete(t.Owner, lock) }

// Closes reports whether a task that begins to wait for a lock would be one of those that
// wait for one another. wants says which lock a task is about to take that does not wait yet.
func (t *Table) Closes(id uint32, lock uintptr, wants func(id uint32) uintptr) bool {
	for range len(t.Owner) {
		owner, held := t.Owner[lock]
		if !held || owner == id {
			return held
		}
		if w, waits := t.waits[owner]; waits {
			lock = w.Lock
		} else if lock = wants(owner); lock == 0 {
			return false
		}
	}
	return false
}

// RUnlock takes note that a task has given back a lock that was held to read. For
// whom is not known if it does not hold it itself.
func (t *Table) RUnlock(lock uintptr, id uint32) {
	held := t.Readers[lock]
	switch {
	case held[id] > 1:
		held[id]--
	case held[id] == 1:
		delete(held, id)
	default:
		if t.given == nil {
			t.given = make(map[uintptr]bool)
		}
		t.given[lock] = true
	}
}

// behind are the tasks that one waits for, each of which has to move: whoever
// holds its lock and, if it would read, whoever is before it to write.
func (t *Table) behind(id uint32) []uint32 {
	w, ok := t.waits[id]
	if !ok || t.given[w.Lock] {
		return nil
	}
	var all []uint32
	if owner, ok := t.Owner[w.Lock]; ok {
		all = append(all, owner)
	}
	if !w.Read {
		for reader := range t.Readers[w.Lock] {
			all = append(all, reader)
		}
	} else {
		for other, theirs := range t.waits {
			if theirs.Lock == w.Lock && !theirs.Read {
				all = append(all, other)
			}
		}
	}
	slices.Sort(all)
	return all
}

// close looks for tasks each of which waits for the next one, from one that
// has just begun to wait.
func (t *Table) close(from uint32) {
	if t.cycle != nil {
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
		if slices.ContainsFunc(t.behind(id), follow) {
			return true
		}
		path = path[:len(path)-1]
		return false
	}
	if follow(from) {
		t.cycle = path
	}
}

// Stuck is the cycle of tasks that wait for one another, if none has moved.
func (t *Table) Stuck(blocked func(id uint32) bool) []uint32 {
	for _, id := range t.cycle {
		if _, waits := t.waits[id]; !waits || !blocked(id) {
			t.cycle = nil
		}
	}
	return t.cycle
}
