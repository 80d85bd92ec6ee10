package explored

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/model"
)

// A Scenario is a test on a store: some calls in sequence, then threads of calls, then reading everything. Each execution
// needs a new one, because calls store their results; so scenarios are passed as functions that make them.
type Scenario struct {
	Name    string
	Begin   []*Call
	Threads [][]*Call
}

func newState() state { return state{store: model.New()} }

// refs returns the refs of all objects that the scenario's calls create.
func (s Scenario) refs() []*Ref {
	var all []*Ref
	for _, calls := range append([][]*Call{s.Begin}, s.Threads...) {
		for _, c := range calls {
			if c.Makes != nil {
				all = append(all, c.Makes)
			}
		}
	}
	return all
}

// look returns the calls that read everything a scenario can have changed, on one service.
func (s Scenario) look(service int) []*Call {
	all := []*Call{{Operation: ListActions, Service: service}, {Operation: ListPlans, Service: service}}
	for _, c := range s.Begin {
		if c.Operation == UseAction {
			all = append(all, &Call{Operation: Changesets, Service: service, Plan: c.Makes}, &Call{Operation: GetPlan, Service: service, Plan: c.Makes})
		}
	}
	return all
}

// A Template is a store prepared for the beginning of a scenario. It is safe for concurrent use.
type Template struct {
	store   Store
	make    func() Scenario
	content []byte   // of the prepared file
	ids     []string // of the objects created at the beginning, in order
	begin   state
}

// NewTemplate prepares a store for a scenario. On a file it runs the beginning once, in dir, for all executions.
func NewTemplate(store Store, dir string, scenario func() Scenario) (*Template, error) {
	tp := &Template{store: store, make: scenario}
	if !store.file {
		return tp, nil
	}
	w, err := store.open(dir, nil)
	if err != nil {
		return nil, err
	}
	s := scenario()
	tp.begin, err = w.prepare(s.Begin)
	if err = errors.Join(err, w.close()); err != nil {
		return nil, fmt.Errorf("prepare %s: %w", s.Name, err)
	}
	for _, c := range s.Begin {
		if c.Makes != nil {
			tp.ids = append(tp.ids, c.Makes.id)
		}
	}
	tp.content, err = os.ReadFile(filepath.Join(dir, "plans.db"))
	return tp, err
}

// Body runs the scenario once and checks its results.
func (tp *Template) Body(t *explore.T) {
	dir := ""
	if tp.store.file {
		dir = t.TempDir()
	}
	s := tp.make()
	w, err := tp.store.open(dir, tp.content)
	if err != nil {
		fail(t, err)
		return
	}
	defer func() {
		if err := w.close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}()
	begin, err := tp.start(w, s)
	if err != nil {
		fail(t, err)
		return
	}
	h := explore.NewHistory(t, sequential(begin, s.refs()))
	for i, calls := range s.Threads {
		t.Go(fmt.Sprint("thread ", i+1), func() {
			for _, c := range calls {
				h.Do(c, w.apply)
			}
		})
	}
	t.Wait()
	for _, c := range s.look(tp.store.Services - 1) {
		h.Do(c, w.apply)
	}
	h.Check()
}

// start runs the beginning, or restores it from the template.
func (tp *Template) start(w *world, s Scenario) (state, error) {
	if tp.content == nil {
		return w.prepare(s.Begin)
	}
	ids := tp.ids
	for _, c := range s.Begin {
		if c.Makes != nil {
			c.Makes.id, ids = ids[0], ids[1:]
		}
	}
	return tp.begin, nil
}

// way returns the shortest sequence of commands that takes a new plan to a position.
func way(to lifecycle.Position) []lifecycle.Command {
	type place struct {
		at   lifecycle.Position
		path []lifecycle.Command
	}
	queue := []place{{at: lifecycle.Position{Phase: lifecycle.PhaseStrategize, State: lifecycle.StateQueued}}}
	for seen := map[lifecycle.Position]bool{queue[0].at: true}; len(queue) > 0; queue = queue[1:] {
		if queue[0].at == to {
			return queue[0].path
		}
		for _, edge := range lifecycle.Transitions() {
			if edge.From == queue[0].at && !seen[edge.To] {
				seen[edge.To] = true
				queue = append(queue, place{edge.To, append(slices.Clone(queue[0].path), edge.Command)})
			}
		}
	}
	return nil
}

// beginning returns calls that create an action and a plan of it, with an open changeset of one change, at position at.
func beginning(at lifecycle.Position) (calls []*Call, plan, changeset *Ref) {
	plan, changeset = &Ref{Slot: "plan 1"}, &Ref{Slot: "changeset 1"}
	calls = []*Call{
		{Operation: CreateAction, Action: "a"}, {Operation: UseAction, Action: "a", Makes: plan},
		{Operation: StartChangeset, Plan: plan, Makes: changeset}, {Operation: RecordChange, Plan: plan, Path: "warp"},
	}
	for _, command := range way(at) {
		calls = append(calls, &Call{Operation: Transition, Plan: plan, Command: command})
	}
	return calls, plan, changeset
}
