package strategy

import (
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// POS, partial order sampling, gives every pending operation a random priority and runs
// the one with the highest; the operations that conflict with it then draw new
// priorities (Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling, CAV 2018,
// algorithm 2). So the order of each pair of conflicting operations is drawn
// independently, and orders that do not matter cost nothing.
//
// Departures: a goroutine that yields, or runs for too long, draws a new priority below
// all others. A select's ready case is chosen uniformly.
func POS() schedule.Strategy { return &pos{} }

type pos struct {
	schedule.Drawn
	seeds schedule.RNG
}

// posLow separates the priorities of goroutines that have yielded, which are below,
// from all others.
const posLow = 1 << 32

func (*pos) Name() string { return "pos" }

func (s *pos) Reset(seed uint64) { *s = pos{seeds: schedule.RNG(seed)} }

func (s *pos) Begin() (uint64, bool) { return s.Take(s.Draw()) }

func (*pos) End(schedule.Trace) {}

func (s *pos) Draw() (schedule.Schedule, bool) { return partialOrder{Seed: s.seeds.Next()}, true }

func (*pos) Ran(schedule.Schedule, schedule.Trace) {}

// A partialOrder is one schedule of POS.
type partialOrder struct{ Seed uint64 }

func (s partialOrder) Start() (schedule.Picker, uint64) {
	return &posPicker{random: schedule.RNG(s.Seed), low: posLow}, s.Seed
}

type posPicker struct {
	random   schedule.RNG
	priority []uint64 // of the pending operation, by goroutine; 0 is none yet
	low      uint64   // decreases with every yield
}

func (s *posPicker) Pick(p *schedule.Point) schedule.Choice { return s.among(p, nil) }

// among picks a goroutine that is not held, by its index in p.Runnable; nil holds none.
func (s *posPicker) among(p *schedule.Point, held []bool) schedule.Choice {
	for len(s.priority) <= p.Created {
		s.priority = append(s.priority, 0)
	}
	for _, id := range p.Runnable {
		if s.priority[id] == 0 {
			s.priority[id] = s.random.Next()>>1 + posLow
		}
	}
	if p.Current >= 0 && p.Yielded {
		s.low--
		s.priority[p.Runnable[p.Current]] = s.low
	}
	best := -1
	for i, id := range p.Runnable {
		if (held == nil || !held[i]) && (best < 0 || s.priority[id] > s.priority[p.Runnable[best]]) {
			best = i
		}
	}
	chosen := p.Runnable[best]
	for _, id := range p.Runnable {
		if id == chosen || p.Pending[id].Conflicts(p.Pending[chosen]) {
			s.priority[id] = 0
		}
	}
	return schedule.Choice{Index: best, Case: uint32(s.random.Next() >> 32)}
}

// Checkpoint saves the state of the random numbers.
func (s *pos) Checkpoint() ([]byte, error) { return pack(s.seeds) }

// Restore resumes from a checkpoint.
func (s *pos) Restore(checkpoint []byte) error {
	s.Reset(0)
	return unpack(checkpoint, &s.seeds)
}
