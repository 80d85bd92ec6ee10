package engine

import (
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/racelog"
	"github.com/jacquard-go/jacquard/internal/source"
)

// settle steps the task that ran last for as long as its next operation is
// no scheduling point.
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
			if !s.Unsure && s.Stream == nil { // the runtime's side knows keys only
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

// gather adds an operation to the step that is being made.
func (ex *Execution) gather(m *control.Task) {
	ex.operation(m) // it may block
	if ex.Slices.Coarse {
		return // there is one step for all that is left
	}
	o := ex.pending[m.ID]
	ex.selects.Contend(&o)
	ex.Trail[len(ex.Trail)-1].Operation.AddAll(o)
}

// An entry is the first operation of a call into trusted code.
type entry struct {
	call  uintptr      // return address of the call in the program; 0 if it is trusted code that has called the program
	first *source.Site // of its code; of gathered operations, with all that led there
}

// enters reports whether a task's operation, in trusted code, is the first
// of a call by the program, or the first after a call of the program. It is, if
// its last one was in another call; and if it is the operation with which this
// call began: then it has begun again, or has not yet been made.
func (ex *Execution) enters(m *control.Task, s *source.Site) bool {
	first := s.Base
	switch {
	case s.Gathered:
		first = s
	case s.Entered == 0:
		return false // of a goroutine that is trusted code's own
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
// goroutine which such code has started: the call goes on, and is no choice.
func (ex *Execution) served(id uint32) bool {
	m := ex.Control.Task(int(id))
	return m.Op == control.OpWoken && m.Waker != 0 && ex.owned[m.Waker] && ex.pending[id].All
}

// site is the site of a task's pending operation, which was announced by the
// task itself: it was not woken since.
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

// raced notes who made the later access of the first race that the last step has reported:
// others may be of a coroutine of that task, which is another goroutine to the detector.
func (ex *Execution) raced() {
	if first, born, some := ex.Control.NewRaces(); some {
		ex.racers = append(ex.racers, racelog.Later{Report: first, Born: born})
	}
}
