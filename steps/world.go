package steps

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/races"
)

// A world is the subject of a scenario, opened for one execution: the calls that can be made, and
// the facts that can be counted afterwards.
type world struct {
	name   string
	calls  map[string]callFunc
	facts  map[string]func(context.Context) (int, error)
	closes []func() error // in the order in which they were opened
	gate   func()         // creators that "wait for the others" wait for it; nil without any
}

// A callFunc makes one call for a caller. The answer has the call's error.
type callFunc func(context.Context, asker) answer

// An asker is the caller of a call, with the argument.
type asker struct {
	instance int
	by       string // the caller's name
	n        int    // the number of the call in the scenario, from 0
	arg      string
}

// An answer is the result of a call.
type answer struct {
	call
	by     string
	n      int
	err    error
	id     string               // of the object that was made, recorded in or read
	text   string               // what was read
	ids    []string             // a listing
	at     []lifecycle.Position // the positions of the listed plans, or of the one that was read
	names  []string             // of the listed plans
	sets   []lifecycle.Changeset
	object any // the object that was asked for
	worked int // how often the work of a plan was done
}

// String says how the call went.
func (a answer) String() string {
	switch {
	case a.err != nil:
		return a.err.Error()
	case a.sets != nil:
		return fmt.Sprintf("%d changesets", len(a.sets))
	case len(a.at) > 0:
		return fmt.Sprint(a.at)
	case a.ids != nil:
		return fmt.Sprintf("%d listed", len(a.ids))
	case a.text != "":
		return a.text
	}
	return "no error " + a.id
}

func newWorld(name string) *world {
	return &world{name: name, calls: make(map[string]callFunc), facts: make(map[string]func(context.Context) (int, error))}
}

// do makes a call. The error says that the world has no such call.
func (w *world) do(ctx context.Context, c call, by asker) (answer, error) {
	f, ok := w.calls[c.verb]
	if !ok {
		return answer{}, fmt.Errorf("%w: %s cannot %s; it can %s", errScenario, w.name, c.verb, strings.Join(slices.Sorted(maps.Keys(w.calls)), ", "))
	}
	by.arg = c.arg
	a := f(ctx, by)
	a.call, a.by, a.n = c, by.by, by.n
	return a, nil
}

// count returns a fact. The error says that the world has no such fact.
func (w *world) count(ctx context.Context, fact string) (int, error) {
	f, ok := w.facts[fact]
	if !ok {
		return 0, fmt.Errorf("%w: of %s %s cannot be counted; what can is %s", errScenario, w.name, fact, strings.Join(slices.Sorted(maps.Keys(w.facts)), ", "))
	}
	return f(ctx)
}

// close closes in reverse order of opening.
func (w *world) close() error {
	var errs []error
	for _, f := range slices.Backward(w.closes) {
		errs = append(errs, f())
	}
	return errors.Join(errs...)
}

// open opens the world of a plot. Versions other than ours are those of the catalogue, with two
// instances at most.
func (p *plot) open(t races.T, prepared []byte) (*world, error) {
	switch {
	case p.place == aCache:
		return p.openCache()
	case p.catalogued():
		return p.openSpecimen(t)
	case p.instances > mostInstances:
		return nil, fmt.Errorf("%w: got %d instances, want at most %d", errScenario, p.instances, mostInstances)
	}
	return p.openService(t, prepared)
}

// catalogued reports whether a plot is about the subjects of the catalogue, and not about a service
// that is opened for it.
func (p *plot) catalogued() bool {
	switch p.place {
	case engineCache, noSchema, withParts, lockService, jobQueue:
		return true
	}
	return p.column != races.Ours || p.refuses || p.does("take the plan over")
}

// mostInstances is how many services a scenario may open.
const mostInstances = 20

// write returns a callFunc whose answer has only an error.
func write(f func(context.Context) error) callFunc {
	return func(ctx context.Context, _ asker) answer { return answer{err: f(ctx)} }
}
