package strategy

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// Guided begins most schedules as one that came to something new, up to somewhere
// before that or there, and goes on by POS. So what takes several unlikely steps, one
// behind the other, is met step by step, and need not be met by one schedule from its
// beginning (greybox fuzzing, with schedules in place of inputs: Wolff, Shi, Duck,
// Mathur, Roychoudhury: Greybox Fuzzing for Concurrency Testing, ASPLOS 2024).
//
// What is new is a constellation: the place in the code of a step, and the places at
// which the other goroutines are about to go on, whichever goroutine is at which.
//
// Departures: the paper's schedules are sets of pairs of a write and a read that takes
// its value, and such pairs are what is new; here they are the decisions themselves.
// One schedule in eight is plain POS. What is kept is bounded: see mostTurns. It is no
// Drawer: a schedule depends on what all before it came to, steps included.
func Guided() schedule.Strategy { return &guided{} }

type guided struct {
	random schedule.RNG
	kept   []course
	turns  int // in all that is kept
	corpus []beginning
	met    map[uint64]int // how often each constellation was
	picker guidedPicker
}

// mostTurns and mostConstellations bound what is kept. What comes later is as if it were
// not new.
const (
	mostTurns          = 1 << 20
	mostConstellations = 1 << 16
)

// A course is what a schedule was.
type course struct {
	Seed  uint64
	Turns []turn
}

// A beginning is the decisions of a course up to a constellation that was new.
type beginning struct {
	Course int
	Turns  int
	New    uint64 // the constellation
	Used   int    // how many schedules have begun so
}

// A turn is a decision: whose turn it is, and which case of its select is taken.
type turn struct{ Goroutine, Case uint32 }

func (*guided) Name() string { return "guided" }

func (s *guided) Reset(seed uint64) {
	*s = guided{random: schedule.RNG(seed), met: make(map[uint64]int)}
}

func (s *guided) Begin() (uint64, bool) {
	seed := s.random.Next()
	s.picker = guidedPicker{rest: posPicker{random: schedule.RNG(seed), low: posLow}, seed: seed, at: s.picker.at[:0]}
	if len(s.corpus) > 0 && s.random.N(8) > 0 {
		b := s.draw()
		b.Used++
		n := s.random.N(b.Turns + 1)
		s.picker.seed, s.picker.turns = s.kept[b.Course].Seed, s.kept[b.Course].Turns[:n]
	}
	return s.picker.seed, true
}

// draw takes, of some at random, the one that has been used least and whose constellation
// is the rarest. A use weighs as much as four meetings: by trial, on a lock-free stack.
func (s *guided) draw() *beginning {
	var best *beginning
	weight := func(b *beginning) int { return 4*b.Used + s.met[b.New] }
	for range 30 {
		if b := &s.corpus[s.random.N(len(s.corpus))]; best == nil || weight(b) < weight(best) {
			best = b
		}
	}
	return best
}

func (s *guided) Pick(p *schedule.Point) schedule.Choice { return s.picker.Pick(p) }

// End keeps the beginnings of the schedule that lead to constellations that are new.
func (s *guided) End(run schedule.Trace) {
	at := s.picker.at[:min(len(s.picker.at), len(run.Decisions))]
	if s.turns+len(at) > mostTurns {
		return
	}
	before, decided, last := len(s.corpus), 0, -1
	for j, c := range constellations(run.Steps) {
		for decided < len(at) && at[decided] <= j {
			decided++
		}
		known := s.met[c] > 0
		if !known && len(s.met) == mostConstellations {
			continue
		}
		s.met[c]++
		if !known && decided > last { // else no decision lies between it and the one before
			s.corpus = append(s.corpus, beginning{Course: len(s.kept), Turns: decided, New: c})
			last = decided
		}
	}
	if len(s.corpus) == before {
		return
	}
	whole := course{Seed: s.picker.seed, Turns: make([]turn, last)}
	for i := range whole.Turns {
		whole.Turns[i] = turn{run.Decisions[i].Goroutine, run.Decisions[i].Chosen.Case}
	}
	s.kept, s.turns = append(s.kept, whole), s.turns+last
}

// constellations has, for each step, a hash of its place and of the places of what the
// other goroutines do next.
func constellations(steps []schedule.Step) []uint64 {
	all := make([]uint64, len(steps))
	var next []uint64 // of each goroutine, 0 if it does nothing more
	sum := uint64(0)  // of next: whichever goroutine is where
	for j, s := range slices.Backward(steps) {
		for int(s.Goroutine) >= len(next) {
			next = append(next, 0)
		}
		sum -= next[s.Goroutine]
		place := s.Operation.Site
		all[j] = schedule.Mix(sum, place)
		next[s.Goroutine] = place
		sum += place
	}
	return all
}

// A guidedPicker is one schedule.
type guidedPicker struct {
	turns []turn // how it begins
	rest  posPicker
	seed  uint64
	at    []int // the step that each decision was before
}

func (s *guidedPicker) Pick(p *schedule.Point) schedule.Choice {
	s.at = append(s.at, len(p.Steps))
	if i := len(s.at) - 1; i < len(s.turns) {
		if at := slices.Index(p.Runnable, s.turns[i].Goroutine); at >= 0 {
			return schedule.Choice{Index: at, Case: s.turns[i].Case}
		}
		s.turns = nil // it is another program than it was
	}
	return s.rest.Pick(p)
}

// A guidedState is what the next schedules depend on.
type guidedState struct {
	Random schedule.RNG
	Kept   []course
	Corpus []beginning
	Met    map[uint64]int
}

// Checkpoint has what was met, and how.
func (s *guided) Checkpoint() ([]byte, error) {
	return pack(guidedState{s.random, s.kept, s.corpus, s.met})
}

// Restore goes on from a checkpoint.
func (s *guided) Restore(checkpoint []byte) error {
	k := guidedState{Met: make(map[uint64]int)}
	if err := unpack(checkpoint, &k); err != nil {
		return err
	}
	s.Reset(0)
	s.random, s.kept, s.corpus, s.met = k.Random, k.Kept, k.Corpus, k.Met
	for _, c := range k.Kept {
		s.turns += len(c.Turns)
	}
	return nil
}
