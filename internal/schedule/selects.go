package schedule

import "slices"

// An OpenSelect is a select that waits in several queues: of several channels, or both to send
// to one and to receive from it. The first operation with which it can continue decides which
// case it takes. So operations on any of its channels share the select as an object until it
// has left the queues.
type OpenSelect struct {
	Task   uint32
	Object uint32    // the object that stands for the select
	On     Operation // All if its channels are not known; see [OpenSelects].Queued
}

// OpenSelects are the open selects of an execution, in the order in which they began to
// wait. A count per object makes the check cheap for operations that no select waits for.
type OpenSelects struct {
	Queued func(task uint32) Operation // what an open select with All is on, as far as that has objects

	all     []OpenSelect
	on      []int // by object: how many open selects are on it
	unknown int   // how many have All
}

// Open adds a select.
func (s *OpenSelects) Open(waits OpenSelect) {
	s.all = append(s.all, waits)
	s.count(waits.On, 1)
}

// Leave removes the select of a task, if it waits in one.
func (s *OpenSelects) Leave(task uint32) {
	i := slices.IndexFunc(s.all, func(o OpenSelect) bool { return o.Task == task })
	if i < 0 {
		return
	}
	s.count(s.all[i].On, -1)
	s.all = slices.Delete(s.all, i, i+1)
}

func (s *OpenSelects) count(on Operation, by int) {
	if on.All {
		s.unknown += by
	}
	for i := range on.Accesses() {
		n := int(on.Access(i).Object)
		if n >= len(s.on) {
			s.on = append(s.on, make([]int, n+1-len(s.on))...)
		}
		s.on[n] += by
	}
}

// met reports whether an operation is on an object of an open select.
func (s *OpenSelects) met(o *Operation) bool {
	for i := range o.Accesses() {
		if n := int(o.Access(i).Object); n < len(s.on) && s.on[n] > 0 {
			return true
		}
	}
	return false
}

// Contend adds the open selects to an operation on one of their channels. An operation
// with All needs no additions.
func (s *OpenSelects) Contend(o *Operation) {
	if len(s.all) > 0 && !o.All && (s.unknown > 0 || s.met(o)) {
		s.contend(o)
	}
}

func (s *OpenSelects) contend(o *Operation) {
	more := slices.Clip(o.More)
	for i := range s.all {
		w := &s.all[i]
		on := w.On
		if on.All {
			on = s.Queued(w.Task)
		}
		if on.Conflicts(*o) {
			more = append(more, Access{Object: w.Object, Mode: Changes})
		}
	}
	o.More = more
}
