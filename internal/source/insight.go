package source

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// An Insight notes of the steps of one execution what is told to a [schedule.Insider].
type Insight struct {
	number func(addr uintptr, kind string) uint32 // of an object
	last   map[uint32]uint32                      // of each task in trusted code: what its last operation there was on
	calls  uint64                                 // system calls before the step
	looks  uint32                                 // at the clock, before it
}

// NewInsight returns one for an execution in which objects have these numbers.
func NewInsight(number func(addr uintptr, kind string) uint32) *Insight {
	return &Insight{number: number, last: make(map[uint32]uint32)}
}

// Begin notes the operation with which a task's step begins. calls and looks are how often
// tasks have made system calls and looked at the clock.
func (n *Insight) Begin(m *control.Task, site func(*control.Task) *Site, owned bool, step *schedule.Step, calls uint64, looks uint32) {
	n.calls, n.looks = calls, looks
	switch m.Op {
	case control.OpStart:
	case control.OpWoken:
		on, known := n.last[m.ID] // it may look at that again
		if step.Trusted = known && step.Operation.All; step.Trusted && on != 0 {
			step.Inner = append(step.Inner, on)
		}
	default:
		delete(n.last, m.ID)
		s := site(m)
		step.Trusted = s.Trusted || owned
		step.Looks = m.Op == control.OpTimer || m.Op == control.OpClock
		n.Within(m, s, owned, step)
	}
}

// Within notes an operation of trusted code that is no point.
func (n *Insight) Within(m *control.Task, s *Site, owned bool, step *schedule.Step) {
	if s.Kind == SiteInner || !s.Trusted && !owned {
		return
	}
	n.last[m.ID] = 0
	switch m.Op {
	case control.OpGo, control.OpYield, control.OpCount, control.OpEnd, control.OpClock, control.OpFile, control.OpRead, control.OpWrite:
		// Memory is no object before it is seen to race, and calls on files are system calls.
	case control.OpSelect:
		for _, c := range m.Channels() {
			n.on(m, step, c, "chan")
		}
		delete(n.last, m.ID) // it leaves the queues of all
	default:
		addr, kind := s.On(m)
		n.on(m, step, addr, kind)
		step.Looks = step.Looks || m.Op == control.OpTimer
	}
}

// on adds an object to those of a step.
func (n *Insight) on(m *control.Task, step *schedule.Step, addr uintptr, kind string) {
	if addr == 0 {
		return
	}
	object := n.number(addr, kind)
	if n.last[m.ID] = object; object != 0 && !slices.Contains(step.Inner, object) {
		step.Inner = append(step.Inner, object)
	}
}

// End notes what else was done in a step. Often says that looks at the clock are counted no more.
// Who sleeps looks at it unseen.
func (n *Insight) End(m *control.Task, step *schedule.Step, calls uint64, looks uint32, often bool) {
	step.Calls = calls > n.calls
	step.Looks = step.Looks || looks > n.looks || often || m.State == control.Blocked && m.WaitReason() == "sleep"
}
