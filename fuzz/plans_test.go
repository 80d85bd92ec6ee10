package fuzz_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jacquard-go/jacquard/fuzz"
	"github.com/jacquard-go/jacquard/lifecycle"
)

// FuzzPlans drives plans through the state machine.
func FuzzPlans(f *testing.F) {
	addInputs(f, 24)
	f.Fuzz(func(t *testing.T, input []byte) {
		w := newWorld(t, input).inMemory()
		w.prepare()
		w.play(100, append(planOperations(), goOn, goOn, goOn, sendBack, sendBack, useAction)...)
	})
}

// prepare creates an action and two plans of it. The second is a child of the first.
func (w *world) prepare() {
	ctx := context.Background()
	spec := lifecycle.ActionSpec{
		Name: "build", Actors: lifecycle.Actors{Strategy: "strategist", Execution: "executor"}, Reusable: true,
	}
	_, err := w.services[0].CreateAction(ctx, spec)
	w.must(err)
	_, err = w.model.CreateAction(spec, w.now)
	w.must(err)
	for i := range 2 {
		var opts lifecycle.UseOptions
		if i > 0 {
			opts.ParentID = w.plans[0]
		}
		got, err := w.services[0].UseAction(ctx, "build", opts)
		w.must(err)
		want, err := w.model.UseAction("build", opts, w.now)
		w.must(err)
		w.adopt(0, got.ID)
		w.plans = append(w.plans, got.ID)
		w.model.AddPlan(want, got.ID)
	}
	w.compareLists()
}

func planOperations() []operation {
	return []operation{transition, sensibleTransition, sensibleTransition, goOn, getPlan}
}

func getPlan(w *world) {
	id := w.one(w.plans)
	_ = do(w, "get plan "+id, func(ctx context.Context, s *lifecycle.Service) (lifecycle.Plan, error) {
		return s.GetPlan(ctx, id)
	}, func(lifecycle.Plan, int) (lifecycle.Plan, error) { return w.model.GetPlan(id) })
}

// transition requests any command.
func transition(w *world) {
	id := w.one(w.plans)
	r := lifecycle.Request{PlanID: id, Command: fuzz.Pick(w.tape, append(lifecycle.Commands(), lifecycle.CommandUseAction, "", "start_action")...)}
	if p, err := w.model.GetPlan(id); err == nil {
		r.IfVersion = fuzz.Pick(w.tape, 0, 0, 0, p.Version, p.Version, p.Version-1, p.Version+1, -1)
	}
	if w.tape.Seldom() {
		r.Reason, r.To, r.DecisionRootID = w.text(), fuzz.Pick[lifecycle.Phase](w.tape, "", "strategize", "action", "execute", "apply", "rest"), w.text()
		r.Details, r.LastCompletedStep, r.SandboxRefs = w.details(), w.step(), w.references()
		r.Progress = w.tape.Seldom()
	} else {
		w.fill(&r)
	}
	w.move(r)
}

// sensibleTransition requests one that the plan's position allows, if there is one.
func sensibleTransition(w *world) {
	id := w.one(w.plans)
	p, err := w.model.GetPlan(id)
	if err != nil {
		return
	}
	var allowed []lifecycle.Command
	for _, edge := range lifecycle.Transitions() {
		if edge.From == p.Position() && edge.Command != lifecycle.CommandCancel {
			allowed = append(allowed, edge.Command)
		}
	}
	if len(allowed) == 0 {
		w.use("build", lifecycle.UseOptions{ParentID: id}) // the plan has ended: create another
		return
	}
	r := lifecycle.Request{PlanID: id, Command: fuzz.Pick(w.tape, allowed...), IfVersion: fuzz.Pick(w.tape, 0, p.Version)}
	w.fill(&r)
	w.move(r)
}

