package explore

import (
	"fmt"
	"slices"
)

// A likeness says what must agree for a place to be the one that an anchor
// names.
type likeness struct {
	path     bool // goroutines go by their descent, and not by their names
	step     bool // the number of the goroutine's step is all that counts
	function bool // operations count in their function
	object   bool // and on their object
}

// likenesses come in the order in which they are tried. An edit that leaves the
// code of the failure as it was is met by the first; one that adds an operation
// on another object by the second, shifted; a renamed function by the third; a
// renamed goroutine by the next two.
var likenesses = []likeness{
	{function: true, object: true}, {function: true}, {}, {path: true, function: true}, {path: true}, {step: true},
}

// A seeker follows a card in another program: it looks for the places that its
// anchors name, each as often as it says plus a shift, and runs there whom the
// card has run.
type seeker struct {
	card   *card
	like   likeness
	shift  []int // for each anchor
	ex     *execution
	met    []bool
	missed []string // what was in the way where an anchor's goroutine could not be run
	names  map[uint32]string
}

func (s *seeker) seek(ex *execution) picker {
	s.ex, s.names = ex, make(map[uint32]string)
	s.met, s.missed = make([]bool, len(s.card.anchors)), make([]string, len(s.card.anchors))
	ex.places = newTracker(ex)
	return s
}

func (s *seeker) Pick(p *Point) Choice {
	for i, a := range s.card.anchors {
		if s.met[i] || !s.here(i) {
			continue
		}
		for j, id := range p.Runnable {
			if s.is(id, a.target) {
				s.met[i] = true
				return Choice{Index: j, Case: s.card.deviations[i].choice.Case}
			}
		}
		s.missed[i] = s.stands(s.ex.last) + ", and " + s.card.people[a.target].name.quoted("goroutine") + " not able to run"
	}
	return Choice{Index: p.Default()}
}

// is reports whether a goroutine is the one that a card calls people[i].
func (s *seeker) is(id uint32, i int) bool {
	p := s.card.people[i]
	if s.like.path {
		return slices.Equal(p.path, s.ex.places.path(id))
	}
	if s.names[id] == "" {
		s.names[id] = s.ex.identity(id)
	}
	return p.name.is(s.names[id])
}

// here reports whether the goroutine that ran last stands where anchor i says.
func (s *seeker) here(i int) bool {
	a, id := s.card.anchors[i], s.ex.last
	if id == 0 || a.who < 0 {
		return id == 0 && a.who < 0
	}
	if !s.is(id, a.who) {
		return false
	}
	p := s.ex.places.last(id)
	if s.like.step {
		return len(s.ex.places.places[id]) == a.step+s.shift[i]
	}
	if p.state != a.state || !a.op.is(p.op) {
		return false
	}
	switch {
	case !s.like.function:
		return p.anywhere == a.anywhere+s.shift[i]
	case !a.function.is(p.function):
		return false
	case !s.like.object:
		return p.inFunction == a.inFunction+s.shift[i]
	}
	return p.object == a.object && p.onObject == a.onObject+s.shift[i]
}

// strict reports whether the seeker looks for operations, and where the card has
// them.
func (s *seeker) strict() bool {
	return !s.like.step && !slices.ContainsFunc(s.shift, func(by int) bool { return by != 0 })
}

// count is how many anchors were met.
func (s *seeker) count() int {
	n := 0
	for _, met := range s.met {
		if met {
			n++
		}
	}
	return n
}

// divergence is the first anchor that was not met.
func (s *seeker) divergence() *Divergence {
	for i, a := range s.card.anchors {
		if !s.met[i] {
			return &Divergence{
				Decision: s.card.deviations[i].at + 1, Decisions: s.card.decisions,
				Expected: a.text(s.card.people), Got: s.instead(i),
			}
		}
	}
	return nil
}

// instead says what was there in place of what anchor i names.
func (s *seeker) instead(i int) string {
	a := s.card.anchors[i]
	switch {
	case s.missed[i] != "":
		return s.missed[i]
	case a.who < 0:
		return "no choice there"
	}
	for id := uint32(1); int(id) <= s.ex.e.Len(); id++ {
		if !s.is(id, a.who) {
			continue
		}
		name, places := s.ex.identity(id), s.ex.places.places[id]
		switch {
		case len(places) == 0:
			return fmt.Sprintf("%q never run", name)
		case len(places) < a.step:
			return fmt.Sprintf("%q %s after %s", name, places[len(places)-1], plural(len(places), "step"))
		}
		return fmt.Sprintf("%q %s", name, places[a.step-1])
	}
	return "no goroutine " + s.card.people[a.who].name.quoted("called")
}

func (s *seeker) stands(id uint32) string {
	if id == 0 {
		return "the start of the execution"
	}
	return fmt.Sprintf("%q %s", s.ex.identity(id), s.ex.places.last(id))
}
