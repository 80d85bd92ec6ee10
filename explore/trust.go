package explore

import "github.com/jacquard-go/jacquard/internal/control"

// settle steps the member that ran last for as long as its next operation is
// no scheduling point.
func (ex *execution) settle() {
	for ex.ran != 0 {
		m := ex.e.Member(int(ex.ran))
		if m.State != control.Runnable || m.Op == control.OpStart || m.Op == control.OpWoken || m.Op == control.OpYield {
			return
		}
		s := ex.site(m)
		if !s.trusted && !s.gathered && s.kind != siteInner && ex.trust != nil {
			delete(ex.trust, m.ID)
		}
		switch {
		case s.kind == siteInner:
			if s.hidden {
				ex.x.sites.hidden[s.pkg] = true
			}
			if !s.unsure && s.stream == nil { // the runtime's side knows keys only
				ex.e.Skip(int(ex.ran))
			}
		case s.trusted && !ex.enters(m, s):
		case s.gathered && !ex.enters(m, s):
			ex.gather(m)
		default:
			return
		}
		if s.writes {
			ex.writes++
		}
		ex.advance(ex.ran, 0)
		if ex.e.Status().Stalled {
			return
		}
	}
}

// leftOut notes packages of which points were left out in an execution that another
// process has run, or an earlier one; see sites.
func (s *sites) leftOut(used, hidden []string) {
	for _, pkg := range used {
		s.used[pkg] = true
	}
	for _, pkg := range hidden {
		s.hidden[pkg] = true
	}
}

// gather adds an operation to the step that is being made.
func (ex *execution) gather(m *control.Member) {
	o := ex.operation(m)
	ex.pending[m.ID] = o // should it block
	if ex.slices.coarse {
		return // there is one step for all that is left
	}
	s := &ex.trail[len(ex.trail)-1]
	s.Operation = s.Operation.and(ex.contend(m, o))
}

// An entry is the first operation of a call into trusted code.
type entry struct {
	call  uintptr // return address of the call in the program; 0 if it is trusted code that has called the program
	first *site   // of its code; of gathered operations, with all that led there
}

// enters reports whether a member's operation, in trusted code, is the first
// of a call by the program, or the first after a call of the program. It is, if
// its last one was in another call; and if it is the operation with which this
// call began: then it has begun again, or has not yet been made.
func (ex *execution) enters(m *control.Member, s *site) bool {
	first := s.base
	switch {
	case s.gathered:
		first = s
	case s.entered == 0:
		return false // of a goroutine that is trusted code's own
	}
	if ex.trust == nil {
		ex.trust = make(map[uint32]entry)
	}
	last, ok := ex.trust[m.ID]
	switch {
	case ok && last.call == s.entered:
		return last.first == first
	case !ok && s.entered == 0 && ex.begins:
		first = nil // no call has led to it: the goroutine is that of a test
	}
	ex.trust[m.ID] = entry{call: s.entered, first: first}
	return first != nil
}

// site is the site of a member's pending operation, which was announced by the
// member itself: it was not woken since.
func (ex *execution) site(m *control.Member) *site {
	s := ex.sites[m.ID]
	if s == nil {
		s = ex.x.sites.of(m)
		ex.sites[m.ID] = s
	}
	return s
}

// advance runs one member until its next operation.
func (ex *execution) advance(id, selected uint32) {
	ex.sites[id] = nil
	ex.e.Step(id, selected)
	ex.raced(id)
}

// raced notes whose step it was in which races were reported.
func (ex *execution) raced(id uint32) {
	for range ex.e.NewRaces() {
		ex.racers = append(ex.racers, id)
	}
}
