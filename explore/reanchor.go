package explore

import "slices"

// How far a changed program is searched for what a card names.
const (
	reanchorTries = 150 // executions
	reanchorShift = 4   // operations of the same kind that may have been added or taken away before it
	relearnTries  = 4   // executions to find the racing accesses
)

// reanchor follows a card of another program.
func (x *explorer) reanchor(c *card, r *Replayed) error {
	x.memory = nil
	x.execute(defaultPick{}, c.seed, nil) // does what a process does only once
	a := &anchoring{x: x, card: c, replayed: r}
	if err := a.search(); err != nil {
		return err
	}
	switch {
	case r.Outcome == ReAnchored:
	case a.other != nil && a.take(a.other, Otherwise):
	case a.followed:
		r.Outcome = Gone
	default:
		r.Outcome, r.Divergence = Diverged, a.nearest.divergence()
	}
	return nil
}

// An anchoring is the search of a program for what a card names.
type anchoring struct {
	x        *explorer
	card     *card
	replayed *Replayed
	nearest  *seeker    // of the strict ones, the one that met the most anchors
	followed bool       // one has met all where the card has them, and ended well
	other    *execution // one that has met all there, and failed in another way
}

// search tries each likeness, first with the anchors where the card has them,
// then shifted, by rising distance.
func (a *anchoring) search() error {
	for n := 0; n < relearnTries && len(a.card.memory) > 0; n++ {
		s := a.seeker(likenesses[1], make([]int, len(a.card.anchors)))
		if !a.relearn(a.run(s)) {
			break
		}
	}
	likes := likenesses
	if len(a.card.anchors) == 0 {
		likes = likes[:1]
	}
	for _, shift := range shifts(a.card) {
		for _, like := range likes {
			if err := a.x.ctx.Err(); err != nil {
				return err
			}
			if a.try(a.seeker(like, shift)) || a.replayed.Executions >= reanchorTries {
				return nil
			}
		}
	}
	return nil
}

func (a *anchoring) seeker(like likeness, shift []int) *seeker {
	return &seeker{card: a.card, like: like, shift: shift}
}

func (a *anchoring) run(s *seeker) *execution {
	a.replayed.Executions++
	return a.x.executeWith(s.seek, a.card.seed, nil)
}

// try reports whether the seeker came to the failure.
func (a *anchoring) try(s *seeker) bool {
	ex := a.run(s)
	if s.strict() && (a.nearest == nil || s.count() > a.nearest.count()) {
		a.nearest = s
	}
	a.relearn(ex)
	switch {
	case ex.out.unknown != "":
	case ex.out.kind == a.card.kind && nameID(ex.cause()) == a.card.cause:
		return a.take(ex, ReAnchored)
	case s.count() < len(s.met) || !s.strict():
	case ex.out.failed():
		if a.other == nil {
			a.other = ex
		}
	default:
		a.followed = true
	}
	return false
}

// take makes a failing execution the result, if it can be repeated.
func (a *anchoring) take(ex *execution, outcome Outcome) bool {
	x, seed := a.x, a.card.seed
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
	x.fail(shown, seed, &Failure{
		Strategy: byCard, Schedule: 1, Found: preemptions(shown.run), FoundSteps: shown.steps, Card: c.String(), replayed: a.replayed,
	})
	return true
}

// relearn makes racing accesses scheduling points that are in functions in
// which the card has some. It reports whether there are new ones.
func (a *anchoring) relearn(ex *execution) bool {
	fresh := false
	for _, r := range ex.out.races {
		for _, access := range r.Accesses {
			if access.pc != 0 && a.card.racesIn(functionAt(access.pc)) && !slices.Contains(a.x.memory, access.pc) {
				a.x.memory = append(a.x.memory, access.pc)
				fresh = true
			}
		}
	}
	slices.Sort(a.x.memory)
	return fresh
}

// racesIn reports whether a function has an access that was a point.
func (c *card) racesIn(function string) bool {
	return slices.ContainsFunc(c.memory, func(a access) bool { return a.function.is(function) })
}

// shifts are by how much the anchors of a card may be off: not at all; then, by
// rising distance, all alike, those of one goroutine, and each by itself.
func shifts(c *card) [][]int {
	n := len(c.anchors)
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
			for p := range min(len(c.people), reanchorTries) {
				add(by, func(i int) bool { return c.anchors[i].who == p })
			}
			for only := range min(n, reanchorTries) {
				add(by, func(i int) bool { return i == only })
			}
		}
	}
	return all
}