// goOn does the next command on the long path of the second plan. It leads through all phases and ends in a cycle in which the
// plan is constrained and resumed.
func goOn(w *world) {
	p, err := w.model.GetPlan(w.plans[1])
	if err != nil {
		return // it was deleted
	}
	r := lifecycle.Request{PlanID: p.ID, Command: lifecycle.CommandResume}
	switch at := p.Position(); {
	case at.State == lifecycle.StateQueued:
		r.Command = lifecycle.Command("start_" + string(p.Phase))
	case at.State == lifecycle.StateProcessing && at.Phase == lifecycle.PhaseApply:
		r.Command, r.Reason = lifecycle.CommandConstrainApply, "it must not be"
	case at.State == lifecycle.StateProcessing:
		r.Command = lifecycle.Command("complete_" + string(p.Phase))
	case at.State == lifecycle.StateComplete && at.Phase == lifecycle.PhaseStrategize:
		r.Command = lifecycle.CommandExecutePlan
	case at.State == lifecycle.StateComplete:
		r.Command = lifecycle.CommandApplyPlan
	}
	w.move(r)
}

// sendBack does the next command on the shortest path on which the first plan is reverted too often.
func sendBack(w *world) {
	p, err := w.model.GetPlan(w.plans[0])
	w.must(err)
	r := lifecycle.Request{PlanID: p.ID, Command: lifecycle.CommandRevert}
	switch p.State {
	case lifecycle.StateQueued:
		r.Command = lifecycle.Command("start_" + string(p.Phase))
	case lifecycle.StateProcessing:
		r.Command, r.Reason = lifecycle.Command("fail_"+string(p.Phase)), "it broke"
	}
	w.move(r)
}

// fill sets what the request's command accepts.
func (w *world) fill(r *lifecycle.Request) {
	switch r.Command {
	case lifecycle.CommandFailStrategize, lifecycle.CommandFailExecute, lifecycle.CommandFailApply, lifecycle.CommandConstrainApply:
		r.Reason, r.Details, r.LastCompletedStep = w.tape.Text("it broke", "it tore", "日本", ""), w.details(), w.step()
	case lifecycle.CommandCancel:
		r.Reason = w.text()
	case lifecycle.CommandRevert:
		r.Reason, r.To = w.text(), fuzz.Pick[lifecycle.Phase](w.tape, "", "strategize", "", "strategize", "execute", "rest")
	case lifecycle.CommandCompleteStrategize:
		r.DecisionRootID, r.Progress = w.text(), fuzz.Pick(w.tape, false, false, true)
	case lifecycle.CommandCompleteExecute:
		r.Progress = fuzz.Pick(w.tape, false, false, true)
	case lifecycle.CommandStartExecute:
		r.SandboxRefs = w.references()
	}
}

func (w *world) details() map[string]string {
	details := make(map[string]string)
	for range w.tape.Below(3) {
		details[w.tape.Text("a", "b", "日", "")] = w.tape.Text("1", "", "two", "三")
	}
	return details
}

func (w *world) step() int { return fuzz.Pick(w.tape, 0, 1, 7, 0, -1, 1<<40) }

func (w *world) references() []string {
	var all []string
	for range w.tape.Below(3) {
		all = append(all, w.tape.Text("sandbox/1", "sandbox/2", "日"))
	}
	return all
}

func (w *world) move(r lifecycle.Request) {
	before, _ := w.model.GetPlan(r.PlanID)
	err := do(w, fmt.Sprintf("%s: transition %+v", before.Position(), r), func(ctx context.Context, s *lifecycle.Service) (lifecycle.Plan, error) {
		return s.Transition(ctx, r)
	}, func(lifecycle.Plan, int) (lifecycle.Plan, error) { return w.model.Transition(r, w.now) })
	var conflict *lifecycle.ConflictError
	var invalid *lifecycle.InvalidTransitionError
	var early *lifecycle.NotReadyError
	names := before.Position()
	switch {
	case errors.As(err, &conflict):
		names = conflict.Current
		if conflict.CurrentVersion != before.Version || conflict.HeldVersion != r.IfVersion {
			w.Fatalf("%+v: got %v, want it to name version %d", r, err, before.Version)
		}
	case errors.As(err, &invalid):
		names = invalid.Current
	case errors.As(err, &early):
		names = early.Current
	}
	if names != before.Position() {
		w.Fatalf("%+v: got %v, want it to name %s", r, err, before.Position())
	}
}
