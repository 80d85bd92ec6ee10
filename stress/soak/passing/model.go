package passing

import (
	"slices"
	"strings"
)

// A model is the sequential model of an object.
type model[S comparable] struct {
	apply  func(S, *Operation) (S, Outcome)   // the effect and the outcome of an operation
	agrees func(was, is S, o *Operation) bool // whether a result with this outcome is correct
}

// planState is the state of a plan. It is comparable.
type planState struct {
	there, gone bool // both are false before it is made
	ended, away bool
	version     int64
	open        bool   // it has a changeset
	entries     string // the labels of the recording calls
}

func plans() model[planState] { return model[planState]{applyPlan, agreesPlan} }

func agreesPlan(_, is planState, o *Operation) bool {
	switch {
	case o.Outcome != OK:
		return true
	case o.Kind == Changes:
		return is.entries == strings.Join(o.Entries, " ")
	case slices.Contains([]Kind{Make, Get, Cancel, PutAway}, o.Kind):
		return is.version == o.Version && is.ended == o.Ended && is.away == o.Away
	}
	return true
}

func applyPlan(s planState, o *Operation) (planState, Outcome) {
	switch {
	case o.Kind == Make && (s.there || s.gone):
		return s, Wrong
	case o.Kind == Make:
		return planState{there: true, version: 1}, OK
	case !s.there:
		return s, NotFound
	}
	next := s
	switch o.Kind {
	case List:
		if s.away && !o.Whole {
			return s, NotFound
		}
	case Start, Record:
		if s.ended {
			return s, Finished
		}
		if o.Kind == Start {
			next.open = true
			return next, OK
		}
		if !s.open {
			return s, NoChangeset
		}
		next.entries = strings.TrimSpace(s.entries + " " + o.Label)
	case Cancel:
		if s.ended {
			return s, Refused
		}
		next.ended, next.version = true, s.version+1
	case PutAway:
		if s.away {
			return s, Archived
		}
		if !s.ended {
			return s, NotReady
		}
		next.away, next.version = true, s.version+1
	case Delete:
		next = planState{gone: true}
	}
	return next, OK
}

// actionState is the state of an action, with the number of its plans.
type actionState struct {
	there bool
	plans int
}

func actionsWithPlans() model[actionState] { return model[actionState]{applyAction, agreesAction} }

func agreesAction(was, _ actionState, o *Operation) bool {
	return o.Outcome != Referred || o.Plans == was.plans
}

// applyAction also applies the deletion of a plan of the action.
func applyAction(s actionState, o *Operation) (actionState, Outcome) {
	next := s
	switch {
	case o.Kind == Delete && s.plans == 0:
		return s, NotFound
	case o.Kind == Delete:
		next.plans--
	case o.Kind == CreateAction && s.there:
		return s, Exists
	case o.Kind == CreateAction:
		next.there = true
	case !s.there:
		return s, NotFound
	case o.Kind == Make:
		next.plans++
	case s.plans > 0:
		return s, Referred
	default:
		next.there = false
	}
	return next, OK
}
