package lifecycle

import (
	"context"
	"fmt"
	"strings"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

// FindPlans returns the plans that match a filter, ordered by identifier: a consistent snapshot. If
// plans are read page by page, each page is a snapshot; no plan comes twice, and one that existed
// before the first page is left out only if it has changed. The error matches [ErrInvalid].
func (s *Service) FindPlans(ctx context.Context, f PlanFilter) ([]Plan, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	if err := domain.CheckFilter(f); err != nil {
		return nil, err
	}
	return s.store.findPlans(ctx, f)
}

// selecting returns the statement that selects the plans that match f.
func selecting(f PlanFilter) (query string, args []any) {
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

// Find returns the plans that match a filter, ordered by identifier.
func (r *PlanRepository) Find(ctx context.Context, f PlanFilter) ([]Plan, error) {
	query, args := selecting(f)
	all, err := r.list(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("lifecycle: find plans: %w", err)
	}
	return all, nil
}
