package explore

import "github.com/jacquard-go/jacquard/internal/control"

// A Step is what a goroutine did from one scheduling point to its next: the
// operation that it had announced, and all that follows it up to the next one.
type Step struct {
	Goroutine uint32
	// Operation is what it worked on: as announced, and calls and returns of
	// a [History] besides.
	Operation Operation
	// Cause is the number of the step that started the goroutine, or woke it,
	// for this one; -1 if there is none, or it was the clock.
	Cause int
	// Late says that time has passed before the step: every step before comes
	// before it and all after it.
	Late bool
	// Settled are goroutines all of whose steps before come before it: the step is
	// what follows synctest.Wait, or moves the clock of a bubble of testing/synctest,
	// and they are the others of that bubble, all of which were blocked.
	Settled []uint32
	// Ended says that what was given to T.Go has returned.
	Ended bool
	// Joined says that T.Wait has returned: the step, which is what the
	// goroutine did from there on, comes after all that ended before. It is
	// part of the one before it; no decision comes between.
	Joined bool
	// Case is which of the ready cases its select took.
	Case uint32

	resumed bool // it had blocked in T.Wait: nothing is left of the step but the return
}

// A Trace is what a schedule was.
type Trace struct {
	Decisions []Decision
	// Steps are all steps, those included where there was no choice. Neither
	// they nor the decisions are good any more when the next execution begins.
	Steps []Step
	// Forced says that the strategy was not asked to the end, because the
	// execution took too many steps.
	Forced bool
	// Rested says that goroutines that spin were left out of those that could
	// run.
	Rested bool
	// Opaque, if not empty, is what the execution did whose order the steps
	// do not tell.
	Opaque string
}

// begin notes the step that m is about to make.
func (ex *execution) begin(m *control.Member) {
	s := Step{Goroutine: m.ID, Operation: ex.contend(m, ex.pending[m.ID]), Cause: int(ex.causes[m.ID]) - 1, Late: ex.late}
	s.resumed = m.Op == control.OpWoken && ex.x.sites.self(m)
	if m.Op == control.OpWoken && m.AwaitsIdleness() {
		s.Cause, s.Settled = -1, ex.bubble(m)
	}
	ex.causes[m.ID] = 0
	ex.late = false
	if last := len(ex.trail) - 1; !ex.kept() && last >= 0 && ex.trail[last].Goroutine == m.ID {
		was := &ex.trail[last]
		s.Cause, s.Late, s.Settled = was.Cause, s.Late || was.Late, append(s.Settled, was.Settled...)
		ex.trail[last] = s
		ex.announced = last
		return
	}
	ex.trail = append(ex.trail, s)
}

// born notes the members that the last step has started.
func (ex *execution) born() {
	for len(ex.causes) <= ex.e.Len() {
		cause := uint32(0)
		if n := len(ex.causes); n > 0 && (ex.e.Member(n).Parent != 0 || ex.e.Member(n).Waker != 0) {
			cause = uint32(len(ex.trail))
		}
		ex.causes = append(ex.causes, cause)
		ex.nth = append(ex.nth, 0)
		ex.sites = append(ex.sites, nil)
		ex.owned = append(ex.owned, len(ex.owned) > 0 && ex.x.sites.owns(ex.e.Member(len(ex.owned))))
	}
}

// woke notes that a member was found woken, which it was by the operation that
// the last step began with.
func (ex *execution) woke(m *control.Member) {
	if ex.causes[m.ID] != 0 || m.Waker == 0 {
		return
	}
	cause := len(ex.trail)
	for ex.trail[cause-1].Joined {
		cause--
	}
	ex.causes[m.ID] = uint32(cause)
}

// touch adds an access to the step that is being made. It is called by the
// member that runs.
func (ex *execution) touch(a Access) {
	s := &ex.trail[len(ex.trail)-1]
	s.Operation = s.Operation.with(a)
}

// ended, noticed and joined make an execution the host of its T.
func (ex *execution) ended()         { ex.trail[len(ex.trail)-1].Ended = true }
func (ex *execution) noticed(m Mode) { ex.touch(Access{harnessObject, m}) }
func (ex *execution) joined() {
	ex.trail = append(ex.trail, Step{Goroutine: ex.trail[len(ex.trail)-1].Goroutine, Cause: -1, Joined: true})
}
