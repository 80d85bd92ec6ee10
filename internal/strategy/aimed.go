package strategy

import (
	"math"
	"strings"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// Aimed looks for a failure seen elsewhere, given the places in its report. It holds
// goroutines just before operations there, or before operations that have led there, until no
// other can continue, or until another one has changed the object. Goroutines that waited for
// ever are held just before the operation in which they waited (Sen: Race Directed Random
// Testing of Concurrent Programs, PLDI 2008, section 3; Joshi, Park, Sen, Naik: A Randomized
// Dynamic Program Analysis Technique for Detecting Real Deadlocks, PLDI 2009, section 3).
//
// Departures: there is no analysis beforehand. What leads to a place is learnt from the
// schedules so far: earlier operations of the same goroutine, and changes by others. If
// goroutines waited for ever, the first schedule holds all of them where they waited. After a
// check or a panic the next few schedules hold one goroutine, or all, as near to the target as
// they were not held yet; after a race they hold goroutines that have passed a target. Which
// goroutine to hold, where, and at which of several operations at that place is drawn anew for
// each later schedule.
// In every other such schedule, goroutines near a target go first, and so do those that begin or
// start others. One schedule in three, or in six if goroutines waited, is Directed's, every other
// time with demands near a target only.
func Aimed(a Aim) schedule.Strategy { return &aimed{aim: a} }

// An Aim is what is known of a failure.
type Aim struct {
	Targets []string // see [schedule.Aimer]
	Waiting bool     // goroutines waited at the targets for ever
	Racing  bool     // the targets are two unordered accesses
}

type aimed struct {
	aim    Aim
	random schedule.RNG
	met    relations
	ways   ways
	held   map[stop]int // how often each stop was used
	picker directedPicker
}

func (*aimed) Name() string { return "aimed" }

// Targets returns the places at which the strategy is directed.
func (s *aimed) Targets() []string { return s.aim.Targets }

func (s *aimed) Reset(seed uint64) {
	*s = aimed{aim: s.aim, random: schedule.RNG(seed), met: newRelations(), ways: newWays(), held: make(map[stop]int)}
}

func (s *aimed) Begin() (uint64, bool) {
	seed := s.random.Next()
	s.picker = directedPicker{rest: &posPicker{random: schedule.RNG(seed), low: posLow}, patience: max(s.met.Longest, 50)}
	if s.wide() {
		s.picker.demands = s.met.draw(&s.random, s.places())
		return seed, true
	}
	early := s.early()
	if s.aim.Racing && (early || len(s.ways.Best) > 0 && s.random.N(3) == 0) {
		s.picker.rest = &rankPicker{random: schedule.RNG(seed), low: posLow}
		s.picker.demands = s.passed()
		return seed, true
	}
	if early || s.random.N(3) > 0 || s.aim.Waiting && s.random.N(3) > 0 {
		s.picker.rest = &rankPicker{random: schedule.RNG(seed), low: posLow}
	}
	if s.picker.drive = s.random.N(2) == 0 || early && s.met.Runs == 1 || s.aim.Waiting && s.met.Runs == 0; s.picker.drive {
		s.picker.patience *= 2
	}
	s.picker.demands = s.demands()
	return seed, true
}

// early reports whether a target was met, and the next schedule is one of the few after the
// first that hold goroutines as near to it as possible.
func (s *aimed) early() bool {
	return !s.aim.Waiting && len(s.ways.Best) > 0 && s.met.Runs <= firsts
}

// firsts is how many schedules after the first hold goroutines as near as possible.
const firsts = 3

// wide reports whether the next schedule is Directed's.
func (s *aimed) wide() bool {
	known, first := len(s.ways.Best) > 0, s.met.Runs == 0
	if s.aim.Waiting {
		return !first && (!known || s.random.N(6) == 0)
	}
	return !s.early() && (s.random.N(3) == 0 || !known && !first)
}

func (s *aimed) Pick(p *schedule.Point) schedule.Choice { return s.picker.Pick(p) }

func (s *aimed) End(run schedule.Trace) {
	s.met.learn(run)
	s.ways.learn(run)
}

// demands returns the demands of a directed schedule.
func (s *aimed) demands() []demand {
	known := len(s.ways.Best) > 0
	switch {
	case s.aim.Waiting && (!known || s.random.N(5) > 0):
		all := s.waits()
		if known && (s.random.N(4) == 0 || s.ways.unmet(len(all)) && s.random.N(3) > 0) {
			all = append(all, s.next())
		}
		return all
	case s.early():
		return []demand{s.next()}
	case known:
		return s.several()
	}
	return s.first()
}

// passed holds goroutines that have passed a target, or none: who has made one of two unordered
// accesses must not synchronise with others before the second one.
func (s *aimed) passed() (all []demand) {
	if s.met.Runs > 1 && s.random.N(2) == 0 {
		return nil
	}
	for _, b := range s.ways.Best {
		for _, site := range b.Sites {
			for _, next := range s.ways.Next[site] {
				if !s.ways.Near[next] || s.random.N(2) == 0 {
					all = append(all, demand{pair: pair{never, next}})
				}
			}
		}
	}
	return all
}

// next holds one goroutine, or all of them, at a near place at which few were held so far.
func (s *aimed) next() (best demand) {
	least := math.MaxInt
	for i, site := range s.ways.order(s.met.Changes, s.aim.Waiting) {
		for k := range 2 {
			d := demand{pair: pair{never, site}, one: k == 0}
			if cost := 10*(i+k+heldCost*s.held[stop{site, 0, d.one}]) + s.random.N(10); cost < least {
				best, least = d, cost
			}
		}
	}
	s.held[stop{best.Place, 0, best.one}]++
	return best
}

// heldCost is how many places farther away a goroutine is held instead of once more in the same way.
const heldCost = 4

// places returns the places for Directed's demands: every other time those near a target.
func (s *aimed) places() []uint64 {
	if near := s.ways.nearOnes(s.met.Places); len(near) > 0 && s.random.N(2) == 0 {
		return near
	}
	return s.met.Places
}

// first holds the first goroutines near a target, while nothing is known of the targets.
func (s *aimed) first() []demand {
	if len(s.aim.Targets) == 0 {
		return nil
	}
	target := s.random.N(min(len(s.aim.Targets), 256))
	return []demand{{pair: pair{After: never}, at: mark{schedule.SameLine, uint8(target)}, skip: s.random.N(3), one: true}}
}

// several returns demands at places that may lead to a target; of a few sets, the newest.
func (s *aimed) several() (best []demand) {
	n, news := 1, -1
	for n < mostAims && s.random.N(2) == 0 {
		n++
	}
	for range 4 {
		var all []demand
		for range n {
			all = append(all, s.some())
		}
		if got := s.met.news(all) - s.again(all); got > news || best == nil {
			best, news = all, got
		}
	}
	for _, d := range best {
		s.held[stop{d.Place, d.skip, d.one}]++
	}
	return best
}

// again counts how often goroutines were held as these demands ask.
func (s *aimed) again(all []demand) (n int) {
	for _, d := range all {
		if d.After == never {
			n += s.held[stop{d.Place, d.skip, d.one}]
		}
	}
	return n
}

// A stop is a way in which a goroutine was held until no other could continue.
type stop struct {
	Place uint64
	Skip  int
	One   bool
}

// mostAims bounds the places at which one schedule holds goroutines.
const mostAims = 3

// waits holds goroutines that come to where some waited, or to some of these places.
func (s *aimed) waits() []demand {
	var all []demand
	fresh := s.met.Runs == 0
	some := !fresh && s.random.N(3) == 0
	for t, target := range s.aim.Targets[:min(len(s.aim.Targets), 256)] {
		if some && s.random.N(2) == 0 {
			continue
		}
		near, often := s.ways.waits(t)
		if fresh && strings.Contains(target, "\n") {
			near = schedule.ExactStack
		}
		d := demand{pair: pair{After: never}, at: mark{near, uint8(t)}, one: !fresh && s.random.N(6) == 0, keep: true}
		if s.random.N(3) == 0 {
			d.skip = s.random.N(often)
		}
		all = append(all, d)
	}
	return all
}

// some holds a goroutine where that may lead to a target.
func (s *aimed) some() demand {
	d := s.hold(s.ways.place(&s.random, s.met.Changes, s.aim.Racing || s.aim.Waiting))
	changes := s.ways.telling(s.met.Changes[d.Place])
	if len(changes) > 0 && (s.random.N(3) == 0 || s.aim.Racing && s.random.N(2) == 0) {
		d.After, d.rivals, d.once = changes[s.random.N(len(changes))], changes, s.random.N(2) == 0
		if near := s.ways.nearOnes(changes); len(near) > 0 && s.random.N(2) == 0 {
			d.After = near[s.random.N(len(near))]
		}
	}
	return d
}

// hold holds a goroutine at a place until no other can continue.
func (s *aimed) hold(place uint64) demand {
	d := demand{pair: pair{never, place}, one: s.random.N(2) == 0}
	if often := s.ways.Often[place]; often > 1 && s.random.N(3) == 0 {
		d.skip = s.random.N(often)
	}
	return d
}

// An aimedState is what determines the next schedules.
type aimedState struct {
	Random schedule.RNG
	Met    relations
	Ways   ways
	Held   map[stop]int
}

// Checkpoint saves what was learnt.
func (s *aimed) Checkpoint() ([]byte, error) {
	return pack(aimedState{s.random, s.met, s.ways, s.held})
}

// Restore resumes from a checkpoint.
func (s *aimed) Restore(checkpoint []byte) error {
	k := aimedState{Met: newRelations(), Ways: newWays(), Held: make(map[stop]int)}
	if err := unpack(checkpoint, &k); err != nil {
		return err
	}
	*s = aimed{aim: s.aim, random: k.Random, met: k.Met, ways: k.Ways, held: k.Held}
	return nil
}
