package fuzz_test

import (
	"fmt"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/explored"
)

// FuzzMemory fuzzes programs of three callers on a plan service in memory. What they observe must be linearizable in the model of
// package lifecycle/model. So it finds bugs that no row of the catalogue asks for, such as a use that is not counted.
func FuzzMemory(f *testing.F) {
	store := explored.Stores()[0]
	var program []byte // of the current input; there is one execution at a time
	template, err := explored.NewTemplate(store, f.TempDir(), func() explored.Scenario { return callsOf(store, 3, program) })
	if err != nil {
		f.Fatal(err)
	}
	var cfg explore.FuzzConfig
	cfg.Trust = explored.Trusted()
	cfg.Programs = twice(len(calls(0, nil, nil)))
	cfg.Replayed = "JACQUARD_CARD=%s go test ./fuzz -run '^" + f.Name() + "$'"
	explore.FuzzProgram(f, cfg, func(t *explore.T, input []byte) {
		program = input
		template.Body(t)
	})
}

// callsOf translates a program to a scenario. Each byte says which call is made, by which task, and on what.
func callsOf(store explored.Store, tasks int, program []byte) explored.Scenario {
	plan, changeset := &explored.Ref{Slot: "plan 1"}, &explored.Ref{Slot: "changeset 1"}
	s := explored.Scenario{Name: "program", Threads: make([][]*explored.Call, tasks), Begin: []*explored.Call{
		{Operation: explored.CreateAction, Action: "a"},
		{Operation: explored.UseAction, Action: "a", Makes: plan},
		{Operation: explored.StartChangeset, Plan: plan, Makes: changeset},
	}}
	for n, b := range program[:min(len(program), mostOperations)] {
		all := calls(n, plan, changeset)
		task := int(b) / len(all) % tasks
		c := all[int(b)%len(all)]
		c.Service = task % store.Services
		s.Threads[task] = append(s.Threads[task], c)
	}
	return s
}

// calls returns the calls that the nth byte of a program can stand for.
func calls(n int, plan, changeset *explored.Ref) []*explored.Call {
	made := func(what string) *explored.Ref { return &explored.Ref{Slot: fmt.Sprint(what, " of ", n)} }
	return []*explored.Call{
		{Operation: explored.CreateAction, Action: "b"},
		{Operation: explored.UseAction, Action: "a", Makes: made("plan")},
		{Operation: explored.GetAction, Action: "a"},
		{Operation: explored.ListPlans},
		{Operation: explored.GetPlan, Plan: plan},
		{Operation: explored.Transition, Plan: plan, Command: lifecycle.CommandStartStrategize},
		{Operation: explored.Transition, Plan: plan, Command: lifecycle.CommandCancel},
		{Operation: explored.StartChangeset, Plan: plan, Makes: made("changeset")},
		{Operation: explored.RecordChange, Plan: plan, Path: pathNames()[n]},
		{Operation: explored.Finish, Plan: plan, Changeset: changeset},
		{Operation: explored.Changesets, Plan: plan},
		{Operation: explored.ArchivePlan, Plan: plan},
		{Operation: explored.DeletePlan, Plan: plan},
		{Operation: explored.DeleteAction, Action: "a"},
	}
}
