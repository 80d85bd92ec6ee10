package explore

import (
	"fmt"
	"slices"
)

// A follower replays a card. It is strict: what the card says must be
// possible at the decision it says it for, and the goroutines must stand where
// it says they stand. From a card without anchors it makes them.
type follower struct {
	card    *card
	making  bool // the card has no anchors and no cause yet
	ex      *execution
	at      int
	left    *Divergence // where the execution left the card
	people  []person
	anchors []anchor
	nobody  map[uint32]int // goroutine → its place in people
}

func (f *follower) follow(ex *execution) picker {
	f.ex, f.nobody = ex, make(map[uint32]int)
	ex.places = newTracker(ex)
	return f
}

func (f *follower) Pick(p *Point) Choice {
	if f.left != nil || f.at >= len(f.card.deviations) || f.card.deviations[f.at].at != p.Index {
		return Choice{Index: p.Default()}
	}
	d := f.card.deviations[f.at]
	f.at++
	if d.choice.Index >= len(p.Runnable) {
		f.diverge(fmt.Sprintf("%s that can run", plural(len(p.Runnable), "goroutine")))
		return Choice{Index: p.Default()}
	}
	a := f.anchor(p.Runnable[d.choice.Index])
	f.anchors = append(f.anchors, a)
	if !f.making && !f.card.anchors[f.at-1].same(f.card.people, a, f.people) {
		f.diverge(a.text(f.people))
	}
	return d.choice
}

// diverge notes what is there instead of what the last deviation says.
func (f *follower) diverge(got string) {
	expected := fmt.Sprintf("%d of them", f.card.deviations[f.at-1].choice.Index+1)
	if !f.making {
		expected = f.card.anchors[f.at-1].text(f.card.people)
	}
	f.left = &Divergence{Decision: f.card.deviations[f.at-1].at + 1, Decisions: f.card.decisions, Expected: expected, Got: got}
}

// anchor is what a card says of a deviation here that runs target.
func (f *follower) anchor(target uint32) anchor {
	a := anchor{who: -1, target: f.person(target)}
	id := f.ex.last
	if id == 0 {
		return a
	}
	a.who, a.step = f.person(id), len(f.ex.places.places[id])
	p := f.ex.places.last(id)
	a.state, a.op, a.function, a.object = p.state, wordOf(p.op), wordOf(p.function), p.object
	a.onObject, a.inFunction, a.anywhere = p.onObject, p.inFunction, p.anywhere
	return a
}

// person is a goroutine's place among people.
func (f *follower) person(id uint32) int {
	if i, known := f.nobody[id]; known {
		return i
	}
	f.nobody[id] = len(f.people)
	f.people = append(f.people, person{name: wordOf(f.ex.identity(id)), path: f.ex.places.path(id)})
	return len(f.people) - 1
}

// same reports whether two anchors say the same.
func (a anchor) same(people []person, b anchor, others []person) bool {
	if (a.who < 0) != (b.who < 0) || a.who >= 0 && !people[a.who].same(others[b.who]) || !people[a.target].same(others[b.target]) {
		return false
	}
	a.who, a.target, b.who, b.target = 0, 0, 0, 0
	a.op.text, a.function.text, b.op.text, b.function.text = "", "", "", ""
	return a == b
}

func (p person) same(other person) bool {
	return p.name.sum == other.name.sum && slices.Equal(p.path, other.path)
}

// done compares the end of the replay with the card.
func (f *follower) done(ex *execution) *Divergence {
	c := f.card
	d := &Divergence{Decision: c.decisions, Decisions: c.decisions, Expected: fmt.Sprintf("the end, %s", c.kind)}
	switch {
	case f.left != nil:
		return f.left
	case ex.out.unknown != "":
		d.Got = ex.out.unknown
	case f.at < len(c.deviations):
		f.at++
		f.diverge(fmt.Sprintf("the end after %s%s", plural(len(ex.run), "decision"), ex.out.text()))
		return f.left
	case len(ex.run) != c.decisions:
		d.Decision = min(len(ex.run), c.decisions)
		d.Got = fmt.Sprintf("%s%s", plural(len(ex.run), "decision"), ex.out.text())
	case ex.out.kind != c.kind:
		d.Got = "the end" + ex.out.text()
	case !f.making && nameID(ex.cause()) != c.cause:
		d.Expected, d.Got = fmt.Sprintf("the end, a failure with the cause %08x", c.cause), fmt.Sprintf("one with %08x%s", nameID(ex.cause()), ex.out.text())
	case uint32(ex.digest()>>32) != c.end:
		d.Expected = fmt.Sprintf("a course that ends in %08x", c.end)
		d.Got = fmt.Sprintf("one that ends in %08x", uint32(ex.digest()>>32))
	default:
		return nil
	}
	return d
}

// text says how an execution ended.
func (o *outcome) text() string {
	if !o.failed() {
		return ", without a failure"
	}
	return fmt.Sprintf(", %s (%s)", o.kind, classOf(o.message))
}

// text says in words where a deviation is and what it does.
func (a anchor) text(people []person) string {
	where := "the start of the execution"
	if a.who >= 0 {
		where = people[a.who].name.quoted("goroutine") + " " + a.place()
	}
	return where + ", and " + people[a.target].name.quoted("goroutine") + " to run"
}

// place is where the goroutine stands.
func (a anchor) place() string {
	if a.state == placeEnded {
		return placeStates[placeEnded]
	}
	text := placeText(a.state, a.op.shown("operation"), a.object, a.function.shown("function"))
	if a.inFunction > 1 {
		text += fmt.Sprintf(" (time %d)", a.inFunction)
	}
	return text
}

// shown is the word, or what is known of it.
func (w cardWord) shown(kind string) string {
	if w.text == "" && w.sum != nameID("") {
		return fmt.Sprintf("%s %08x", kind, w.sum)
	}
	return w.text
}

func (w cardWord) quoted(kind string) string {
	if w.text == "" {
		return w.shown(kind)
	}
	return fmt.Sprintf("%q", w.text)
}
