package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
)

// mostTurns bounds the turns that are told. All of them are needed, because a schedule was looked
// for that has fewer; but many are no explanation.
const mostTurns = 3

// turnStory: goroutines ran although it was the turn of others, and in nothing else does the
// schedule deviate from the default one, which passes. Or the default schedule fails, and passes if
// another goroutine runs in one turn.
func (p *picture) turnStory() (s story) {
	var turns []string
	all := schedule.Deviations(p.ex.Run)
	if len(all) > mostTurns || schedule.Cost(p.ex.Run) > 0 {
		return story{}
	}
	for i, e := range p.rec.events {
		if e.decision == 0 {
			continue
		}
		other := uint32(0)
		switch d := p.ex.Run[e.decision-1]; {
		case d.Chosen.Index != d.Default: // else at most another case of a select, which is no turn
			other = d.Turn
		case len(all) == 0 && e.decision == p.passes.At:
			other = p.passes.Goroutine
		}
		if other != 0 {
			text, about := p.turned(i, e, other)
			turns = append(turns, text)
			s.mark(about...)
		}
	}
	if len(turns) != max(len(all), 1) {
		return story{}
	}
	if s.text = strings.Join(turns, "; "); len(all) == 0 {
		s.text += fmt.Sprintf("; if %q goes first there, the test passes", p.ex.Name(p.passes.Goroutine))
	}
	return s
}

// turned tells what a goroutine did from row i on before another one ran.
func (p *picture) turned(i int, turn *event, instead uint32) (text string, about []*event) {
	var mine, theirs []*event
	for _, e := range p.rec.events[i:] {
		switch {
		case e.task == instead && !(p.late(e) && p.rec.events[p.end()].task == instead): // its own clean-up decides nothing
			theirs = append(theirs, e)
		case e.task == turn.task && theirs == nil && !p.late(e):
			mine = append(mine, e)
		}
	}
	me, other := p.who(turn), fmt.Sprintf("%q, which could run too,", p.ex.Name(instead))
	if begins := turn.Op == control.OpStart && !turn.timed && instead < turn.task; begins && !slices.ContainsFunc(p.rec.events[:i], func(e *event) bool { return e.task == instead }) {
		other = fmt.Sprintf("%q, which was started first,", p.ex.Name(instead))
	}
	a, b := conflict(mine, theirs)
	for j := range mine[:min(len(mine), mostData)] {
		if x, y := conflict(mine[j:j+1], theirs); p.passes.At == turn.decision && x != nil && max(x.weight(), y.weight()) > 2 {
			a, b = x, y // the next data to the turn, as only the turn is known to decide
			break
		}
	}
	switch last := lastOperation(mine); {
	case a != nil && b.index < turn.index: // it had begun to wait in b before the turn
		return fmt.Sprintf("%s did %s before %s went on with %s", me, p.operation(a), other, p.operation(b)), []*event{a, b}
	case a != nil:
		return fmt.Sprintf("%s did %s before %s did %s", me, p.operation(a), other, p.operation(b)), []*event{a, b}
	case len(theirs) > 0:
		return fmt.Sprintf("%s ran at step %d before %s ran at step %d", me, turn.index, other, theirs[0].index), []*event{turn, theirs[0]}
	case last != nil:
		return fmt.Sprintf("%s did %s before %s ran", me, p.operation(last), other), []*event{last}
	}
	return fmt.Sprintf("%s ran at step %d before %s ran", me, turn.index, other), []*event{turn}
}

// conflict returns the operations of two goroutines on one object whose order matters most, the
// first ones of several; or their calls of loggers, which are on no object.
func conflict(mine, theirs []*event) (first, second *event) {
	mine, theirs = slices.Clone(mine[:min(len(mine), mostData)]), slices.Clone(theirs[:min(len(theirs), mostData)])
	slices.Reverse(mine)
	slices.Reverse(theirs)
	return heaviest(mine, theirs, 0, func(a, b *event) bool {
		return a.object == b.object && a.object != 0 && (a.writes || b.writes) || a.Site.Gathered && b.Site.Gathered
	})
}

// heaviest returns the two operations, one of each list, that weigh most, and at least a number: the
// last ones of several that are a pair.
func heaviest(some, others []*event, least int, pair func(a, b *event) bool) (first, second *event) {
	for _, a := range some {
		for _, b := range others {
			if n := a.weight() + b.weight(); n >= least && a.operates() && b.operates() && pair(a, b) {
				first, second, least = a.call(), b.call(), n
			}
		}
	}
	return first, second
}

// operates reports whether a row is an operation of the program that others may have to come before.
func (e *event) operates() bool {
	switch e.Site.Kind {
	case source.SiteDone, source.SiteUnlock, source.SiteRUnlock:
		return false
	}
	return !e.log && !e.Site.Self && !e.glance && e.Op != control.OpStart && (e.object != 0 || e.Site.Gathered) && e.Site.Package != "testing"
}

func lastOperation(rows []*event) (last *event) {
	for _, e := range rows {
		if e.operates() {
			last = e.call()
		}
	}
	return last
}
