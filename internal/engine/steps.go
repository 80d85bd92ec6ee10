package engine

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
)

// begin records the step that m is about to make.
func (ex *Execution) begin(m *control.Task, place uint64) {
	if m.Op == control.OpWoken {
		ex.selects.Leave(m.ID)
	}
	n, cause, late := len(ex.Trail), int(ex.causes[m.ID])-1, ex.late
	var settled []uint32
	goesOn := n > 0 && !ex.kept() && ex.Trail[n-1].Goroutine == m.ID // an unrecorded step is merged into the task's last one
	if goesOn {
		n--
		was := &ex.Trail[n]
		cause, late, settled = was.Cause, late || was.Late, was.Settled
		ex.announced = n
	}
	ex.Trail = oneMore(ex.Trail[:n])
	s := &ex.Trail[n] // filled in place, as in operation
	*s = schedule.Step{}
	s.Goroutine, s.Site, s.Cause, s.Late, s.Settled, s.Operation = m.ID, place, cause, late, settled, ex.pending[m.ID]
	ex.selects.Contend(&s.Operation)
	switch {
	case s.Operation.Mode == schedule.Counts && m.Op == control.OpAtomic && ex.site(m).OnGroup():
		s.Count = source.Counted(m)
	case s.Operation.Mode == schedule.Awaits && m.Op == control.OpWoken:
		s.Idles() // it reads the group once more
	case m.Op == control.OpWoken && ex.site(m).BeginsWait():
		looksAtGroup(s)
	}
	queues := s.Operation.Mode.Queues()
	if queues {
		s.Room = ex.room(s.Operation.Object)
	}
	s.Resumed = m.Op == control.OpWoken && (queues || s.Operation.Mode == schedule.Enters || ex.Engine.Sites.Self(m))
	if m.Op == control.OpWoken && m.AwaitsIdleness() {
		if s.Settled = append(ex.Bubble(m), settled...); !goesOn {
			s.Cause = -1
		}
	}
	ex.causes[m.ID] = 0
	ex.late = false
	s.Twin = ex.twins.next(m)
}

// born records the tasks that the last step has started.
func (ex *Execution) born() {
	if n := len(ex.causes); n > 1 && n <= ex.Control.Len() {
		ex.manifold()
	}
	for len(ex.causes) <= ex.Control.Len() {
		cause := uint32(0)
		if n := len(ex.causes); n > 0 && (ex.Control.Task(n).Parent != 0 || ex.Control.Task(n).Waker != 0) {
			cause = uint32(len(ex.Trail))
		} else {
			cause = ex.struck()
		}
		ex.causes = append(ex.causes, cause)
		ex.Nth = append(ex.Nth, 0)
		ex.sites = append(ex.sites, nil)
		ex.idle.ran = append(ex.idle.ran, 0)
		m := ex.Control.Task(len(ex.owned)) // index 0 is no task
		ex.owned = append(ex.owned, m.ID != 0 && ex.Engine.Sites.Owns(m))
		ex.twins.add(ex, m)
	}
}

// oneMore returns s with one more element, which has any value. Where there is no room it
// doubles s: append adds a quarter to a long slice, and the race detector looks at all that
// is copied.
func oneMore[E any](s []E) []E {
	if len(s) == cap(s) {
		s = slices.Grow(s, max(len(s), 64))
	}
	return s[:len(s)+1]
}

// woke records why a task was woken: by the operation with which the last step began,
// or by the clock.
func (ex *Execution) woke(m *control.Task) {
	if ex.causes[m.ID] != 0 || m.Waker == 0 {
		ex.causes[m.ID] = max(ex.causes[m.ID], ex.struck())
		return
	}
	cause := len(ex.Trail)
	for ex.Trail[cause-1].Joined {
		cause--
	}
	ex.causes[m.ID] = uint32(cause)
}

// touch adds an access to the current step. The running task calls
// it.
func (ex *Execution) touch(a schedule.Access) {
	ex.Trail[len(ex.Trail)-1].Operation.Add(a)
}

// timely adds to the last step, as far as it is not told yet, that it depends on the time, or on
// how long it has waited for a mutex.
func (ex *Execution) timely() {
	times, waits := ex.Control.Timely()
	if times != ex.times {
		ex.touch(schedule.ReadsTime)
	}
	if waits != ex.waits {
		ex.touch(schedule.Access{Object: schedule.WaitObject, Mode: schedule.Reads})
	}
	ex.times, ex.waits = times, waits
}

// ended, Noticed and joined implement [Host].
func (ex *Execution) ended() { ex.Trail[len(ex.Trail)-1].Ended = true }
func (ex *Execution) Noticed(m schedule.Mode) {
	ex.touch(schedule.Access{Object: source.HarnessObject, Mode: m})
}
func (ex *Execution) joined() {
	ex.timely()
	ex.Trail = append(ex.Trail, schedule.Step{Goroutine: ex.Trail[len(ex.Trail)-1].Goroutine, Cause: -1, Joined: true})
}
