package lifecycle_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
)

func ids(all []lifecycle.Plan) []string {
	var found []string
	for _, p := range all {
		found = append(found, p.ID)
	}
	return found
}

func TestFindPlans(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		_, err := s.CreateAction(ctx, spec("other"))
		check(t, err)
		a, b := newPlan(t, s), planAt(t, s, executeErrored)
		c, err := s.UseAction(ctx, "other", lifecycle.UseOptions{ParentID: a.ID})
		check(t, err)
		d := planAt(t, s, executeComplete)
		for _, test := range []struct {
			filter lifecycle.PlanFilter
			want   []lifecycle.Plan
		}{
			{lifecycle.PlanFilter{}, []lifecycle.Plan{a, b, c, d}},
			{lifecycle.PlanFilter{Phase: lifecycle.PhaseExecute}, []lifecycle.Plan{b, d}},
			{lifecycle.PlanFilter{State: lifecycle.StateQueued}, []lifecycle.Plan{a, c}},
			{lifecycle.PlanFilter{Phase: lifecycle.PhaseExecute, State: lifecycle.StateErrored}, []lifecycle.Plan{b}},
			{lifecycle.PlanFilter{Action: c.Action}, []lifecycle.Plan{c}},
			{lifecycle.PlanFilter{ParentID: a.ID}, []lifecycle.Plan{c}},
			{lifecycle.PlanFilter{ParentID: a.ID, Action: a.Action}, nil},
			{lifecycle.PlanFilter{Limit: 2}, []lifecycle.Plan{a, b}},
			{lifecycle.PlanFilter{After: b.ID, Limit: 2}, []lifecycle.Plan{c, d}},
			{lifecycle.PlanFilter{After: b.ID, Limit: 9, State: lifecycle.StateComplete}, []lifecycle.Plan{d}},
			{lifecycle.PlanFilter{After: d.ID, Limit: 2}, nil},
		} {
			got, err := s.FindPlans(ctx, test.filter)
			if err != nil || !reflect.DeepEqual(ids(got), ids(test.want)) {
				t.Errorf("%+v: got %q, %v, want %q", test.filter, ids(got), err, ids(test.want))
			}
		}
		if got, err := s.FindPlans(ctx, lifecycle.PlanFilter{ParentID: a.ID}); err != nil || !reflect.DeepEqual(got, []lifecycle.Plan{c}) {
			t.Errorf("got %+v, %v, want the whole plan %+v", got, err, c)
		}
		for _, filter := range []lifecycle.PlanFilter{
			{Limit: -1}, {Phase: "loom"}, {State: "torn"}, {Phase: lifecycle.PhaseExecute, State: lifecycle.StateApplied}, {ParentID: "\xff"},
		} {
			if _, err := s.FindPlans(ctx, filter); !errors.Is(err, lifecycle.ErrInvalid) {
				t.Errorf("%+v: got %v, want ErrInvalid", filter, err)
			}
		}
		check(t, s.Close())
		if _, err := s.FindPlans(ctx, lifecycle.PlanFilter{}); !errors.Is(err, lifecycle.ErrClosed) {
			t.Errorf("got %v, want ErrClosed", err)
		}
	})
}
