package strategy

import (
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// RandomWalk chooses uniformly among the goroutines that can run, at every point. In
// the study of Thomson, Donaldson and Betts (Concurrency Testing Using Controlled
// Schedulers, TOPC 2016) it did as well as far more complex searches. It has no
// parameters.
func RandomWalk() schedule.Strategy { return &randomWalk{} }

type randomWalk struct {
	schedule.Drawn
	seeds schedule.RNG
}

func (*randomWalk) Name() string { return "random" }

func (s *randomWalk) Reset(seed uint64) { *s = randomWalk{seeds: schedule.RNG(seed)} }

func (s *randomWalk) Begin() (uint64, bool) { return s.Take(s.Draw()) }

func (*randomWalk) End(schedule.Trace) {}

func (s *randomWalk) Draw() (schedule.Schedule, bool) { return walk{Seed: s.seeds.Next()}, true }

func (*randomWalk) Ran(schedule.Schedule, schedule.Trace) {}

// A walk is one random walk.
type walk struct{ Seed uint64 }

func (w walk) Start() (schedule.Picker, uint64) { return &walker{schedule.RNG(w.Seed)}, w.Seed }

type walker struct{ random schedule.RNG }

func (w *walker) Pick(p *schedule.Point) schedule.Choice {
	return schedule.Choice{Index: w.random.N(len(p.Runnable)), Case: uint32(w.random.Next() >> 32)}
}

// Checkpoint saves the state of the random numbers.
func (s *randomWalk) Checkpoint() ([]byte, error) { return pack(s.seeds) }

// Restore resumes from a checkpoint.
func (s *randomWalk) Restore(checkpoint []byte) error {
	s.Reset(0)
	return unpack(checkpoint, &s.seeds)
}
