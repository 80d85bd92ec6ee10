package strategy

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// A raceFinder looks for pairs of steps that conflict with nothing between
// them that orders them otherwise: reversing such a pair gives another
// execution. (These are races in the sense of the paper, and need not be data
// races.)
//
// Each step has a vector clock: for each goroutine, the number (from 1) of its last
// step in the execution that comes before.
type raceFinder struct {
	clocks []clock // by step: what comes before the next step of its goroutine, itself included
	bare   []clock // by step: what comes before it, itself included, without the counterpart that passed adds
	strict bool    // see dpor

	// What is known of the steps so far.
	threads  []int // by goroutine: its last step, from 1
	firsts   []int // by goroutine: its first step after the one that begins it, from 1
	objects  map[lastKey]int
	queues   []queue // by object
	unseen   bool    // some step was on unknown objects
	everyone int     // the last step on everything, from 1
	late     clock   // of all steps before time last passed
	ended    clock   // of the ends for which T.Wait waits
}

// A queue is the sends to a channel and the receives from it, in order. It is broken after
// any other operation on the channel: which send belongs to which receive is unknown then.
type queue struct {
	sends, receives []int
	broken          bool
}

type clock []int32

// A lastKey identifies a goroutine's operations on one object, in one mode.
type lastKey struct {
	access    schedule.Access
	goroutine uint32
}

// mostClocks bounds a raceFinder's memory: the numbers in all its clocks.
const mostClocks = 1 << 24

func (c clock) has(goroutine uint32, step int) bool {
	return int(goroutine) < len(c) && int(c[goroutine]) > step
}

// last returns the number, from 1, of a goroutine's last step; 0 if there is none.
func (c clock) last(goroutine uint32) int {
	if int(goroutine) >= len(c) {
		return 0
	}
	return int(c[goroutine])
}

// join returns the later of both clocks for each goroutine; it may modify and return c.
func (c clock) join(d clock) clock {
	if len(c) < len(d) {
		c = append(c, make(clock, len(d)-len(c))...)
	}
	for i, n := range d {
		c[i] = max(c[i], n)
	}
	return c
}

// find calls reverse for each race whose later step is not before first. The steps before
// first are the same as in the last execution. Their clocks are reused, unless that execution
// had too many steps or ran in another process. Each of the barred steps, which were not
// taken, is treated as if it came next. find returns false if there are too many steps to
// tell.
func (r *raceFinder) find(steps, barred []schedule.Step, first int, reverse func(earlier int, initials []uint32)) bool {
	known := min(first, len(r.clocks))
	*r = raceFinder{clocks: r.clocks[:known], bare: r.bare[:known], strict: r.strict, objects: make(map[lastKey]int)}
	for j := range steps {
		if len(r.threads)*j > mostClocks {
			return false
		}
		r.begin(&steps[j])
		if j >= known {
			races := r.add(steps, j)
			if j >= first {
				r.tell(steps, races, j, reverse)
			}
		}
		r.note(&steps[j], j)
	}
	j := len(steps)
	next := append(slices.Clip(steps), barred...)
	for _, step := range barred {
		r.meet(step.Goroutine)
		next[j] = step
		r.tell(next, r.add(next, j), j, reverse)
		r.clocks, r.bare = r.clocks[:j], r.bare[:j]
	}
	return true
}

// begin prepares for a step.
func (r *raceFinder) begin(s *schedule.Step) {
	r.meet(s.Goroutine)
	if s.Late {
		r.late = r.everything()
	}
}

// meet makes room for the state of a goroutine.
func (r *raceFinder) meet(goroutine uint32) {
	for int(goroutine) >= len(r.threads) {
		r.threads, r.firsts = append(r.threads, 0), append(r.firsts, 0)
	}
}

// everything returns the clock of all steps so far.
func (r *raceFinder) everything() clock {
	c := make(clock, len(r.threads))
	for id, step := range r.threads {
		c[id] = int32(step)
	}
	return c
}

// possible returns the clock of the steps without which s could not have come next.
func (r *raceFinder) possible(s *schedule.Step) clock {
	c := slices.Clone(r.late)
	if last := r.threads[s.Goroutine]; last > 0 {
		c = c.join(r.clocks[last-1])
	}
	if s.Joined {
		c = c.join(r.ended)
	}
	for _, id := range s.Settled {
		if int(id) < len(r.threads) && r.threads[id] > 0 {
			c = c.join(r.clocks[r.threads[id]-1])
		}
	}
	if s.Cause >= 0 {
		c = c.join(r.clocks[s.Cause])
	}
	if first := r.first(s.Twin); first > 0 {
		c = c.join(r.bare[first-1])
	}
	if s.Operation.Mode == schedule.Awaits {
		c = r.behind(c, s)
	}
	return c
}

// add computes the clock of step j, and the earlier steps that it races with.
func (r *raceFinder) add(steps []schedule.Step, j int) (races []int) {
	s := &steps[j]
	c := r.possible(s)
	for _, i := range r.conflicts(s) {
		if !c.has(steps[i].Goroutine, i) {
			races = append(races, i)
			c = c.join(r.bare[i])
		}
	}
	// Steps that it has waited for, or could have, may come after one that it races with.
	c = r.behind(c, s)
	own := make(clock, s.Goroutine+1)
	own[s.Goroutine] = int32(j + 1)
	c = c.join(own)
	r.bare = append(r.bare, c)
	r.clocks = append(r.clocks, r.passed(c, s))
	return races
}

