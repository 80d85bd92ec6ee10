package strategy

import (
	"maps"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// SURW, selectively uniform random walk, chooses the next goroutine with a
// probability proportional to how many decisions it has left, so that every
// interleaving of the goroutines' decisions is about equally likely (Zhao et
// al.: Selectively Uniform Concurrency Testing, ASPLOS 2025, section 4). A plain
// random walk favours interleavings in which short goroutines end early.
//
// Departures: the counts are not profiled beforehand but learnt, as the average over the
// schedules so far, so the first schedule is a plain random walk. All scheduling points
// are of interest; none is selected. Goroutines are identified by the order of their
// creation. The decisions of goroutines that have yet to start count as the body's, which
// starts most of them; otherwise the body would rarely start the last while the first has
// much to do. A goroutine that has used up its count has one decision left; one that
// yields, or runs for too long, is passed over if another can run. A select's ready case
// is chosen uniformly.
func SURW() schedule.Strategy { return &surw{} }

type surw struct {
	schedule.Drawn
	seeds schedule.RNG
	total map[uint32]int // decisions by goroutine, in all schedules
	runs  int
	mean  map[uint32]int // decisions by goroutine, in one schedule; nil if out of date
}

func (*surw) Name() string { return "surw" }

func (s *surw) Reset(seed uint64) { *s = surw{seeds: schedule.RNG(seed), total: make(map[uint32]int)} }

func (s *surw) Begin() (uint64, bool) { return s.Take(s.Draw()) }

func (s *surw) End(run schedule.Trace) { s.Ran(s.Schedule, run) }

func (s *surw) Draw() (schedule.Schedule, bool) {
	if s.mean == nil && s.runs > 0 {
		s.mean = make(map[uint32]int, len(s.total))
		for id, n := range s.total {
			s.mean[id] = (n + s.runs - 1) / s.runs
		}
	}
	return counted{Seed: s.seeds.Next(), Mean: s.mean}, true
}

func (s *surw) Ran(_ schedule.Schedule, run schedule.Trace) {
	for _, d := range run.Decisions {
		s.total[d.Goroutine]++
	}
	s.runs++
	s.mean = nil
}

// A counted is one schedule of SURW.
type counted struct {
	Seed uint64
	Mean map[uint32]int // estimated decisions by goroutine; never changed
}

func (s counted) Start() (schedule.Picker, uint64) {
	most := uint32(0)
	for id := range s.Mean {
		most = max(most, id)
	}
	p := &surwPicker{random: schedule.RNG(s.Seed), left: make([]int, most+1), unborn: make([]int, most+2)}
	for id := most; id > 0; id-- {
		p.left[id] = s.Mean[id]
		p.unborn[id] = p.unborn[id+1] + s.Mean[id]
	}
	return p, s.Seed
}

type surwPicker struct {
	random  schedule.RNG
	left    []int // estimated decisions left, by goroutine
	unborn  []int // by number: estimated decisions of all goroutines from that number on
	weights []int // reused
}

func (s *surwPicker) Pick(p *schedule.Point) schedule.Choice {
	sum := 0
	for len(s.left) <= p.Created {
		s.left = append(s.left, 0)
	}
	weights := s.weights[:0]
	for i, id := range p.Runnable {
		weight := 0
		if i != p.Current || !p.Yielded || len(p.Runnable) == 1 {
			weight = s.weight(id, p.Created)
		}
		weights = append(weights, weight)
		sum += weight
	}
	s.weights = weights
	chosen := 0
	for toss := s.random.N(sum); toss >= weights[chosen]; chosen++ {
		toss -= weights[chosen]
	}
	s.left[p.Runnable[chosen]]--
	return schedule.Choice{Index: chosen, Case: uint32(s.random.Next() >> 32)}
}

// weight estimates a goroutine's remaining decisions, at least one. created is how many
// goroutines exist so far.
func (s *surwPicker) weight(id uint32, created int) int {
	n := max(s.left[id], 1)
	if id == 1 && created+1 < len(s.unborn) {
		n += s.unborn[created+1]
	}
	return n
}

// A surwState is what determines the next schedules.
type surwState struct {
	Seeds schedule.RNG
	Total map[uint32]int
	Runs  int
}

// Checkpoint saves the learnt counts.
func (s *surw) Checkpoint() ([]byte, error) { return pack(surwState{s.seeds, s.total, s.runs}) }

// Restore resumes from a checkpoint.
func (s *surw) Restore(checkpoint []byte) error {
	var k surwState
	if err := unpack(checkpoint, &k); err != nil {
		return err
	}
	s.Reset(uint64(k.Seeds))
	s.runs = k.Runs
	maps.Copy(s.total, k.Total)
	return nil
}
