package explore

import "fmt"

// DepthFirst runs every schedule with no preemption, then every one with a
// single preemption, and so on up to bound (Musuvathi and Qadeer: Iterative
// Context Bounding for Systematic Testing of Multithreaded Programs, PLDI
// 2007). To go on with another goroutine when the running one blocks, ends or
// yields is free, so bound 0 is a finite search already. A select with several
// ready cases is a choice too; it costs nothing. Each schedule is run once: a
// round leaves the schedules with one preemption more to the next.
//
// Random choices other than a select's (the order of a map, math/rand) are
// those of one seed for the whole search.
//
// bound must not be negative.
func DepthFirst(bound int) Strategy {
	if bound < 0 {
		panic(fmt.Sprintf("explore: DepthFirst bound: got %d, want at least 0", bound))
	}
	return &depthFirst{bound: bound}
}

// A deviation is a decision other than the default one.
type deviation struct {
	at     int // number of the decision
	choice Choice
	hash   uint64 // of the execution up to there
}

// A prefix is a schedule given by its deviations; after the last one it goes
// on by default.
type prefix struct {
	deviations []deviation
	cost       int // preemptions
}

// maxPending bounds the memory of a search: schedules found but not yet run.
const maxPending = 1 << 20

type depthFirst struct {
	drawn
	bound    int
	seed     uint64
	round    int      // preemptions of the schedules being run
	pending  []prefix // of this round; a stack
	later    []prefix // of the next one
	open     int      // schedules drawn and not yet run
	rounds   []int    // schedules of each round
	full     bool     // something was left out for want of memory
	diverged bool
}

func (s *depthFirst) Name() string { return "dfs" }
func (s *depthFirst) systematic()  {}

func (s *depthFirst) Reset(seed uint64) {
	*s = depthFirst{bound: s.bound, seed: seed, pending: []prefix{{}}}
}

// exhausted is the greatest bound up to which every schedule has been run, or
// -1.
func (s *depthFirst) exhausted() int {
	switch {
	case s.full || s.diverged:
		return -1
	case len(s.pending) > 0:
		return s.round - 1
	case len(s.later) == 0:
		return s.bound
	}
	return s.round
}

// within is how many schedules with at most bound preemptions were run.
func (s *depthFirst) within(bound int) int {
	n := 0
	for round, schedules := range s.rounds {
		if round <= bound {
			n += schedules
		}
	}
	return n
}

func (s *depthFirst) Begin() (uint64, bool) { return s.begin(s.draw()) }

func (s *depthFirst) End(run Trace) { s.ran(s.schedule, run) }

func (s *depthFirst) draw() (schedule, bool) {
	if len(s.pending) == 0 {
		if s.open > 0 || s.round == s.bound || len(s.later) == 0 {
			return nil, false
		}
		s.round++
		s.pending, s.later = s.later, nil
	}
	for len(s.rounds) <= s.round {
		s.rounds = append(s.rounds, 0)
	}
	s.rounds[s.round]++
	last := len(s.pending) - 1
	p := s.pending[last]
	s.pending = s.pending[:last]
	s.open++
	return branch{seed: s.seed, prefix: p}, true
}

// ran adds the schedules that leave this one after its last deviation.
func (s *depthFirst) ran(drawn schedule, trace Trace) {
	run := trace.Decisions
	s.open--
	p := drawn.(branch).prefix
	first := 0
	if n := len(p.deviations); n > 0 {
		last := p.deviations[n-1]
		if last.at >= len(run) || run[last.at].hash != last.hash || run[last.at].Chosen != last.choice {
			s.diverged = true
			return
		}
		first = last.at + 1
		s.addCases(p, run[last.at], last.at, last.choice.Index)
	}
	for i := first; i < len(run); i++ {
		d := run[i]
		s.addCases(p, d, i, d.Default)
		for j := range d.Runnable {
			if j != d.Default {
				s.add(p, i, Choice{Index: j}, d)
			}
		}
	}
}

// addCases adds the other ready cases of the select that was run at i, if the
// first was taken.
func (s *depthFirst) addCases(from prefix, d Decision, i, index int) {
	if d.Chosen.Case != 0 {
		return
	}
	for c := 1; c < d.Ready; c++ {
		s.add(from, i, Choice{Index: index, Case: uint32(c)}, d)
	}
}

func (s *depthFirst) add(from prefix, at int, c Choice, d Decision) {
	p := prefix{cost: from.cost}
	kept := from.deviations
	if n := len(kept); n > 0 && kept[n-1].at == at {
		kept = kept[:n-1] // the same decision, another case of its select
	} else if d.Preempts && c.Index != d.Default {
		p.cost++
	}
	if p.cost > s.bound {
		return
	}
	if len(s.pending)+len(s.later) >= maxPending {
		s.full = true
		return
	}
	p.deviations = append(append([]deviation(nil), kept...), deviation{at: at, choice: c, hash: d.hash})
	if p.cost > s.round {
		s.later = append(s.later, p)
	} else {
		s.pending = append(s.pending, p)
	}
}

// A branch is one schedule of a depth-first search.
type branch struct {
	seed uint64
	prefix
}

func (b branch) start() (picker, uint64) { return &branchPicker{deviations: b.deviations}, b.seed }

type branchPicker struct {
	deviations []deviation
	at         int // the next of them
}

func (b *branchPicker) Pick(p *Point) Choice {
	if b.at < len(b.deviations) {
		if d := b.deviations[b.at]; d.at == p.Index {
			b.at++
			if d.choice.Index < len(p.Runnable) {
				return d.choice
			}
		}
	}
	return Choice{Index: p.Default()}
}
