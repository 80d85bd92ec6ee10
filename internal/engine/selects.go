package engine

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// An openSelect is a select that waits in the queues of several channels. The
// first operation on one of them that it can go on with decides which case it
// takes, so those on all of them have the select in common until it has left the
// queues.
type openSelect struct {
	task   uint32
	object uint32 // stands for the select
	on     schedule.Operation
}

// openSelects are those of an execution, in the order in which they began to wait.
// Most operations are on nothing that one of many waits for.
type openSelects struct {
	all []openSelect
	on  []int // by object: how many of them are on it
}

func (s *openSelects) open(waits openSelect) {
	s.all = append(s.all, waits)
	s.count(waits.on, 1)
}

// leave takes note that a task waits in its select no more, if it did.
func (s *openSelects) leave(task uint32) {
	i := slices.IndexFunc(s.all, func(o openSelect) bool { return o.task == task })
	if i < 0 {
		return
	}
	s.count(s.all[i].on, -1)
	s.all = slices.Delete(s.all, i, i+1)
}

func (s *openSelects) count(on schedule.Operation, by int) {
	for i := range on.Accesses() {
		n := int(on.Access(i).Object)
		if n >= len(s.on) {
			s.on = append(s.on, make([]int, n+1-len(s.on))...)
		}
		s.on[n] += by
	}
}

// met reports whether an operation is on what one of them is on.
func (s *openSelects) met(o schedule.Operation) bool {
	for i := range o.Accesses() {
		if n := int(o.Access(i).Object); n < len(s.on) && s.on[n] > 0 {
			return true
		}
	}
	return false
}

// contend adds the open selects to an operation on one of their channels. One that
// may be on all that there is needs no more.
func (ex *Execution) contend(m *control.Task, o schedule.Operation) schedule.Operation {
	if m.Op == control.OpWoken {
		ex.selects.leave(m.ID)
	}
	if o.All || !ex.selects.met(o) {
		return o
	}
	more := slices.Clip(o.More)
	for i := range ex.selects.all {
		if s := &ex.selects.all[i]; s.on.Conflicts(o) {
			more = append(more, schedule.Access{Object: s.object, Mode: schedule.Changes})
		}
	}
	o.More = more
	return o
}
