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

// A world is what a scenario is about, opened for one execution: what can be
// called there, and what can be counted afterwards.
type world struct {
	name   string
	calls  map[string]callFunc
	facts  map[string]func(context.Context) (int, error)
	closes []func() error // in the order in which they were opened
	gate   func()         // what creators wait for who wait for the others; nil without any
}

// A callFunc makes one call for a caller. What fails is in the answer.
type callFunc func(context.Context, asker) answer

// An asker is who calls, with what.
type asker struct {
	instance int
	by       string // the caller's name
	n        int    // the number of the call in the scenario, from 0
	arg      string
}

// An answer is what a call came to.
type answer struct {
	call
	by     string
	n      int
	err    error
	id     string               // of what was made, recorded in or read
	text   string               // what was read
	ids    []string             // a listing
	at     []lifecycle.Position // where the plans of a listing are, or the one that was read
	names  []string             // of these
	sets   []lifecycle.Changeset
	object any // what was asked for
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

// do makes a call. The error says that there is no such call here.
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

// count is a fact. The error says that it is not known here.
func (w *world) count(ctx context.Context, fact string) (int, error) {
	f, ok := w.facts[fact]
	if !ok {
		return 0, fmt.Errorf("%w: of %s %s cannot be counted; what can is %s", errScenario, w.name, fact, strings.Join(slices.Sorted(maps.Keys(w.facts)), ", "))
	}
	return f(ctx)
}

// close closes the youngest first.
func (w *world) close() error {
	var errs []error
	for _, f := range slices.Backward(w.closes) {
		errs = append(errs, f())
	}
	return errors.Join(errs...)
}

// open opens the world of a plot. The specimens of the reports are those of the
// catalogue, with two instances at most.
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

// catalogued reports whether the subjects of the catalogue are what a plot is
// about, and not a service that is opened for it.
func (p *plot) catalogued() bool {
	switch p.place {
	case engineCache, noSchema, withParts, lockService, jobQueue:
		return true
	}
	return p.column != races.Ours || p.refuses || p.does("take the plan over")
}

// mostInstances is how many services a scenario may open.
const mostInstances = 20

// write makes a call for its error.
func write(f func(context.Context) error) callFunc {
	return func(ctx context.Context, _ asker) answer { return answer{err: f(ctx)} }
}
