package domain

import (
	"fmt"
	"slices"
)

// PlanFilter selects plans: those that match all fields that are set. The zero value selects all
// that are not archived.
type PlanFilter struct {
	Phase    Phase
	State    State
	Action   Name
	ParentID string // the plan that made them

	Archived bool // include archived plans

	After string // only plans with a greater identifier, so created later; for paging, the last one of the page before
	Limit int    // at most this many, the first ones; 0 for all
}

// CheckFilter refuses a filter that no plan can match.
func CheckFilter(f PlanFilter) error {
	at := Position{f.Phase, f.State}
	possible := func(phase Phase) bool {
		return (f.Phase == "" || f.Phase == phase) && (f.State == "" || Position{phase, f.State}.Valid())
	}
	switch {
	case !slices.ContainsFunc([]Phase{PhaseStrategize, PhaseExecute, PhaseApply}, possible):
		return invalid("phase and state", at.String(), "is where no plan can be")
	case f.Limit < 0:
		return invalid("limit", fmt.Sprint(f.Limit), "is negative")
	}
	return checkTexts(text{"parent", f.ParentID}, text{"after", f.After}, text{"action", f.Action.String()})
}

// Wants reports whether f selects p, ignoring the limit.
func Wants(f PlanFilter, p *Plan) bool {
	return (f.Archived || !p.Archived) && (f.Phase == "" || f.Phase == p.Phase) && (f.State == "" || f.State == p.State) &&
		(f.Action == Name{} || f.Action == p.Action) && (f.ParentID == "" || f.ParentID == p.ParentID) && p.ID > f.After
}
