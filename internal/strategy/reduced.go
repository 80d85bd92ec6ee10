package strategy

import (
	"fmt"
	"slices"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// Reduced is [DepthFirst] without schedules that are equivalent to another one with no more
// preemptions. If nothing that others do while a goroutine is stopped conflicts with its last
// step before, it might as well have been stopped before that step: so it is stopped only where
// some step does conflict. The idea is that of Coons, Musuvathi, McKinley: Bounded Partial-Order
// Reduction, OOPSLA 2013. Departure: preemptions move to the front, where their paper adds
// choices further back; the order of goroutines at free switches is tried in any case.
//
// Why that costs no more: p makes step o, is preempted, and continues after the steps b of
// others. If none of b conflicts with o, or was made possible by it, b may come before o.
// Stopping p one step sooner, or not giving it that step in between, adds no preemption, and
// all else stays the same. Each such exchange moves a preemption to the front, so the
// exchanges end, and the schedule in which they end is run. Nor is a goroutine stopped that
// would only begin to wait, because that switch is no preemption.
//
// Two steps conflict if they are on one object, unless both read it or both count; that is
// stricter than for [DPOR]. Trusted code is on the objects that it accesses, see
// [schedule.Insider], and a system call is on one more. Memory that trusted code shares
// otherwise, such as a mapped file, is assumed to be used only under a lock or in a system call.
// A step of the clock, which conflicts with everything for DPOR, conflicts with steps that read
// the time or use a timer: for other steps it makes no difference whether they came before it.
//
// bound must not be negative.
func Reduced(bound int) schedule.Strategy {
	if bound < 0 {
		panic(fmt.Sprintf("explore: Reduced bound: got %d, want at least 0", bound))
	}
	return &reduced{bound: bound}
}

type reduced struct {
	bound   int
	seed    uint64
	round   int      // preemptions of the schedules being run
	pending []family // families of this round, as a stack
	later   []family // families of the next round
	rounds  []int    // schedules of each round
	why     string   // the first reason why the search is incomplete

	now    family       // its first schedule is being run
	follow branchPicker // runs that schedule
	met    []moment     // the decisions of that schedule so far
}

// A family is a set of schedules whose last deviation stops the same goroutine for the
// same other. They are run in order, and one may show that the next ones need not be run.
type family struct {
	Before []schedule.Deviation // the deviations that they share
	Cost   int                  // preemptions
	Leaves []leave              // empty for the schedule without deviations, the very first
}

// A leave is the last deviation of a schedule.
type leave struct {
	schedule.Deviation
	Step int // how many steps precede it
}

// A moment records what could be chosen at a decision.
type moment struct {
	step     int // how many steps precede it
	runnable []uint32
	current  int
}

func (*reduced) Name() string { return "dfs" }

// String includes the bound.
func (s *reduced) String() string { return fmt.Sprint("reduced dfs ≤ ", s.bound) }

// Inside implements [schedule.Insider]: Reduced needs the objects of trusted code.
func (*reduced) Inside() {}

func (s *reduced) Reset(seed uint64) {
	*s = reduced{bound: s.bound, seed: seed, pending: []family{{}}}
}

// Exhausted returns the greatest bound up to which every schedule, or an equivalent
// one, has been run.
func (s *reduced) Exhausted() schedule.Extent {
	e := schedule.Extent{Bound: s.round, Why: s.why}
	switch {
	case len(s.pending) > 0:
		e.Bound--
	case len(s.later) == 0:
		e.Bound = s.bound
	}
	for round, schedules := range s.rounds {
		if round <= e.Bound {
			e.Schedules += schedules
		}
	}
	e.Complete = e.Bound >= 0 && s.why == ""
	return e
}

func (s *reduced) Begin() (uint64, bool) {
	if len(s.pending) == 0 {
		if len(s.later) == 0 {
			return 0, false
		}
		s.round++
		s.pending, s.later = s.later, nil
	}
	for len(s.rounds) <= s.round {
		s.rounds = append(s.rounds, 0)
	}
	s.rounds[s.round]++
	last := len(s.pending) - 1
	s.now, s.pending = s.pending[last], s.pending[:last]
	s.met, s.follow = s.met[:0], branchPicker{deviations: s.now.first()}
	return s.seed, true
}

func (s *reduced) Pick(p *schedule.Point) schedule.Choice {
	s.met = append(s.met, moment{len(p.Steps), slices.Clone(p.Runnable), p.Current})
	return s.follow.Pick(p)
}

// first returns the deviations of the first schedule.
func (f *family) first() []schedule.Deviation {
	if len(f.Leaves) == 0 {
		return nil
	}
	return append(slices.Clip(f.Before), f.Leaves[0].Deviation)
}

// End queues the rest of the family, and adds the schedules that deviate from this one
// after its last deviation.
func (s *reduced) End(run schedule.Trace) {
	all := s.follow.deviations
	switch {
	case len(all) > 0 && !all[len(all)-1].In(run.Decisions), len(run.Decisions) != len(s.met):
		s.omit("a schedule did not repeat")
		return
	case run.Polled:
		s.omit(longPoll)
	case run.Opaque != "" && run.Opaque != schedule.SystemCalls:
		s.omit("the order of what was done in " + run.Opaque + " was not seen")
	}
	r := taken{run, s.met}
	if leaves := s.now.Leaves; len(leaves) > 1 {
		if rest := leaves[1+r.alike(leaves, s.now.Cost == s.bound):]; len(rest) > 0 {
			s.pending = append(s.pending, family{s.now.Before, s.now.Cost, rest})
		}
	}
	first := 0
	if len(all) > 0 {
		last := all[len(all)-1]
		s.cases(r, s.now.Before, last.At, last.Choice.Index)
		first = last.At + 1
	}
	s.branch(r, all, first)
}

// branch adds the schedules that deviate from this one at a decision from first on.
func (s *reduced) branch(r taken, before []schedule.Deviation, first int) {
	w := visit{taken: r}
	rows := make(map[uint32]int) // index in all of the open family, by the goroutine that would run instead
	var all []family
	for i, d := range r.run.Decisions {
		m := r.met[i]
		if !w.upTo(m.step) {
			break // all schedules that deviate later are superfluous
		}
		if !w.goesOn(i) {
			clear(rows)
		}
		if i >= first {
			s.cases(r, before, i, d.Default)
			waits := r.waits(i)
			for j, id := range m.runnable {
				cost := s.now.Cost
				if d.Costs(j) {
					cost++
				}
				if j == d.Default || cost > s.bound || w.inVain(id) || waits && id != schedule.Clock {
					continue
				}
				l := leave{Deviation: schedule.Deviation{At: i, Choice: schedule.Choice{Index: j}, Hash: d.Hash}, Step: m.step}
				row, ok := rows[id]
				if !ok || !d.Preempts || id == schedule.Clock {
					row = len(all)
					rows[id], all = row, append(all, family{Before: before, Cost: cost})
				}
				all[row].Leaves = append(all[row].Leaves, l)
			}
		}
		w.decided(i)
	}
	for _, f := range all {
		s.put(f)
	}
}

// cases adds the other ready cases of the select that was run at i, if the first was taken.
func (s *reduced) cases(r taken, before []schedule.Deviation, i, index int) {
	d := r.run.Decisions[i]
	for c := 1; c < d.Ready && d.Chosen.Case == 0; c++ {
		l := leave{Deviation: schedule.Deviation{At: i, Choice: schedule.Choice{Index: index, Case: uint32(c)}, Hash: d.Hash}, Step: r.met[i].step}
		s.put(family{before, s.now.Cost, []leave{l}})
	}
}

// put adds a family to its round.
func (s *reduced) put(f family) {
	switch {
	case len(s.pending)+len(s.later) >= maxPending:
		s.omit("there are too many schedules to remember")
	case f.Cost > s.round:
		s.later = append(s.later, f)
	default:
		s.pending = append(s.pending, f)
	}
}

// omit records the first reason why the search is incomplete.
func (s *reduced) omit(why string) {
	if s.why == "" {
		s.why = why
	}
}

// A reducedState is what determines the next schedules.
type reducedState struct {
	Seed           uint64
	Round          int
	Pending, Later []family
	Rounds         []int
	Why            string
}

// Checkpoint saves the schedules found but not yet run.
func (s *reduced) Checkpoint() ([]byte, error) {
	return pack(reducedState{s.seed, s.round, s.pending, s.later, s.rounds, s.why})
}

// Restore resumes from a checkpoint.
func (s *reduced) Restore(checkpoint []byte) error {
	var k reducedState
	if err := unpack(checkpoint, &k); err != nil {
		return err
	}
	*s = reduced{bound: s.bound, seed: k.Seed, round: k.Round, pending: k.Pending, later: k.Later, rounds: k.Rounds, why: k.Why}
	return nil
}
