package strategy

import "github.com/jacquard-go/jacquard/internal/schedule"

// A passer picks among the goroutines that are not held; held is by index in
// p.Runnable, and nil holds none.
type passer interface {
	among(p *schedule.Point, held []bool) schedule.Choice
}

// A rankPicker gives each goroutine a rank and runs the first that can, as PCT does between
// its change points: it preempts only for a goroutine that has been released from being held.
type rankPicker struct {
	random schedule.RNG
	rank   []uint64 // by goroutine; 0 is none yet
	low    uint64   // decreases with every yield
}

func (s *rankPicker) among(p *schedule.Point, held []bool) schedule.Choice {
	for len(s.rank) <= p.Created {
		s.rank = append(s.rank, 0)
	}
	if p.Current >= 0 && p.Yielded {
		s.low--
		s.rank[p.Runnable[p.Current]] = s.low
	}
	best := -1
	for i, id := range p.Runnable {
		if s.rank[id] == 0 {
			s.rank[id] = s.random.Next()>>1 + posLow
		}
		if (held == nil || !held[i]) && (best < 0 || s.rank[id] > s.rank[p.Runnable[best]]) {
			best = i
		}
	}
	return schedule.Choice{Index: best, Case: uint32(s.random.Next() >> 32)}
}
