package engine

import (
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/racelog"
	"github.com/jacquard-go/jacquard/internal/source"
)

// settle steps the task that ran last until its next operation is a scheduling
// point.
func (ex *Execution) settle() {
	for ex.ran != 0 {
		m := ex.Control.Task(int(ex.ran))
		if m.State != control.Runnable || m.Op == control.OpStart || m.Op == control.OpWoken || m.Op == control.OpYield {
			return
		}
		s := ex.site(m)
		if !s.Trusted && !s.Gathered && s.Kind != source.SiteInner && ex.trust != nil {
			delete(ex.trust, m.ID)
		}
		switch {
		case s.Kind == source.SiteInner:
			if s.Hidden {
				ex.Engine.Sites.Hidden[s.Package] = true
			}
			m.Line = 0                      // as where the runtime skips the operation
			if !s.Deep && s.Stream == nil { // the runtime's table of skipped code has keys only
				ex.Control.Skip(int(ex.ran))
			}
		case s.Trusted && !ex.enters(m, s):
		case s.Gathered && !ex.enters(m, s):
			ex.gather(m)
		default:
			return
		}
		if s.Writes {
			ex.writes++
		}
		if ex.insight != nil {
			ex.insight.Within(m, s, ex.owned[m.ID], &ex.Trail[len(ex.Trail)-1])
		}
		ex.advance(ex.ran, 0)
		if ex.Control.Stalled() {
			return
		}
	}
}

// gather adds a task's pending operation to the current step.
func (ex *Execution) gather(m *control.Task) {
	ex.operation(m) // recorded as pending first, because it may block
	if ex.Slices.Coarse {
		return // all that is left is a single step
	}
	o := ex.pending[m.ID]
	ex.selects.Contend(&o)
	ex.Trail[len(ex.Trail)-1].Operation.AddAll(o)
}

// An entry is the first operation of a call into trusted code.
type entry struct {
	call  uintptr      // Site.Entered of the call in the program; 0 if trusted code has called the program
	first *source.Site // its innermost site; for gathered operations, the site with its callers
}

// enters reports whether a task's operation in trusted code is the first of a call by the
// program, or the first after a call of the program by trusted code. It is if the task's
// last operation was in another call. It also is if it is the operation with which this
// call began: then the call has begun again, or the operation has not yet been made.
func (ex *Execution) enters(m *control.Task, s *source.Site) bool {
	first := s.Base
	switch {
	case s.Gathered:
		first = s
	case s.Entered == 0:
		return false // the goroutine belongs to trusted code
	}
	if ex.trust == nil {
		ex.trust = make(map[uint32]entry)
	}
	last, ok := ex.trust[m.ID]
	switch {
	case ok && last.call == s.Entered:
		return last.first == first
	case !ok && s.Entered == 0 && ex.begins:
		first = nil // no call has led to it: the goroutine is that of a test
	}
	ex.trust[m.ID] = entry{call: s.Entered, first: first}
	return first != nil
}

// served reports whether a task that has waited in a call into trusted code was woken by a
// goroutine which such code has started: the call continues without a choice.
func (ex *Execution) served(id uint32) bool {
	m := ex.Control.Task(int(id))
	return m.Op == control.OpWoken && m.Waker != 0 && ex.owned[m.Waker] && ex.pending[id].All
}

// site returns the site of a task's pending operation. The task must have announced the
// operation itself, and not have been woken since.
func (ex *Execution) site(m *control.Task) *source.Site {
	if s := ex.sites[m.ID]; s != nil {
		return s
	}
	return ex.find(m)
}

func (ex *Execution) find(m *control.Task) *source.Site {
	s := ex.Engine.Sites.Of(m)
	ex.sites[m.ID] = s
	return s
}

// advance runs one task until its next operation.
func (ex *Execution) advance(id, selected uint32) {
	ex.sites[id] = nil
	ex.idle.moved(id, ex.Made)
	ex.Control.Step(id, selected)
	if ex.Control.Raced() {
		ex.raced()
	}
}

// raced records which task made the later access of the first race that the last step has
// reported. Others may come from a coroutine of that task, a separate goroutine to the detector.
func (ex *Execution) raced() {
	if first, born, some := ex.Control.NewRaces(); some {
		ex.racers = append(ex.racers, racelog.Later{Report: first, Born: born, Step: ex.Made})
	}
}
