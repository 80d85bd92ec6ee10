package plug

import (
	"encoding/json"

	"github.com/jacquard-go/jacquard/explore"
)

// New makes a search that runs every schedule of a body without selects: it counts
// the choices through, the last one fastest.
func New() explore.Strategy { return new(odometer) }

type odometer struct {
	state
	at   int // decisions of the schedule that is being run
	pre  int // preemptions of it
	over bool
}

// state is all that the next schedules depend on.
type state struct {
	Seed   uint64
	Wheels []wheel
	Run    int // schedules
	Most   int // preemptions of one of them
}

// wheel is a decision: which goroutine is chosen, of how many.
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
