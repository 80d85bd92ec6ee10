package explored

import (
	"fmt"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// Pairs returns a scenario for each two operations that can meet on a store: two threads that each do one of them and
// then read. Each element makes its scenario anew.
func Pairs(store Store) []func() Scenario {
	var all []func() Scenario
	for _, at := range places() {
		commands := allowed(at)
		for i, a := range commands {
			for _, b := range commands[i:] {
				all = append(all, pair(store, at, transitionOf(a), transitionOf(b)))
			}
		}
	}
	begin := lifecycle.Position{Phase: lifecycle.PhaseStrategize, State: lifecycle.StateQueued}
	writers, readers := writers(store), readers()
	for i, a := range writers {
		for _, b := range writers[max(i, 1):] { // pairs of transitions are covered above
			all = append(all, pair(store, begin, a, b))
		}
		for _, b := range readers {
			all = append(all, pair(store, begin, a, b))
		}
	}
	return append(all, putAway(store)...)
}

// A maker makes a call on the objects of the beginning. n is the index of the thread.
type maker struct {
	name string
	call func(n int, plan, changeset *Ref) *Call
}

// pair returns the scenario of two calls. If the store has two services, each thread uses one.
func pair(store Store, at lifecycle.Position, a, b maker) func() Scenario {
	return func() Scenario {
		calls, plan, changeset := beginning(at)
		s := Scenario{Name: fmt.Sprintf("%s: %s, %s", at, a.name, b.name), Begin: calls}
		for n, m := range []maker{a, b} {
			first := m.call(n, plan, changeset)
			calls := []*Call{first, {Operation: GetPlan, Plan: plan}, {Operation: Changesets, Plan: plan}}
			if first.Action != "" {
				calls = []*Call{first, {Operation: GetAction, Action: first.Action}}
			}
			for _, c := range calls {
				c.Service = n % store.Services
			}
			s.Threads = append(s.Threads, calls)
		}
		return s
	}
}

// places returns the positions from which a plan can go on.
func places() []lifecycle.Position {
	var all []lifecycle.Position
	seen := make(map[lifecycle.Position]bool)
	for _, edge := range lifecycle.Transitions() {
		if !seen[edge.From] {
			seen[edge.From] = true
			all = append(all, edge.From)
		}
	}
	return all
}

// allowed returns the commands on a plan at a position.
func allowed(at lifecycle.Position) []lifecycle.Command {
	var all []lifecycle.Command
	for _, edge := range lifecycle.Transitions() {
		if edge.From == at {
			all = append(all, edge.Command)
		}
	}
	return all
}

func transitionOf(command lifecycle.Command) maker {
	return maker{string(command), func(_ int, plan, _ *Ref) *Call {
		return &Call{Operation: Transition, Plan: plan, Command: command}
	}}
}

// writers returns the operations that change a store, with one transition for all of them.
func writers(store Store) []maker {
	ref := func(what string, n int) *Ref { return &Ref{Slot: fmt.Sprintf("%s %d", what, n+2)} }
	all := []maker{
		transitionOf(lifecycle.CommandStartStrategize),
		{"create", func(int, *Ref, *Ref) *Call { return &Call{Operation: CreateAction, Action: "b"} }},
		{"use", func(n int, _, _ *Ref) *Call { return &Call{Operation: UseAction, Action: "a", Makes: ref("plan", n)} }},
		{"archive", func(int, *Ref, *Ref) *Call { return &Call{Operation: ArchiveAction, Action: "a"} }},
		{"make subplan", func(n int, plan, _ *Ref) *Call {
			return &Call{Operation: UseAction, Action: "a", Plan: plan, Makes: ref("plan", n)}
		}},
		deletePlan(),
		{"delete action", func(int, *Ref, *Ref) *Call { return &Call{Operation: DeleteAction, Action: "a"} }},
		archivePlan(),
		{"start changeset", func(n int, plan, _ *Ref) *Call {
			return &Call{Operation: StartChangeset, Plan: plan, Makes: ref("changeset", n)}
		}},
		{"record", func(n int, plan, _ *Ref) *Call {
			return &Call{Operation: RecordChange, Plan: plan, Path: fmt.Sprint("weft ", n)}
		}},
		{"finish changeset", func(_ int, plan, changeset *Ref) *Call {
			return &Call{Operation: Finish, Plan: plan, Changeset: changeset}
		}},
	}
	if store.Units {
		all = append(all, unit(Commit), unit(RollBack))
	}
	if store.Closes {
		all = append(all, maker{"close", func(int, *Ref, *Ref) *Call { return &Call{Operation: Close} }})
	}
	return all
}

func unit(o Operation) maker {
	return maker{string(o), func(n int, plan, _ *Ref) *Call {
		return &Call{Operation: o, Action: "a", Plan: plan, Path: fmt.Sprint("selvage ", n)}
	}}
}

// readers returns the operations that change nothing.
func readers() []maker {
	return []maker{
		{"get action", func(int, *Ref, *Ref) *Call { return &Call{Operation: GetAction, Action: "a"} }},
		{"list actions", func(int, *Ref, *Ref) *Call { return &Call{Operation: ListActions} }},
		{"get plan", func(_ int, plan, _ *Ref) *Call { return &Call{Operation: GetPlan, Plan: plan} }},
		{"list plans", func(int, *Ref, *Ref) *Call { return &Call{Operation: ListPlans} }},
		{"list changesets", func(_ int, plan, _ *Ref) *Call { return &Call{Operation: Changesets, Plan: plan} }},
	}
}
