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

// A Follower replays a card strictly: what the card says must be possible at the
// decision for which it says it, and the goroutines must be at the operations that it
// names. With Making set it computes the anchors instead.
type Follower struct {
	Card    *Card
	Making  bool // the card has no anchors and no cause yet
	ex      *engine.Execution
	at      int
	left    *verdict.Divergence // where the execution diverged from the card
	People  []Person
	Anchors []Anchor
	nobody  map[uint32]int // goroutine → its index in People
}

func (f *Follower) Follow(ex *engine.Execution) schedule.Picker {
	f.ex, f.nobody = ex, make(map[uint32]int)
	ex.Tracker = engine.NewTracker(ex)
	return f
}

// Stall returns for how long goroutines may be held up.
func (f *Follower) Stall(time.Duration) time.Duration { return f.Card.Stall }

func (f *Follower) Pick(p *schedule.Point) schedule.Choice {
	if f.left != nil || f.at >= len(f.Card.Deviations) || f.Card.Deviations[f.at].At != p.Index {
		return schedule.Choice{Index: p.Default()}
	}
	d := f.Card.Deviations[f.at]
	f.at++
	if d.Choice.Index >= len(p.Runnable) {
		f.diverge(fmt.Sprintf("%s that can run", source.Plural(len(p.Runnable), "goroutine")))
		return schedule.Choice{Index: p.Default()}
	}
	a := f.anchor(p.Runnable[d.Choice.Index])
	f.Anchors = append(f.Anchors, a)
	if !f.Making && !f.Card.Anchors[f.at-1].same(f.Card.People, a, f.People) {
		f.diverge(a.text(f.People))
	}
	return d.Choice
}

// diverge records what was found instead of what the last deviation says.
func (f *Follower) diverge(got string) {
	expected := fmt.Sprintf("%d of them", f.Card.Deviations[f.at-1].Choice.Index+1)
	if !f.Making {
		expected = f.Card.Anchors[f.at-1].text(f.Card.People)
	}
	f.left = &verdict.Divergence{Decision: f.Card.Deviations[f.at-1].At + 1, Decisions: f.Card.Decisions, Expected: expected, Got: got}
}

// anchor returns the anchor of a deviation at this point that runs target.
func (f *Follower) anchor(target uint32) Anchor {
	a := Anchor{Who: -1, target: f.person(target)}
	id := f.ex.Last
	if id == 0 {
		return a
	}
	a.Who, a.step = f.person(id), len(f.ex.Tracker.Positions[id])
	p := f.ex.Tracker.Last(id)
	a.state, a.Op, a.Function, a.object = p.State, WordOf(p.Op), WordOf(p.Function), p.Object
	a.onObject, a.inFunction, a.anywhere = p.OnObject, p.InFunction, p.Anywhere
	return a
}

// person returns a goroutine's index in People.
func (f *Follower) person(id uint32) int {
	if i, known := f.nobody[id]; known {
		return i
	}
	f.nobody[id] = len(f.People)
	f.People = append(f.People, Person{Name: WordOf(f.ex.Identity(id)), path: f.ex.Tracker.Path(id)})
	return len(f.People) - 1
}

// same reports whether two anchors are equal.
func (a Anchor) same(people []Person, b Anchor, others []Person) bool {
	if (a.Who < 0) != (b.Who < 0) || a.Who >= 0 && !people[a.Who].same(others[b.Who]) || !people[a.target].same(others[b.target]) {
		return false
	}
	a.Who, a.target, b.Who, b.target = 0, 0, 0, 0
	a.Op.Text, a.Function.Text, b.Op.Text, b.Function.Text = "", "", "", ""
	return a == b
}

func (p Person) same(other Person) bool {
	return p.Name.sum == other.Name.sum && slices.Equal(p.path, other.path)
}

// Causes reports whether an execution fails by the card's cause; see [engine.Execution.FailsBy].
func (c *Card) Causes(ex *engine.Execution) bool {
	return ex.FailsBy(func(cause string) bool { return NameID(cause) == c.Cause })
}

// Done compares the end of the replay with the card.
func (f *Follower) Done(ex *engine.Execution) *verdict.Divergence {
	c := f.Card
	d := &verdict.Divergence{Decision: c.Decisions, Decisions: c.Decisions, Expected: fmt.Sprintf("the end, %s", c.Kind)}
	switch {
	case f.left != nil:
		return f.left
	case ex.Out.Unknown != "":
		d.Got = ex.Out.Unknown
	case f.at < len(c.Deviations):
		f.at++
		f.diverge(fmt.Sprintf("the end after %s%s", source.Plural(len(ex.Run), "decision"), ex.Out.Text()))
		return f.left
	case len(ex.Run) != c.Decisions:
		d.Decision = min(len(ex.Run), c.Decisions)
		d.Got = fmt.Sprintf("%s%s", source.Plural(len(ex.Run), "decision"), ex.Out.Text())
	case ex.Out.Kind != c.Kind:
		d.Got = "the end" + ex.Out.Text()
	case !f.Making && !c.Causes(ex):
		d.Expected, d.Got = fmt.Sprintf("the end, a failure with the cause %08x", c.Cause), fmt.Sprintf("one with %08x%s", NameID(ex.Cause()), ex.Out.Text())
	case uint32(ex.Digest()>>32) != c.End:
		d.Expected = fmt.Sprintf("a course that ends in %08x", c.End)
		d.Got = fmt.Sprintf("one that ends in %08x", uint32(ex.Digest()>>32))
	default:
		return nil
	}
	return d
}

// text describes a deviation in words: where it is and which goroutine it runs.
func (a Anchor) text(people []Person) string {
	where := "the start of the execution"
	if a.Who >= 0 {
		where = people[a.Who].Name.quoted("goroutine") + " " + a.place()
	}
	return where + ", and " + people[a.target].Name.quoted("goroutine") + " to run"
}

// place describes where the goroutine stands.
func (a Anchor) place() string {
	if a.state == engine.PositionEnded {
		return engine.PositionStates[engine.PositionEnded]
	}
	text := engine.PositionText(a.state, a.Op.shown("operation"), a.object, a.Function.shown("function"))
	if a.inFunction > 1 {
		text += fmt.Sprintf(" (time %d)", a.inFunction)
	}
	return text
}

// shown returns the word's text, or kind and hash if only the hash is known.
func (w cardWord) shown(kind string) string {
	if w.Text == "" && w.sum != NameID("") {
		return fmt.Sprintf("%s %08x", kind, w.sum)
	}
	return w.Text
}

func (w cardWord) quoted(kind string) string {
	if w.Text == "" {
		return w.shown(kind)
	}
	return fmt.Sprintf("%q", w.Text)
}
