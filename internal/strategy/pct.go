package strategy

import (
	"fmt"
	"slices"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// PCT gives every goroutine a random priority, always runs the one with the
// highest, and lowers the running one's at depth-1 random points (Burckhardt,
// Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic
// Guarantees of Finding Bugs, ASPLOS 2010, section 3). With n goroutines and k
// points a bug of depth d is found with probability at least 1/(n·k^(d-1)) per
// schedule.
//
// Departures: k is not given but learnt, as the length of the longest schedule so far;
// the first schedule has no change points, so it measures the length without
// preemption. If few schedules are that long, because goroutines spin in them, every
// other one takes its change points from the usual length: otherwise nearly all points
// would come after the end, and the same schedules would repeat. A goroutine that
// yields, or runs for too long, gets the lowest priority; otherwise a spinning one
// would starve the one it waits for. A select's ready case is chosen uniformly.
//
// depth must not be negative. 0 means a depth that varies over the schedules, so that
// it need not be known: 1; 1, 2; 1, 2, 3; and so on up to 6, again and again.
func PCT(depth int) schedule.Strategy {
	if depth < 0 {
		panic(fmt.Sprintf("explore: PCT depth: got %d, want at least 0", depth))
	}
	return &pct{depth: depth}
}

// pctDeepest is the greatest depth if it varies: hardly any bug is deeper.
const pctDeepest = 6

type pct struct {
	schedule.Drawn
	depth  int
	seeds  schedule.RNG
	length int   // of the longest schedule so far
	recent []int // lengths of the last few
	drawn  int   // schedules drawn
	last   int   // depth of the last schedule, if depth is 0
	round  int   // the greatest depth of the present round
}

// pctRecent is how many lengths recent keeps.
const pctRecent = 32

func (s *pct) Name() string { return "pct" }

// String includes the depth.
func (s *pct) String() string {
	if s.depth == 0 {
		return fmt.Sprint("pct 1–", pctDeepest)
	}
	return fmt.Sprint("pct ", s.depth)
}

func (s *pct) Reset(seed uint64) { *s = pct{depth: s.depth, seeds: schedule.RNG(seed)} }

func (s *pct) Begin() (uint64, bool) { return s.Take(s.Draw()) }

func (s *pct) End(run schedule.Trace) { s.Ran(s.Schedule, run) }

func (s *pct) Draw() (schedule.Schedule, bool) {
	p := priorities{Seed: s.seeds.Next(), Deep: min(s.next(), s.length+pctDeepest), Length: s.length} // it has no more points
	if s.drawn++; s.drawn%2 == 0 {
		p.Length = s.usual()
		p.Short = p.Length < s.length
	}
	return p, true
}

// usual returns the median of the recent lengths if it is less than half of the
// greatest, else the greatest.
func (s *pct) usual() int {
	if len(s.recent) < pctRecent {
		return s.length
	}
	if median := slices.Sorted(slices.Values(s.recent))[pctRecent/2]; median < s.length/2 {
		return median
	}
	return s.length
}

// next returns the depth of the next schedule.
func (s *pct) next() int {
	if s.depth > 0 {
		return s.depth
	}
	if s.last++; s.last > s.round {
		s.last, s.round = 1, min(s.round+1, pctDeepest)
	}
	return s.last
}

func (s *pct) Ran(_ schedule.Schedule, run schedule.Trace) {
	s.length = max(s.length, len(run.Decisions))
	if s.recent = append(s.recent, len(run.Decisions)); len(s.recent) > pctRecent {
		s.recent = s.recent[1:]
	}
}

// A priorities is one schedule of PCT.
type priorities struct {
	Seed   uint64
	Deep   int  // the depth
	Length int  // estimated length of the schedule; 0 if unknown
	Short  bool // Length is the usual one, not the greatest
}

func (s priorities) Start() (schedule.Picker, uint64) {
	p := &pctPicker{depth: s.Deep, random: schedule.RNG(s.Seed), changes: make(map[int]int)}
	if s.Length > 0 {
		for d := 1; d < s.Deep; d++ {
			p.changes[p.random.N(s.Length)] = s.Deep - d
		}
	}
	return p, s.Seed
}

type pctPicker struct {
	depth   int
	random  schedule.RNG
	changes map[int]int // decision → the low priority assigned there
	high    []int       // by goroutine: its priority; above depth at first, below when lowered
	known   []bool      // by goroutine: it has a priority
	lowest  int         // decreases with every yield
}

func (s *pctPicker) Pick(p *schedule.Point) schedule.Choice {
	for len(s.high) <= p.Created {
		s.high, s.known = append(s.high, 0), append(s.known, false)
	}
	for _, id := range p.Runnable {
		if !s.known[id] {
			s.high[id], s.known[id] = s.depth+1+s.random.N(1<<30), true
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
	return schedule.Choice{Index: best, Case: uint32(s.random.Next() >> 32)}
}

// A pctState is what determines the next schedules.
type pctState struct {
	Seeds                      schedule.RNG
	Length, Drawn, Last, Round int
	Recent                     []int
}

// Checkpoint saves the learnt lengths and the depth.
func (s *pct) Checkpoint() ([]byte, error) {
	return pack(pctState{s.seeds, s.length, s.drawn, s.last, s.round, s.recent})
}

// Restore resumes from a checkpoint.
func (s *pct) Restore(checkpoint []byte) error {
	var k pctState
	if err := unpack(checkpoint, &k); err != nil {
		return err
	}
	s.Reset(uint64(k.Seeds))
	s.length, s.drawn, s.last, s.round, s.recent = k.Length, k.Drawn, k.Last, k.Round, k.Recent
	return nil
}

// Depth returns the depth of bugs that the schedule finds with a known probability.
func (s priorities) Depth() int {
	if s.Short {
		return 1
	}
	return s.Deep
}
