package strategy

import (
	"fmt"
	"slices"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// Reduced is [DepthFirst] without schedules for which another one stands, that has no
// more preemptions. If nothing that others do while a goroutine is stopped has to do with
// its last step before that, it might as well have been stopped before that step: so it is
// only stopped where that is not so. The idea is that of Coons, Musuvathi, McKinley: Bounded
// Partial-Order Reduction, OOPSLA 2013. Departure: preemptions move to the front, where their
// paper adds choices that are further back; who goes on in turn is tried in any case.
//
// Why that costs no more: p makes step o, is preempted, and goes on behind the steps b of
// others. If none of b conflicts with o, or was made possible by it, b may come before o. To
// stop p a step sooner, or not to let it have that step in between, is no preemption
// more, and all else is as it was. Each such exchange moves a preemption to the front, so they
// come to an end, and what they end with is run. Nor is anybody stopped who would only begin to
// wait, which is no preemption.
//
// Two steps conflict that are on one object, unless both look at it or both count; which is
// more than what does for [DPOR]. What trusted code does is on the objects that it works on,
// see [schedule.Insider], and to make a system call is on one more. Memory that trusted code
// shares by itself, such as a mapped file, is taken to be used where it has a lock or makes
// a call. A step of the clock, which conflicts with all for DPOR, does with those that look at
// the time or work on a timer: to the others it makes no difference whether they came before.
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
	pending []family // of this round; a stack
	later   []family // of the next one
	rounds  []int    // schedules of each round
	why     string   // what was left out

	now    family       // the first of it is being run
	follow branchPicker // that one
	met    []moment     // its decisions so far
}

// A family is schedules that leave one another at the same goroutine, for the same other.
// They are run in order, and one may show that the next ones need not be run.
type family struct {
	Before []schedule.Deviation // those of all of them
	Cost   int                  // preemptions
	Leaves []leave              // none of the schedule that never deviates, which is the first
}

// A leave is the last deviation of a schedule.
type leave struct {
	schedule.Deviation
	Step int // how many steps there are before
}

// A moment is what could be chosen at a decision.
type moment struct {
	step     int // how many steps there were
	runnable []uint32
	current  int
}

func (*reduced) Name() string { return "dfs" }

// String has the bound, too.
func (s *reduced) String() string { return fmt.Sprint("reduced dfs ≤ ", s.bound) }

// Inside says that it is to be told what trusted code does.
func (*reduced) Inside() {}

func (s *reduced) Reset(seed uint64) {
	*s = reduced{bound: s.bound, seed: seed, pending: []family{{}}}
}

// Exhausted is the greatest bound up to which every schedule has been run, or one that
// stands for it.
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

// first is the deviations of the first of the schedules.
func (f *family) first() []schedule.Deviation {
	if len(f.Leaves) == 0 {
		return nil
	}
	return append(slices.Clip(f.Before), f.Leaves[0].Deviation)
}

// End goes on to the rest of the family, and adds the schedules that leave this one after
// its last deviation.
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

// branch adds the schedules that leave this one from a decision on.
func (s *reduced) branch(r taken, before []schedule.Deviation, first int) {
	w := visit{taken: r}
	rows := make(map[uint32]int) // who could go on in place of who has run since the last of them
	var all []family
	for i, d := range r.run.Decisions {
		m := r.met[i]
		if !w.upTo(m.step) {
			break // for all that leave it later another one stands
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

// put adds a family to those of its round.
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

// omit keeps the first reason why the search does not cover everything.
func (s *reduced) omit(why string) {
	if s.why == "" {
		s.why = why
	}
}

// A reducedState is what the next schedules depend on.
type reducedState struct {
	Seed           uint64
	Round          int
	Pending, Later []family
	Rounds         []int
	Why            string
}

// Checkpoint has the schedules that were found and not yet run.
func (s *reduced) Checkpoint() ([]byte, error) {
	return pack(reducedState{s.seed, s.round, s.pending, s.later, s.rounds, s.why})
}

// Restore goes on from a checkpoint.
func (s *reduced) Restore(checkpoint []byte) error {
	var k reducedState
	if err := unpack(checkpoint, &k); err != nil {
		return err
	}
	*s = reduced{bound: s.bound, seed: k.Seed, round: k.Round, pending: k.Pending, later: k.Later, rounds: k.Rounds, why: k.Why}
	return nil
}