// first returns the step of twin, from 1, after which the other twin's first step goes; 0 if
// there is none yet. If twin has blocked in the step that begins it, that is the step.
func (r *raceFinder) first(twin uint32) int {
	if twin == 0 || int(twin) >= len(r.firsts) {
		return 0
	}
	if r.firsts[twin] == 0 {
		return r.threads[twin]
	}
	return r.firsts[twin]
}

// behind adds to a clock the steps that s has waited for, or would have: they are no races,
// since s could not have continued before them.
func (r *raceFinder) behind(c clock, s *schedule.Step) clock {
	for i := range s.Operation.Accesses() {
		a := s.Operation.Access(i)
		for m := range schedule.Modes {
			for id := 0; id < len(r.threads) && a.Mode.Behind(m); id++ {
				if step := r.objects[lastKey{schedule.Access{Object: a.Object, Mode: m}, uint32(id)}]; step > 0 {
					c = c.join(r.clocks[step-1])
				}
			}
		}
	}
	return c
}

// passed adds to a clock the step without which s could not have continued: a receive comes
// after its send, a send after the receive that has made room for it, and on an unbuffered
// channel each after the other. If that step comes later instead, it wakes s: so steps that
// race with s itself need not come after it.
func (r *raceFinder) passed(c clock, s *schedule.Step) clock {
	if int(s.Operation.Object) >= len(r.queues) || r.unseen {
		return c
	}
	q := &r.queues[s.Operation.Object]
	other, n := q.sends, len(q.receives)
	if s.Operation.Mode == schedule.Sends {
		other, n = q.receives, len(q.sends)-s.Room
	}
	if s.Operation.Mode.Queues() && !q.broken && n >= 0 && n < len(other) {
		c = slices.Clone(c).join(r.bare[other[n]])
	}
	return c
}

// queue records that step j has access a.
func (r *raceFinder) queue(a schedule.Access, room, j int) {
	for int(a.Object) >= len(r.queues) {
		r.queues = append(r.queues, queue{})
	}
	q := &r.queues[a.Object]
	switch a.Mode {
	case schedule.Sends:
		q.sends = append(q.sends, j)
	case schedule.Receives:
		q.receives = append(q.receives, j)
	case schedule.Changes:
		q.broken = true
	}
	q.broken = q.broken || a.Mode.Queues() && room < 0
}

// tell calls reverse for each race of step j.
func (r *raceFinder) tell(steps []schedule.Step, races []int, j int, reverse func(int, []uint32)) {
	for _, i := range races {
		for steps[i].Joined {
			i-- // the part of the step that was decided
		}
		reverse(i, r.initials(steps, i, j))
	}
}

// conflicts returns the earlier steps with which s conflicts, in descending order: of
// each goroutine and mode the last, because the others come before it.
func (r *raceFinder) conflicts(s *schedule.Step) []int {
	var all []int
	if r.onAll(s) {
		for id, step := range r.threads {
			if step > 0 && uint32(id) != s.Goroutine {
				all = append(all, step-1)
			}
		}
	} else {
		if r.everyone > 0 {
			all = append(all, r.everyone-1)
		}
		for id := range r.threads {
			if uint32(id) != s.Goroutine {
				all = r.conflictsWith(all, s.Operation, uint32(id))
			}
		}
	}
	slices.Sort(all)
	slices.Reverse(all)
	return slices.Compact(all)
}

// onAll reports whether a step conflicts with all others.
func (r *raceFinder) onAll(s *schedule.Step) bool {
	return s.Operation.All || r.strict && s.Goroutine == schedule.Clock
}

func (r *raceFinder) conflictsWith(all []int, op schedule.Operation, goroutine uint32) []int {
	for i := range op.Accesses() {
		a := op.Access(i)
		for m := range schedule.Modes {
			if schedule.Commute(a.Mode, m) || a.Mode != schedule.Awaits && a.Mode.Behind(m) {
				continue
			}
			if step := r.objects[lastKey{schedule.Access{Object: a.Object, Mode: m}, goroutine}]; step > 0 {
				all = append(all, step-1)
			}
		}
	}
	return all
}

// note adds step j to the state.
func (r *raceFinder) note(s *schedule.Step, j int) {
	if r.threads[s.Goroutine] > 0 && r.firsts[s.Goroutine] == 0 {
		r.firsts[s.Goroutine] = j + 1
	}
	r.threads[s.Goroutine] = j + 1
	if r.onAll(s) {
		r.everyone = j + 1
		r.unseen = r.unseen || s.Goroutine != schedule.Clock
	}
	for i := range s.Operation.Accesses() {
		r.objects[lastKey{s.Operation.Access(i), s.Goroutine}] = j + 1
		r.queue(s.Operation.Access(i), s.Room, j)
	}
	if s.Ended {
		r.ended = slices.Clone(r.ended).join(r.clocks[j])
	}
}

// initials returns the goroutines that can go first, from the state before step i, on a
// way to step j without i. The way consists of j and the steps in between that do not
// come after i; initials are those that come after none of the others.
func (r *raceFinder) initials(steps []schedule.Step, i, j int) []uint32 {
	var firsts []int // by goroutine: its first step on the way
	var all []uint32
	for k := i + 1; k <= j; k++ {
		id := steps[k].Goroutine
		if k < j && r.bare[k].has(steps[i].Goroutine, i) || slices.ContainsFunc(firsts, func(f int) bool { return steps[f].Goroutine == id }) {
			continue
		}
		if !slices.ContainsFunc(firsts, func(f int) bool { return r.bare[k].has(steps[f].Goroutine, f) }) {
			all = append(all, id)
		}
		firsts = append(firsts, k)
	}
	return all
}
