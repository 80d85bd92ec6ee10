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
// depth must be at least 1.
func PCT(depth int) Strategy {
	if depth < 1 {
		panic(fmt.Sprintf("explore: PCT depth: got %d, want at least 1", depth))
	}
	return &pct{depth: depth}
}

type pct struct {
	depth   int
	seeds   rng
	random  rng
	length  int            // of the longest schedule so far
	changes map[int]int    // decision → the low priority that is assigned there
	high    map[uint32]int // goroutine → priority; above depth at first, below when lowered
	lowest  int            // falls with every yield
}

func (s *pct) Name() string { return "pct" }

func (s *pct) Reset(seed uint64) {
	*s = pct{depth: s.depth, seeds: rng(seed)}
}

func (s *pct) Begin() (uint64, bool) {
	seed := s.seeds.next()
	s.random = rng(seed)
	s.high = make(map[uint32]int)
	s.changes = make(map[int]int)
	s.lowest = 0
	if s.length > 0 {
		for d := 1; d < s.depth; d++ {
			s.changes[s.random.n(s.length)] = s.depth - d
		}
	}
	return seed, true
}

func (s *pct) Pick(p *Point) Choice {
	for _, id := range p.Runnable {
		if _, ok := s.high[id]; !ok {
			s.high[id] = s.depth + 1 + s.random.n(1<<30)
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

func (s *pct) End(run []Decision) { s.length = max(s.length, len(run)) }
