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
// Departures: k is not given but learnt, as the longest schedule so far; the
// first schedule has no change points, so it measures the length without
// preemption. Where few schedules are as long, because goroutines spin in them, every
// other one takes its change points from the length that is usual: nearly all would
// come after the end, and the same schedules again and again. A goroutine that yields,
// or runs for too long, gets the lowest priority, or a spinning one would keep out the
// one it waits for. A select's ready case is chosen uniformly.
//
// depth must not be negative. 0 means one that grows over the schedules, so that
// it need not be known: 1; 1, 2; 1, 2, 3; and so on up to 6, again and again.
func PCT(depth int) schedule.Strategy {
	if depth < 0 {
		panic(fmt.Sprintf("explore: PCT depth: got %d, want at least 0", depth))
	}
	return &pct{depth: depth}
}

// pctDeepest is where a depth that grows ends: hardly a bug is deeper.
const pctDeepest = 6

type pct struct {
	schedule.Drawn
	depth  int
	seeds  schedule.RNG
	length int   // of the longest schedule so far
	recent []int // lengths of the last few
	drawn  int   // schedules
	last   int   // depth of the last schedule, if it grows
	round  int   // and up to where it has got
}

// pctRecent is how many lengths are kept.
const pctRecent = 32

func (s *pct) Name() string { return "pct" }

// String has the depth, too.
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
	p := priorities{Seed: s.seeds.Next(), Deep: s.next(), Length: s.length}
	if s.drawn++; s.drawn%2 == 0 {
		p.Length = s.usual()
		p.Short = p.Length < s.length
	}
	return p, true
}

// usual is the median of the last lengths if it is far less than the greatest, else
// that.
func (s *pct) usual() int {
	if len(s.recent) < pctRecent {
		return s.length
	}
	if median := slices.Sorted(slices.Values(s.recent))[pctRecent/2]; median < s.length/2 {
		return median
	}
	return s.length
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
	Length int  // of the schedule, estimated; 0 if unknown
	Short  bool // there have been longer ones
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
	changes map[int]int // decision → the low priority that is assigned there
	high    []int       // priority by goroutine; above depth at first, below when lowered
	known   []bool      // those that have one
	lowest  int         // falls with every yield
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

// A pctState is what the next schedules depend on.
type pctState struct {
	Seeds                      schedule.RNG
	Length, Drawn, Last, Round int
	Recent                     []int
}

// Checkpoint has the length that was learnt, and the depth.
func (s *pct) Checkpoint() ([]byte, error) {
	return pack(pctState{s.seeds, s.length, s.drawn, s.last, s.round, s.recent})
}

// Restore goes on from a checkpoint.
func (s *pct) Restore(checkpoint []byte) error {
	var k pctState
	if err := unpack(checkpoint, &k); err != nil {
		return err
	}
	s.Reset(uint64(k.Seeds))
	s.length, s.drawn, s.last, s.round, s.recent = k.Length, k.Drawn, k.Last, k.Round, k.Recent
	return nil
}

// Depth is that of the bugs that the schedule has a known chance of meeting.
func (s priorities) Depth() int {
	if s.Short {
		return 1
	}
	return s.Deep
}
