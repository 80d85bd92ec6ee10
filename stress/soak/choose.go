package soak

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// choice is a kind of call, its weight, and a function that draws one, or returns false if there is no subject yet.
type choice struct {
	weight int
	make   func(k *knowledge, rng *rand.Rand) (call, bool)
}

// choices returns the mixture of calls.
func choices() []choice {
	return []choice{
		{200, aboutPlan(GetPlan, false)},
		{100, aboutPlan(GetPlan, true)},
		{70, move},
		{200, aboutPlan(RecordChange, false)},
		{80, aboutPlan(ListChangesets, false)},
		{40, aboutPlan(StartChangeset, false)},
		{15, finish},
		{40, aboutAction(GetAction, false)},
		{30, aboutAction(GetAction, true)},
		{10, create},
		{10, archive},
		{10, listing(ListPlans, false)},
		{10, listing(ListPlans, true)},
		{10, listing(ListActions, false)},
		{10, listing(ListActions, true)},
	}
}

// chooser draws calls. It is not safe for concurrent use.
type chooser struct {
	rng       *rand.Rand
	knowledge *knowledge
	choices   []choice
	total     int
}

func newChooser(rng *rand.Rand, k *knowledge) *chooser {
	c := &chooser{rng: rng, knowledge: k, choices: choices()}
	for _, x := range c.choices {
		c.total += x.weight
	}
	return c
}

// next returns a call to make. One of fifty has a short time-out, so that its context ends during the call.
func (c *chooser) next() call {
	drawn, ok := c.draw()
	for !ok || quiet(clock()) && !drawn.Kind.reads() && c.rng.IntN(50) > 0 {
		if c.knowledge.size(ListPlans) == 0 {
			drawn = c.first()
			break
		}
		drawn, ok = c.draw()
	}
	if c.rng.IntN(50) == 0 {
		drawn.Hurried = 1 + c.rng.Int64N(int64(3*time.Millisecond))
	}
	return drawn
}

// quiet reports whether now is in a period, about a third of the time, in which all processes read and write hardly
// anything. Without such periods cached values would be out of date before they were read again, so that they were never
// served, and a value that was cached wrongly, during a change, would not be seen.
func quiet(now int64) bool { return time.Duration(now)/(40*time.Millisecond)%3 == 0 }

// rest waits in one case of ten, for less than longestRest, or until ctx ends: goroutines work in bursts, and the history
// of five minutes fits into memory when it is checked.
func (c *chooser) rest(ctx context.Context) {
	if c.rng.IntN(10) > 0 {
		return
	}
	timer := time.NewTimer(time.Duration(c.rng.Int64N(int64(longestRest))))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

const longestRest = 100 * time.Millisecond

func (c *chooser) draw() (call, bool) {
	if c.knowledge.wanting() && c.rng.IntN(4) == 0 {
		if drawn, ok := use(c.knowledge, c.rng); ok {
			return drawn, true
		}
	}
	n := c.rng.IntN(c.total)
	for _, x := range c.choices {
		if n -= x.weight; n < 0 {
			return x.make(c.knowledge, c.rng)
		}
	}
	return call{}, false
}

// first returns a call that can be made when nothing exists yet.
func (c *chooser) first() call {
	if made, ok := use(c.knowledge, c.rng); ok {
		return made
	}
	made, _ := create(c.knowledge, c.rng)
	return made
}

func aboutPlan(kind Kind, recent bool) func(*knowledge, *rand.Rand) (call, bool) {
	return func(k *knowledge, rng *rand.Rand) (call, bool) {
		p, ok := k.plan(rng)
		return call{Kind: kind, Recent: recent, Subject: p.ID}, ok
	}
}

func aboutAction(kind Kind, recent bool) func(*knowledge, *rand.Rand) (call, bool) {
	return func(k *knowledge, rng *rand.Rand) (call, bool) {
		if rng.IntN(10) == 0 { // an action that may not exist yet
			return call{Kind: kind, Recent: recent, Subject: k.nextAction()}, true
		}
		name, _, ok := k.action(rng, false)
		return call{Kind: kind, Recent: recent, Subject: name}, ok
	}
}

// listing draws listings, more rarely the more there is to list, so that they take a constant share of the time.
func listing(kind Kind, recent bool) func(*knowledge, *rand.Rand) (call, bool) {
	return func(k *knowledge, rng *rand.Rand) (call, bool) {
		return call{Kind: kind, Recent: recent}, rng.IntN(10+k.size(kind)) < 10
	}
}

// create creates the next action, for which all processes contend, or more often a known one. Some are not reusable.
func create(k *knowledge, rng *rand.Rand) (call, bool) {
	c := call{Kind: CreateAction, Subject: k.nextAction(), Once: rng.IntN(4) == 0}
	if name, _, ok := k.action(rng, true); ok && rng.IntN(16) > 0 {
		c.Subject = name
	}
	return c, true
}

// use makes a plan if there are too few. Sometimes it tries an archived action.
func use(k *knowledge, rng *rand.Rand) (call, bool) {
	if !k.wanting() {
		return call{}, false
	}
	name, _, ok := k.action(rng, rng.IntN(20) > 0)
	return call{Kind: UseAction, Subject: name}, ok
}

// archive archives an action that was used often, and sometimes any other.
func archive(k *knowledge, rng *rand.Rand) (call, bool) {
	name, uses, ok := k.action(rng, rng.IntN(10) > 0)
	return call{Kind: ArchiveAction, Subject: name}, ok && (uses > 10 || rng.IntN(20) == 0)
}

// finish finishes the newest changeset that this process knows of a plan, which may not be the plan's newest.
func finish(k *knowledge, rng *rand.Rand) (call, bool) {
	p, ok := k.plan(rng)
	return call{Kind: FinishChangeset, Subject: p.ID, Changeset: p.Changeset}, ok && p.Changeset != ""
}

// move draws a command: mostly one that the state machine allows, and mostly the first of these, which leads onward. In
// one case of three it states the version that it is based on.
func move(k *knowledge, rng *rand.Rand) (call, bool) {
	p, ok := k.plan(rng)
	if !ok {
		return call{}, false
	}
	c := call{Kind: MovePlan, Subject: p.ID, Command: command(p, rng)}
	if rng.IntN(3) == 0 {
		c.IfVersion = p.Version
	}
	return c, true
}

func command(p planView, rng *rand.Rand) lifecycle.Command {
	switch n := rng.IntN(100); {
	case n == 0:
		return lifecycle.CommandCancel
	case n < 10:
		all := lifecycle.Commands()
		return all[rng.IntN(len(all))]
	}
	var allowed []lifecycle.Command
	for _, t := range lifecycle.Transitions() {
		if t.From.String() == p.At && t.Command != lifecycle.CommandCancel {
			allowed = append(allowed, t.Command)
		}
	}
	switch {
	case len(allowed) == 0: // the plan is finished, or was not read yet
		return lifecycle.CommandStartStrategize
	case slices.Contains(allowed, lifecycle.CommandRevert) || rng.IntN(2) == 0:
		return allowed[rng.IntN(len(allowed))]
	}
	return allowed[0]
}
