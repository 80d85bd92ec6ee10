package schedule

import "slices"

// An OpenSelect is a select that waits in the queues of several channels. The
// first operation on one of them that it can go on with decides which case it
// takes, so those on all of them have the select in common until it has left the
// queues.
type OpenSelect struct {
	Task   uint32
	Object uint32 // stands for the select
	On     Operation
}

// OpenSelects are those of an execution, in the order in which they began to wait.
// Most operations are on nothing that one of many waits for.
type OpenSelects struct {
	all []OpenSelect
	on  []int // by object: how many of them are on it
}

// Open adds one.
func (s *OpenSelects) Open(waits OpenSelect) {
	s.all = append(s.all, waits)
	s.count(waits.On, 1)
}

// Leave takes note that a task waits in its select no more, if it did.
func (s *OpenSelects) Leave(task uint32) {
	i := slices.IndexFunc(s.all, func(o OpenSelect) bool { return o.Task == task })
	if i < 0 {
		return
	}
	s.count(s.all[i].On, -1)
	s.all = slices.Delete(s.all, i, i+1)
}

func (s *OpenSelects) count(on Operation, by int) {
	for i := range on.Accesses() {
		n := int(on.Access(i).Object)
		if n >= len(s.on) {
			s.on = append(s.on, make([]int, n+1-len(s.on))...)
		}
		s.on[n] += by
	}
}

// met reports whether an operation is on what one of them is on.
func (s *OpenSelects) met(o *Operation) bool {
	for i := range o.Accesses() {
		if n := int(o.Access(i).Object); n < len(s.on) && s.on[n] > 0 {
			return true
		}
	}
	return false
}

// Contend adds the open selects to an operation on one of their channels. One that
// may be on all that there is needs no more.
func (s *OpenSelects) Contend(o *Operation) {
	if len(s.all) > 0 && !o.All && s.met(o) {
		s.contend(o)
	}
}

func (s *OpenSelects) contend(o *Operation) {
	more := slices.Clip(o.More)
	for i := range s.all {
		if w := &s.all[i]; w.On.Conflicts(*o) {
			more = append(more, Access{Object: w.Object, Mode: Changes})
		}
	}
	o.More = more
}
