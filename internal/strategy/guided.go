package strategy

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// Guided begins most schedules with a prefix of one that reached something new, up to
// that point or an earlier one, and continues by POS. So a bug that takes several
// unlikely steps in a row is approached step by step, and need not be met by one schedule
// from its beginning (greybox fuzzing, with schedules in place of inputs: Wolff, Shi,
// Duck, Mathur, Roychoudhury: Greybox Fuzzing for Concurrency Testing, ASPLOS 2024).
//
// What counts as new is a constellation: the place in the code of a step, and the places
// at which the other goroutines will continue, regardless of which goroutine is at which.
//
// Departures: the paper's schedules are sets of pairs of a write and a read of its value,
// and new pairs count as novelty; here schedules are the decisions themselves. One schedule
// in eight is plain POS. The corpus is bounded: see mostTurns. Guided is no Drawer, because
// a schedule depends on the traces of all earlier ones, including their steps.
func Guided() schedule.Strategy { return &guided{} }

type guided struct {
	random schedule.RNG
	kept   []course
	turns  int // in all courses of kept
	corpus []beginning
	met    map[uint64]int // how many times each constellation was met
	picker guidedPicker
}

// mostTurns and mostConstellations bound the corpus. Later constellations do not count
// as new.
const (
	mostTurns          = 1 << 20
	mostConstellations = 1 << 16
)

// A course is the seed and the decisions of a schedule.
type course struct {
	Seed  uint64
	Turns []turn
}

// A beginning is the decisions of a course up to a new constellation.
type beginning struct {
	Course int
	Turns  int
	New    uint64 // the constellation
	Used   int    // how many schedules have begun with it
}

// A turn is a decision: the goroutine, and the case of its select.
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

// draw returns, of a random sample, the beginning with the fewest uses and the rarest
// constellation. By trial, on a lock-free stack, one use weighs as much as four meetings.
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

// End keeps the beginnings of the schedule that lead to new constellations.
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
		if !known && decided > last { // else no decision separates it from the previous one
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

// constellations returns, for each step, a hash of its place and of the places of the
// other goroutines' next steps.
func constellations(steps []schedule.Step) []uint64 {
	all := make([]uint64, len(steps))
	var next []uint64 // by goroutine: place of its next step; 0 if there is none
	sum := uint64(0)  // of next, regardless of which goroutine is where
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

// A guidedPicker runs one schedule.
type guidedPicker struct {
	turns []turn // how it begins
	rest  posPicker
	seed  uint64
	at    []int // by decision: the number of steps before it
}

func (s *guidedPicker) Pick(p *schedule.Point) schedule.Choice {
	s.at = append(s.at, len(p.Steps))
	if i := len(s.at) - 1; i < len(s.turns) {
		if at := slices.Index(p.Runnable, s.turns[i].Goroutine); at >= 0 {
			return schedule.Choice{Index: at, Case: s.turns[i].Case}
		}
		s.turns = nil // the program does not behave as before
	}
	return s.rest.Pick(p)
}

// A guidedState is what determines the next schedules.
type guidedState struct {
	Random schedule.RNG
	Kept   []course
	Corpus []beginning
	Met    map[uint64]int
}

// Checkpoint saves the corpus.
func (s *guided) Checkpoint() ([]byte, error) {
	return pack(guidedState{s.random, s.kept, s.corpus, s.met})
}

// Restore resumes from a checkpoint.
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
