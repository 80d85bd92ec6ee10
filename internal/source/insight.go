package source

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// An Insight records the part of one execution's steps that a [schedule.Insider] receives.
type Insight struct {
	number func(addr uintptr, kind string) uint32 // of an object
	last   map[uint32]uint32                      // by task in trusted code: the object of its last operation there
	calls  uint64                                 // number of system calls before the step
}

// NewInsight returns an Insight for an execution with these object numbers.
func NewInsight(number func(addr uintptr, kind string) uint32) *Insight {
	return &Insight{number: number, last: make(map[uint32]uint32)}
}

// Begin records the operation with which a task's step begins. calls is the number of system
// calls so far.
func (n *Insight) Begin(m *control.Task, site func(*control.Task) *Site, owned bool, step *schedule.Step, calls uint64) {
	n.calls = calls
	switch m.Op {
	case control.OpStart:
	case control.OpWoken:
		on, known := n.last[m.ID] // it may access that object again
		if step.Trusted = known && step.Operation.All; step.Trusted && on != 0 {
			step.Inner = append(step.Inner, on)
		}
	default:
		delete(n.last, m.ID)
		s := site(m)
		step.Trusted = s.Trusted || owned
		n.Within(m, s, owned, step)
	}
}

// Within records an operation of trusted code that is no point.
func (n *Insight) Within(m *control.Task, s *Site, owned bool, step *schedule.Step) {
	if s.Kind == SiteInner || !s.Trusted && !owned {
		return
	}
	n.last[m.ID] = 0
	switch m.Op {
	case control.OpGo, control.OpYield, control.OpCount, control.OpEnd, control.OpClock, control.OpFile, control.OpRead, control.OpWrite:
		// Memory is no object before it is seen to race, and file operations are system calls.
	case control.OpSelect:
		for _, c := range m.Channels() {
			n.on(m, step, c, "chan")
		}
		delete(n.last, m.ID) // it leaves the queues of all its channels
	default:
		addr, kind := s.On(m)
		n.on(m, step, addr, kind)
	}
}

// on adds an object to a step.
func (n *Insight) on(m *control.Task, step *schedule.Step, addr uintptr, kind string) {
	if addr == 0 {
		return
	}
	object := n.number(addr, kind)
	if n.last[m.ID] = object; object != 0 && !slices.Contains(step.Inner, object) {
		step.Inner = append(step.Inner, object)
	}
}

// End records whether a step made system calls.
func (n *Insight) End(step *schedule.Step, calls uint64) { step.Calls = calls > n.calls }
