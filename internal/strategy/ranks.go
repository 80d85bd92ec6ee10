package strategy

import "github.com/jacquard-go/jacquard/internal/schedule"

// A passer picks among those that are not held; held is by place in p.Runnable, and nil
// holds nobody.
type passer interface {
	among(p *schedule.Point, held []bool) schedule.Choice
}

// A rankPicker gives each goroutine a rank and runs the first that can, as PCT does
// between its change points: nobody is preempted but for one that is held no more.
type rankPicker struct {
	random schedule.RNG
	rank   []uint64 // of each goroutine, by its number; 0 is none yet
	low    uint64   // falls with every yield
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
