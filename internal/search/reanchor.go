package search

import (
	"fmt"
	"slices"

	"github.com/jacquard-go/jacquard/internal/card"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// Bounds on searching a changed program for the operations that a card names.
const (
	reanchorTries = 150    // executions
	mostAnchors   = 30_000 // anchors sought in all executions together, because each is compared at each point
	reanchorShift = 4      // operations of the same kind that may have been added or removed before an anchor
	relearnTries  = 4      // executions for finding the racing accesses
)

// reanchor follows a card of another program.
func (x *explorer) reanchor(c *card.Card, r *verdict.Replayed) error {
	x.Memory = nil
	x.Observe(c.Observers)
	usual := x.Execute(schedule.DefaultPick{}, c.Seed, nil) // also absorbs first-use effects of the process
	x.Observe(usual.Observed)
	a := &anchoring{x: x, card: c, replayed: r, usual: usual.Kinds()}
	if err := a.search(); err != nil {
		return err
	}
	switch {
	case r.Outcome == verdict.ReAnchored:
	case a.other != nil && a.take(a.other, verdict.Otherwise):
	case a.followed:
		r.Outcome = verdict.Gone
	default:
		r.Outcome = verdict.Diverged
		if r.Divergence = a.nearest.Divergence(); r.Divergence == nil {
			r.Divergence = &verdict.Divergence{Decision: c.Decisions, Decisions: c.Decisions, Expected: fmt.Sprintf("the end, %s", c.Kind), Got: a.unknown}
		}
	}
	return nil
}

// An anchoring is the search of a program for the operations that a card names.
type anchoring struct {
	x        *explorer
	card     *card.Card
	replayed *verdict.Replayed
	usual    []string          // kinds of goroutines that the default schedule leaves
	nearest  *card.Seeker      // of the strict seekers, the one that met the most anchors
	followed bool              // an execution met all anchors where the card has them, and did not fail
	unknown  string            // why the end of some execution is unknown
	other    *engine.Execution // an execution that met all anchors there, and failed in another way
}

// search tries each likeness, first with the anchors where the card has them, then
// shifted, by increasing distance.
func (a *anchoring) search() error {
	for n := 0; n < relearnTries && len(a.card.Memory) > 0; n++ {
		s := a.seeker(card.Likenesses[1], make([]int, len(a.card.Anchors)))
		if !a.relearn(a.run(s)) {
			break
		}
	}
	likes := card.Likenesses
	if len(a.card.Anchors) == 0 {
		likes = likes[:1]
	}
	for _, shift := range shifts(a.card) {
		for _, like := range likes {
			if err := a.x.Context.Err(); err != nil {
				return err
			}
			if a.try(a.seeker(like, shift)) || a.replayed.Executions >= reanchorTries || a.replayed.Executions*len(a.card.Anchors) >= mostAnchors {
				return nil
			}
		}
	}
	return nil
}

func (a *anchoring) seeker(like card.Likeness, shift []int) *card.Seeker {
	return &card.Seeker{Card: a.card, Like: like, Shift: shift}
}

func (a *anchoring) run(s *card.Seeker) *engine.Execution {
	a.replayed.Executions++
	return a.x.ExecuteWith(s.Seek, a.card.Seed, nil)
}

// try runs a seeker, and reports whether it led to the card's failure.
func (a *anchoring) try(s *card.Seeker) bool {
	ex := a.run(s)
	if s.Strict() && (a.nearest == nil || s.Count() > a.nearest.Count()) {
		a.nearest = s
	}
	a.relearn(ex)
	switch {
	case ex.Out.Unknown != "":
		a.unknown = ex.Out.Unknown
	case ex.Out.Kind == a.card.Kind && a.card.Causes(ex):
		return a.take(ex, verdict.ReAnchored)
	case s.Count() < len(s.Met) || !s.Strict():
	case ex.Out.Failed() && !a.usually(ex):
		if a.other == nil {
			a.other = ex
		}
	default:
		a.followed = true
	}
	return false
}

// usually reports whether an execution fails only by leaks that the default schedule leaves too.
func (a *anchoring) usually(ex *engine.Execution) bool {
	return ex.Out.Kind == engine.KindLeak && a.x.cfg.Leaks == engine.LeaksDiffer &&
		!slices.ContainsFunc(ex.Kinds(), func(kind string) bool { return !slices.Contains(a.usual, kind) })
}

// take makes a failing execution the result, if it can be repeated.
func (a *anchoring) take(ex *engine.Execution, outcome verdict.Outcome) bool {
	x, seed := a.x, a.card.Seed
	ex = x.settled(ex, seed)
	c, err := x.card(ex, seed)
	if err != nil || x.anchored(c) != nil {
		return false
	}
	shown, d := x.follow(c)
	if d != nil {
		return false
	}
	a.replayed.Outcome = outcome
	x.fail(shown, seed, &verdict.Failure{
		Strategy: verdict.ByCard, Schedule: 1, Found: schedule.Preemptions(shown.Run), FoundSteps: shown.Steps, Card: c.String(),
	}, a.replayed)
	return true
}

// relearn turns racing accesses into scheduling points if they are in functions in
// which the card has such points. It reports whether there are new ones.
func (a *anchoring) relearn(ex *engine.Execution) bool {
	fresh := false
	for _, r := range ex.Out.Races {
		for _, access := range r.Accesses {
			if access.PC != 0 && a.card.RacesIn(source.FunctionAt(access.PC)) && !slices.Contains(a.x.Memory, access.PC) {
				a.x.Memory = append(a.x.Memory, access.PC)
				fresh = true
			}
		}
	}
	slices.Sort(a.x.Memory)
	return fresh
}

// shifts returns the distances by which the anchors of a card may be off: none; then, by
// increasing distance, all anchors alike, those of one goroutine, and each anchor by itself.
func shifts(c *card.Card) [][]int {
	n := len(c.Anchors)
	all := [][]int{make([]int, n)}
	add := func(by int, which func(i int) bool) {
		shift := make([]int, n)
		for i := range shift {
			if which(i) {
				shift[i] = by
			}
		}
		if !slices.ContainsFunc(all, func(other []int) bool { return slices.Equal(shift, other) }) {
			all = append(all, shift)
		}
	}
	for distance := 1; distance <= reanchorShift && len(all) < reanchorTries; distance++ {
		for _, by := range []int{distance, -distance} {
			add(by, func(int) bool { return true })
			for p := range min(len(c.People), reanchorTries) {
				add(by, func(i int) bool { return c.Anchors[i].Who == p })
			}
			for only := range min(n, reanchorTries) {
				add(by, func(i int) bool { return i == only })
			}
		}
	}
	return all
}
