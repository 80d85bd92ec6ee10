// Package locks records which tasks of an execution hold which locks, and which wait for
// one. Tasks and locks (addresses) are numbers: it imports nothing of this module.
package locks

import "slices"

// A Table records all locks of an execution. A goroutine may release a lock that another
// holds, so a cycle of waiting goroutines is a deadlock only if no other one continues.
type Table struct {
	Owner   map[uintptr]uint32
	Readers map[uintptr]map[uint32]int
	waits   map[uint32]Want
	given   map[uintptr]bool // locks that a task released which did not hold them for reading
	cycle   []uint32         // tasks each of which waits for the next one
}

// A Want is a lock that a task takes, for reading or writing.
type Want struct {
	Lock uintptr
	Read bool
}

// Wait records that a task has begun to wait for a lock, and looks for a cycle.
func (t *Table) Wait(id uint32, w Want) {
	if t.waits == nil {
		t.waits = make(map[uint32]Want)
	}
	t.waits[id] = w
	t.close(id)
}

// Woken records that a task continues: if it waited for a lock, it holds it now.
func (t *Table) Woken(id uint32) {
	if w, ok := t.waits[id]; ok {
		delete(t.waits, id)
		t.Hold(id, w)
	}
}

// Hold records that a task holds a lock.
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

// Unlock records that a task has released a lock held for writing. It reports whether another
// one held it.
func (t *Table) Unlock(lock uintptr, id uint32) bool {
	owner, held := t.Owner[lock]
	delete(t.Owner, lock)
	return held && owner != id
}

// Held reports whether any task holds a lock.
func (t *Table) Held() bool {
	for _, readers := range t.Readers {
		if len(readers) > 0 {
			return true
		}
	}
	return len(t.Owner) > 0
}

// Closes reports whether a task would close a cycle by waiting for a lock. wants returns
// the lock that a task is about to take which does not wait yet, or 0.
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

// RUnlock records that a task has released a lock held for reading. If the task does not
// hold it itself, it is not known which reader's hold ended.
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

// behind returns the tasks that must all continue before task id can: those that hold its
// lock and, if it would read, those that wait to write.
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

// close looks for a cycle of waiting tasks through one that has just begun to
// wait.
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

// Stuck returns the cycle of tasks that wait for one another, if all still wait.
func (t *Table) Stuck(blocked func(id uint32) bool) []uint32 {
	for _, id := range t.cycle {
		if _, waits := t.waits[id]; !waits || !blocked(id) {
			t.cycle = nil
		}
	}
	return t.cycle
}
