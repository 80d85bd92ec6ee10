package card

import (
	"fmt"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// A Likeness says what must agree for an operation to match an
// anchor.
type Likeness struct {
	path     bool // compare goroutines by ancestry, not by name
	step     bool // compare only the number of the goroutine's step
	function bool // count operations within their function
	object   bool // and on their object
}

// Likenesses are in the order in which they are tried. An edit that leaves the code of
// the failure unchanged is matched by the first; one that adds an operation on another
// object by the second, shifted; a renamed function by the third; a renamed goroutine
// by the next two.
var Likenesses = []Likeness{
	{function: true, object: true}, {function: true}, {}, {path: true, function: true}, {path: true}, {step: true},
}

// A Seeker follows a card in another program: it looks for the operations that its
// anchors name, each at the occurrence that the card says plus a shift, and runs the
// goroutine there that the card has run.
type Seeker struct {
	Card   *Card
	Like   Likeness
	Shift  []int // by anchor: the offset of its occurrence
	ex     *engine.Execution
	Met    []bool
	missed []string // by anchor: what prevented running its goroutine
	names  map[uint32]string
	sums   map[string]uint32 // hashes of the texts compared with the words of the card
}

func (s *Seeker) Seek(ex *engine.Execution) schedule.Picker {
	s.ex, s.names, s.sums = ex, make(map[uint32]string), make(map[string]uint32)
	s.Met, s.missed = make([]bool, len(s.Card.Anchors)), make([]string, len(s.Card.Anchors))
	ex.Tracker = engine.NewTracker(ex)
	return s
}

// Stall returns for how long goroutines may be held up.
func (s *Seeker) Stall(time.Duration) time.Duration { return s.Card.Stall }

func (s *Seeker) Pick(p *schedule.Point) schedule.Choice {
	for i, a := range s.Card.Anchors {
		if s.Met[i] || !s.here(i) {
			continue
		}
		for j, id := range p.Runnable {
			if s.is(id, a.target) {
				s.Met[i] = true
				return schedule.Choice{Index: j, Case: s.Card.Deviations[i].Choice.Case}
			}
		}
		s.missed[i] = s.stands(s.ex.Last) + ", and " + s.Card.People[a.target].Name.quoted("goroutine") + " not able to run"
	}
	return schedule.Choice{Index: p.Default()}
}

// is reports whether a goroutine is People[i] of the card.
func (s *Seeker) is(id uint32, i int) bool {
	p := s.Card.People[i]
	if s.Like.path {
		return slices.Equal(p.path, s.ex.Tracker.Path(id))
	}
	if s.names[id] == "" {
		s.names[id] = s.ex.Identity(id)
	}
	return s.says(p.Name, s.names[id])
}

// says reports whether a word stands for text. It caches hashes, because the same few
// texts are compared with all anchors at each point.
func (s *Seeker) says(w cardWord, text string) bool {
	sum, known := s.sums[text]
	if !known {
		sum = NameID(text)
		s.sums[text] = sum
	}
	return w.sum == sum
}

// here reports whether the goroutine that ran last is where anchor i says.
func (s *Seeker) here(i int) bool {
	a, id := s.Card.Anchors[i], s.ex.Last
	if id == 0 || a.Who < 0 {
		return id == 0 && a.Who < 0
	}
	if !s.is(id, a.Who) {
		return false
	}
	p := s.ex.Tracker.Last(id)
	if s.Like.step {
		return len(s.ex.Tracker.Positions[id]) == a.step+s.Shift[i]
	}
	if p.State != a.state || !s.says(a.Op, p.Op) {
		return false
	}
	switch {
	case !s.Like.function:
		return p.Anywhere == a.anywhere+s.Shift[i]
	case !s.says(a.Function, p.Function):
		return false
	case !s.Like.object:
		return p.InFunction == a.inFunction+s.Shift[i]
	}
	return p.Object == a.object && p.OnObject == a.onObject+s.Shift[i]
}

// Strict reports whether the seeker compares operations, and expects them at the card's
// occurrences.
func (s *Seeker) Strict() bool {
	return !s.Like.step && !slices.ContainsFunc(s.Shift, func(by int) bool { return by != 0 })
}

// Count returns how many anchors were met.
func (s *Seeker) Count() int {
	n := 0
	for _, met := range s.Met {
		if met {
			n++
		}
	}
	return n
}

// Divergence describes the first anchor that was not met; nil if all were.
func (s *Seeker) Divergence() *verdict.Divergence {
	for i, a := range s.Card.Anchors {
		if !s.Met[i] {
			return &verdict.Divergence{
				Decision: s.Card.Deviations[i].At + 1, Decisions: s.Card.Decisions,
				Expected: a.text(s.Card.People), Got: s.instead(i),
			}
		}
	}
	return nil
}

// instead describes what was found instead of anchor i.
func (s *Seeker) instead(i int) string {
	a := s.Card.Anchors[i]
	switch {
	case s.missed[i] != "":
		return s.missed[i]
	case a.Who < 0:
		return "no choice there"
	}
	for id := uint32(1); int(id) <= s.ex.Control.Len(); id++ {
		if !s.is(id, a.Who) {
			continue
		}
		name, places := s.ex.Identity(id), s.ex.Tracker.Positions[id]
		switch {
		case len(places) == 0:
			return fmt.Sprintf("%q never run", name)
		case len(places) < a.step:
			return fmt.Sprintf("%q %s after %s", name, places[len(places)-1], source.Plural(len(places), "step"))
		}
		return fmt.Sprintf("%q %s", name, places[a.step-1])
	}
	return "no goroutine " + s.Card.People[a.Who].Name.quoted("called")
}

func (s *Seeker) stands(id uint32) string {
	if id == 0 {
		return "the start of the execution"
	}
	return fmt.Sprintf("%q %s", s.ex.Identity(id), s.ex.Tracker.Last(id))
}

// RacesIn reports whether the card has a racing access in a function.
func (c *Card) RacesIn(function string) bool {
	return slices.ContainsFunc(c.Memory, func(a Access) bool { return a.Function.is(function) })
}
