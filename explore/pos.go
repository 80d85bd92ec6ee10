package explore

// POS, partial order sampling, gives every pending operation a random priority
// and runs the one with the highest; the operations that conflict with it then
// draw theirs anew (Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling,
// CAV 2018, algorithm 2). So the order of each pair of conflicting operations
// is decided by a toss of its own, and orders that do not matter cost nothing.
//
// Departures: a goroutine that yields, or runs for too long, draws anew from
// below all others. A select's ready case is chosen uniformly.
func POS() Strategy { return &pos{} }

type pos struct {
	drawn
	seeds rng
}

// posLow is where the priorities of goroutines that yield begin; others are
// above.
const posLow = 1 << 32

func (*pos) Name() string { return "pos" }

func (s *pos) Reset(seed uint64) { *s = pos{seeds: rng(seed)} }

func (s *pos) Begin() (uint64, bool) { return s.begin(s.draw()) }

func (*pos) End(Trace) {}

func (s *pos) draw() (schedule, bool) { return partialOrder{Seed: s.seeds.next()}, true }

func (*pos) ran(schedule, Trace) {}

// A partialOrder is one schedule of POS.
type partialOrder struct{ Seed uint64 }

func (s partialOrder) start() (picker, uint64) {
	return &posPicker{random: rng(s.Seed), low: posLow}, s.Seed
}

type posPicker struct {
	random   rng
	priority []uint64 // of each goroutine's pending operation, by its number; 0 is none yet
	low      uint64   // falls with every yield
}

func (s *posPicker) Pick(p *Point) Choice {
	for len(s.priority) <= p.Created {
		s.priority = append(s.priority, 0)
	}
	for _, id := range p.Runnable {
		if s.priority[id] == 0 {
			s.priority[id] = s.random.next()>>1 + posLow
		}
	}
	if p.Current >= 0 && p.Yielded {
		s.low--
		s.priority[p.Runnable[p.Current]] = s.low
	}
	best := 0
	for i, id := range p.Runnable {
		if s.priority[id] > s.priority[p.Runnable[best]] {
			best = i
		}
	}
	chosen := p.Runnable[best]
	for _, id := range p.Runnable {
		if id == chosen || p.Pending[id].Conflicts(p.Pending[chosen]) {
			s.priority[id] = 0
		}
	}
	return Choice{Index: best, Case: uint32(s.random.next() >> 32)}
}
