package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// PlanFilter says which plans are wanted: those that have everything that is set.
// The zero value wants all that are not archived.
type PlanFilter struct {
	Phase    Phase
	State    State
	Action   Name
	ParentID string // the plan that made them

	Archived bool // also those that are archived

	After string // only those with a greater identifier, so those made later: the last one of the page before
	Limit int    // the first so many of them; 0 for all
}

// FindPlans returns the plans that a filter wants by identifier: a consistent
// snapshot. Of plans that are found page by page, each page is one; none comes
// twice, and none that was there before the first page is left out unless it has
// changed. The error matches [ErrInvalid].
func (s *Service) FindPlans(ctx context.Context, f PlanFilter) ([]Plan, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	return s.store.findPlans(ctx, f)
}

// check refuses what no plan can have.
func (f PlanFilter) check() error {
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

// wants reports whether p is one of those wanted, whatever the limit.
func (f PlanFilter) wants(p *Plan) bool {
	return (f.Archived || !p.Archived) && (f.Phase == "" || f.Phase == p.Phase) && (f.State == "" || f.State == p.State) &&
		(f.Action == Name{} || f.Action == p.Action) && (f.ParentID == "" || f.ParentID == p.ParentID) && p.ID > f.After
}

// query returns the statement that selects the plans wanted.
func (f PlanFilter) query() (query string, args []any) {
	conditions := []string{"plan_id > ?"}
	args = []any{f.After}
	add := func(set bool, condition string, value any) {
		if set {
			conditions, args = append(conditions, condition), append(args, value)
		}
	}
	if !f.Archived {
		conditions = append(conditions, "archived = 0")
	}
	add(f.Phase != "", "phase = ?", f.Phase)
	add(f.State != "", "state = ?", f.State)
	add(f.Action != Name{}, "action_name = ?", f.Action.String())
	add(f.ParentID != "", "parent_id = ?", f.ParentID)
	query = selectPlans + " WHERE " + strings.Join(conditions, " AND ") + " ORDER BY plan_id"
	if f.Limit > 0 {
		query += fmt.Sprint(" LIMIT ", f.Limit)
	}
	return query, args
}

// Find returns the plans that a filter wants, by identifier.
func (r *PlanRepository) Find(ctx context.Context, f PlanFilter) ([]Plan, error) {
	query, args := f.query()
	all, err := r.list(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("lifecycle: find plans: %w", err)
	}
	return all, nil
}
