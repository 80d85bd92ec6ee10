package explored

import "github.com/jacquard-go/jacquard/lifecycle"

// putAway returns the scenarios that archive and delete plans and actions, except the pairs on a new plan: archiving a
// finished plan against other calls, and deleting an action from which no plan exists (any more).
func putAway(store Store) []func() Scenario {
	finished := lifecycle.Position{Phase: lifecycle.PhaseApply, State: lifecycle.StateApplied}
	var all []func() Scenario
	for _, other := range append(readers(), archivePlan(), deletePlan()) {
		all = append(all, pair(store, finished, archivePlan(), other))
	}
	spare := func(o Operation, makes *Ref) *Call {
		return &Call{Operation: o, Action: "spare", Path: "anew", Makes: makes}
	}
	for _, other := range []Operation{CreateAction, ArchiveAction, DeleteAction, UseAction, GetAction, ListActions} {
		all = append(all, func() Scenario {
			s := Scenario{Name: "spare: delete action, " + string(other)}
			s.Begin, _, _ = beginning(finished)
			s.Begin = append(s.Begin, &Call{Operation: CreateAction, Action: "spare"})
			s.Threads = [][]*Call{{spare(DeleteAction, nil), spare(GetAction, nil)}, {spare(other, &Ref{Slot: "plan 2"}), spare(GetAction, nil)}}
			return s.on(store)
		})
	}
	return append(all, func() Scenario {
		s := Scenario{Name: "all anew: delete plan, delete action, create, use"}
		begin, plan, _ := beginning(finished)
		s.Begin = begin
		s.Threads = [][]*Call{
			{{Operation: DeletePlan, Plan: plan}, {Operation: DeleteAction, Action: "a"}, {Operation: CreateAction, Action: "a", Path: "anew"}},
			{{Operation: UseAction, Action: "a", Makes: &Ref{Slot: "plan 2"}}, {Operation: GetAction, Action: "a"}},
		}
		return s.on(store)
	})
}

// on gives each thread a service of its own, as far as there are any.
func (s Scenario) on(store Store) Scenario {
	for n, calls := range s.Threads {
		for _, c := range calls {
			c.Service = n % store.Services
		}
	}
	return s
}

func archivePlan() maker {
	return maker{string(ArchivePlan), func(_ int, plan, _ *Ref) *Call { return &Call{Operation: ArchivePlan, Plan: plan} }}
}

func deletePlan() maker {
	return maker{string(DeletePlan), func(_ int, plan, _ *Ref) *Call { return &Call{Operation: DeletePlan, Plan: plan} }}
}
