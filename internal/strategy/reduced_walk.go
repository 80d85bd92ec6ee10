package strategy

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// A taken is a schedule that was run, with the alternatives at its decisions.
type taken struct {
	run schedule.Trace
	met []moment
}

// touch reports whether a step conflicts with one of the steps from first up to but
// excluding last, or made one of them possible.
func (r *taken) touch(step, first, last int) bool {
	for i := first; i < last; i++ {
		if s := &r.run.Steps[i]; s.Cause == step || conflict(&r.run.Steps[step], s) {
			return true
		}
	}
	return false
}

// conflict reports whether the order of two steps might matter.
func conflict(a, b *schedule.Step) bool {
	if b.Goroutine == schedule.Clock {
		return a.Late || a.Operation.All && !a.Trusted || onOne(a, b)
	}
	for _, s := range []*schedule.Step{a, b} {
		if s.Operation.All && !s.Trusted || s.Late || s.Joined || len(s.Settled) > 0 {
			return true
		}
	}
	return a.Calls && b.Calls || onOne(a, b)
}

// onOne reports whether two steps access one object, unless both read it or both count.
func onOne(a, b *schedule.Step) bool {
	for i := range onObjects(a) {
		for j := range onObjects(b) {
			x, y := access(a, i), access(b, j)
			if x.Object == y.Object && !(x.Mode == y.Mode && (x.Mode == schedule.Reads || x.Mode == schedule.Counts)) {
				return true
			}
		}
	}
	return false
}

// onObjects returns how many objects a step is on, including those of trusted code.
func onObjects(s *schedule.Step) int { return s.Operation.Accesses() + len(s.Inner) }

func access(s *schedule.Step, i int) schedule.Access {
	if n := s.Operation.Accesses(); i >= n {
		return schedule.Access{Object: s.Inner[i-n]}
	}
	return s.Operation.Access(i)
}

// alike returns how many schedules of a family, after the first, which was run, need not be
// run. In all of them one goroutine is stopped, in each later than in the one before, and
// another one continues. If none of what that one did until the first continued conflicts
// with the steps between one stop and the next, it would do the same there.
func (r *taken) alike(leaves []leave, last bool) int {
	at, first := leaves[0].At, leaves[0].Step
	stopped := r.met[at].runnable[r.met[at].current]
	again := first
	for again < len(r.run.Steps) && r.run.Steps[again].Goroutine != stopped {
		again++
	}
	if r.run.Rested || r.run.Forced || r.free(at, again, last) {
		return 0
	}
	for i, next := range leaves[1:] {
		for step := again + leaves[i].Step - first; step < again+next.Step-first; step++ {
			if step >= len(r.run.Steps) || r.run.Steps[step].Goroutine != stopped || r.touch(step, first, again) || r.enables(step) {
				return i
			}
		}
	}
	return len(leaves) - 1
}

// free reports whether goroutines other than these two could have continued, between a
// decision and a step; for the last allowed preemption, whether they could at no cost.
func (r *taken) free(at, step int, last bool) bool {
	for i := at; i < len(r.met) && r.met[i].step <= step; i++ {
		d := r.run.Decisions[i]
		if r.met[i].step < step && d.Ready > 1 || i > at && !d.Preempts && d.Runnable > 1 || d.Clocked && d.Held || !last && d.Runnable > 2 {
			return true
		}
	}
	return false
}

// waits reports whether the goroutine that continues at a decision, and could be preempted
// there, only begins to wait, without an observable effect.
func (r *taken) waits(i int) bool {
	d, m := r.run.Decisions[i], r.met[i]
	if !d.Preempts || d.Chosen.Index != m.current || i+1 >= len(r.met) || r.met[i+1].step != m.step+1 || slices.Contains(r.met[i+1].runnable, d.Goroutine) {
		return false
	}
	s := &r.run.Steps[m.step]
	return onObjects(s) == 0 && !s.Operation.All && !s.Calls && !s.Late && len(s.Settled) == 0 && !r.enables(m.step)
}

// enables reports whether a step has started or woken a goroutine.
func (r *taken) enables(step int) bool {
	for i := step + 1; i < len(r.run.Steps); i++ {
		if r.run.Steps[i].Cause == step {
			return true
		}
	}
	return false
}

// A visit walks along a schedule, and records each goroutine's last step, and whether it was
// preempted after that.
type visit struct {
	taken
	steps int // walked so far
	tasks []stoppable
	owner uint32 // the goroutine whose decisions are being met
	from  int    // the step of the last of them
}

// A stoppable is the state of a goroutine in a visit.
type stoppable struct {
	last    int // its last step
	stopped bool
}

func (w *visit) task(id uint32) *stoppable {
	for int(id) >= len(w.tasks) {
		w.tasks = append(w.tasks, stoppable{})
	}
	return &w.tasks[id]
}

// upTo walks to a step. It reports whether all goroutines that continued before it had
// been stopped where that matters.
func (w *visit) upTo(step int) bool {
	for ; w.steps < step; w.steps++ {
		id := w.run.Steps[w.steps].Goroutine
		if w.inVain(id) {
			return false
		}
		*w.task(id) = stoppable{last: w.steps}
	}
	return true
}

// inVain reports whether a goroutine that would continue now has been stopped where that does
// not matter.
func (w *visit) inVain(id uint32) bool {
	t := w.task(id)
	return t.stopped && id != schedule.Clock && !w.touch(t.last, t.last+1, w.steps)
}

// decided records a decision.
func (w *visit) decided(i int) {
	d, m := w.run.Decisions[i], w.met[i]
	if d.Preempts && d.Goroutine != m.runnable[m.current] {
		w.task(m.runnable[m.current]).stopped = !w.run.Rested && !w.run.Forced
	}
}

// goesOn reports whether the decision could preempt the same goroutine as the last one, and
// that goroutine has made all steps since.
func (w *visit) goesOn(i int) bool {
	d, m := w.run.Decisions[i], w.met[i]
	was, from := w.owner, w.from
	w.owner, w.from = schedule.Clock, m.step
	if !d.Preempts {
		return false
	}
	w.owner = m.runnable[m.current]
	if i == 0 || w.owner != was || w.run.Decisions[i-1].Goroutine != was {
		return false
	}
	for ; from < m.step; from++ {
		if w.run.Steps[from].Goroutine != was {
			return false
		}
	}
	return true
}
