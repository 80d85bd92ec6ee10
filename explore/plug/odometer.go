package plug

import (
	"encoding/json"

	"github.com/jacquard-go/jacquard/explore"
)

// New returns a search that runs every schedule of a body without selects: it
// enumerates the choices like an odometer, the last one fastest.
func New() explore.Strategy { return new(odometer) }

type odometer struct {
	state
	at   int // index of the next decision of the current schedule
	pre  int // preemptions of the current schedule
	over bool
}

// state is everything that determines the schedules still to come.
type state struct {
	Seed   uint64
	Wheels []wheel
	Run    int // schedules run
	Most   int // most preemptions of any schedule
}

// A wheel is a decision: the index of the chosen goroutine, and how many could be chosen.
type wheel struct{ Chosen, Of int }

func (*odometer) Name() string { return "odometer" }

func (s *odometer) Reset(seed uint64) { *s = odometer{state: state{Seed: seed}} }

func (s *odometer) Begin() (uint64, bool) {
	s.at, s.pre = 0, 0
	return s.Seed, !s.over
}

func (s *odometer) Pick(p *explore.Point) explore.Choice {
	if s.at == len(s.Wheels) {
		s.Wheels = append(s.Wheels, wheel{Of: len(p.Runnable)})
	}
	chosen := s.Wheels[s.at].Chosen
	s.at++
	if p.Preempts(chosen) {
		s.pre++
	}
	return explore.Choice{Index: chosen}
}

func (s *odometer) End(explore.Trace) {
	s.Run++
	s.Most = max(s.Most, s.pre)
	for n := len(s.Wheels); n > 0; n-- {
		if last := &s.Wheels[n-1]; last.Chosen+1 < last.Of {
			last.Chosen++
			return
		}
		s.Wheels = s.Wheels[:n-1]
	}
	s.over = true
}

func (s *odometer) Exhausted() explore.Extent {
	return explore.Extent{Complete: s.over, Bound: s.Most, Schedules: s.Run}
}

func (s *odometer) Checkpoint() ([]byte, error) { return json.Marshal(s.state) }

func (s *odometer) Restore(checkpoint []byte) error {
	s.Reset(0)
	return json.Unmarshal(checkpoint, &s.state)
}

var (
	_ explore.Exhauster    = (*odometer)(nil)
	_ explore.Checkpointer = (*odometer)(nil)
)
