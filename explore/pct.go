package explore

import "fmt"

// PCT gives every goroutine a random priority, always runs the one with the
// highest, and lowers the running one's at depth-1 random points (Burckhardt,
// Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic
// Guarantees of Finding Bugs, ASPLOS 2010, section 3). With n goroutines and k
// points a bug of depth d is found with probability at least 1/(n·k^(d-1)) per
// schedule.
//
// Departures: k is not given but learnt, as the longest schedule so far; the
// first schedule has no change points, so it measures the length without
// preemption. A goroutine that yields, or runs for too long, gets the lowest
// priority, or a spinning one would keep out the one it waits for. A select's
// ready case is chosen uniformly.
//
// depth must not be negative. 0 means one that grows over the schedules, so that
// it need not be known: 1; 1, 2; 1, 2, 3; and so on up to 6, again and again.
func PCT(depth int) Strategy {
	if depth < 0 {
		panic(fmt.Sprintf("explore: PCT depth: got %d, want at least 0", depth))
	}
	return &pct{depth: depth}
}

// pctDeepest is where a depth that grows ends: hardly a bug is deeper.
const pctDeepest = 6

type pct struct {
	drawn
	depth  int
	seeds  rng
	length int // of the longest schedule so far
	last   int // depth of the last schedule, if it grows
	round  int // and up to where it has got
}

func (s *pct) Name() string { return "pct" }

func (s *pct) Reset(seed uint64) { *s = pct{depth: s.depth, seeds: rng(seed)} }

func (s *pct) Begin() (uint64, bool) { return s.begin(s.draw()) }

func (s *pct) End(run Trace) { s.ran(s.schedule, run) }

func (s *pct) draw() (schedule, bool) {
	return priorities{Seed: s.seeds.next(), Depth: s.next(), Length: s.length}, true
}

// next is the depth of the next schedule.
func (s *pct) next() int {
	if s.depth > 0 {
		return s.depth
	}
	if s.last++; s.last > s.round {
		s.last, s.round = 1, min(s.round+1, pctDeepest)
	}
	return s.last
}

func (s *pct) ran(_ schedule, run Trace) { s.length = max(s.length, len(run.Decisions)) }

// A priorities is one schedule of PCT.
type priorities struct {
	Seed   uint64
	Depth  int
	Length int // of the schedule, estimated; 0 if unknown
}

func (s priorities) start() (picker, uint64) {
	p := &pctPicker{depth: s.Depth, random: rng(s.Seed), changes: make(map[int]int)}
	if s.Length > 0 {
		for d := 1; d < s.Depth; d++ {
			p.changes[p.random.n(s.Length)] = s.Depth - d
		}
	}
	return p, s.Seed
}

type pctPicker struct {
	depth   int
	random  rng
	changes map[int]int // decision → the low priority that is assigned there
	high    []int       // priority by goroutine; above depth at first, below when lowered
	known   []bool      // those that have one
	lowest  int         // falls with every yield
}

func (s *pctPicker) Pick(p *Point) Choice {
	for len(s.high) <= p.Created {
		s.high, s.known = append(s.high, 0), append(s.known, false)
	}
	for _, id := range p.Runnable {
		if !s.known[id] {
			s.high[id], s.known[id] = s.depth+1+s.random.n(1<<30), true
		}
	}
	if p.Current >= 0 {
		id := p.Runnable[p.Current]
		if low, ok := s.changes[p.Index]; ok {
			s.high[id] = low
		}
		if p.Yielded {
			s.lowest--
			s.high[id] = s.lowest
		}
	}
	best := 0
	for i, id := range p.Runnable {
		if s.high[id] > s.high[p.Runnable[best]] {
			best = i
		}
	}
	return Choice{Index: best, Case: uint32(s.random.next() >> 32)}
}
