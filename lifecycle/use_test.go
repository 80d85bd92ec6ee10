package lifecycle_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
)

func project(t *testing.T, s string) lifecycle.ProjectLink {
	t.Helper()
	name, err := lifecycle.ParseName(s)
	check(t, err)
	return lifecycle.ProjectLink{Name: name, Alias: "p", ReadOnly: true}
}

func TestUseAction(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		a, err := s.CreateAction(ctx, fullSpec())
		check(t, err)
		arguments := map[string]string{"where": "here"}
		p, err := s.UseAction(ctx, "Tools/deploy", lifecycle.UseOptions{Arguments: arguments})
		check(t, err)
		want := lifecycle.Plan{
			ID: p.ID, RootID: p.ID, Attempt: 1, Name: a.Name, Action: a.Name,
			Description: a.Description, DefinitionOfDone: a.DefinitionOfDone,
			Arguments: map[string]string{"where": "here", "times": "3"},
			Phase:     lifecycle.PhaseStrategize, State: lifecycle.StateQueued, Version: 1,
			CreatedAt: p.CreatedAt, UpdatedAt: p.CreatedAt,
		}
		if len(p.ID) != 26 || p.CreatedAt.IsZero() || !reflect.DeepEqual(p, want) {
			t.Errorf("got %+v, want %+v", p, want)
		}
		options := lifecycle.UseOptions{
			Name: "Mine", Description: "another", ParentID: p.ID, Profile: "careful", Arguments: arguments,
			Projects: []lifecycle.ProjectLink{project(t, "x"), project(t, "y")},
		}
		child, err := s.UseAction(ctx, "tools/deploy", options)
		check(t, err)
		options.ParentID = child.ID
		grandchild, err := s.UseAction(ctx, "tools/deploy", options)
		check(t, err)
		if grandchild.ParentID != child.ID || grandchild.RootID != p.ID || grandchild.Profile != "careful" ||
			grandchild.Name.String() != "local/mine" || grandchild.Description != "another" ||
			!reflect.DeepEqual(grandchild.Projects, options.Projects) {
			t.Errorf("got %+v, want what the options say, under the root %s", grandchild, p.ID)
		}
		for _, want := range []lifecycle.Plan{p, child, grandchild} {
			for range 2 { // the second read may come from a cache
				if got, err := s.GetPlan(ctx, want.ID); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("got %+v, %v, want %+v", got, err, want)
				}
			}
		}
		if all, err := s.ListPlans(ctx); err != nil || !reflect.DeepEqual(all, []lifecycle.Plan{p, child, grandchild}) {
			t.Errorf("got %+v, %v, want the three in order", all, err)
		}
		if got, err := s.GetAction(ctx, "tools/deploy"); err != nil || got.Uses != 3 || got.UpdatedAt != grandchild.CreatedAt {
			t.Errorf("got %+v, %v, want 3 uses, the last at %v", got, err, grandchild.CreatedAt)
		}
	})
}

// A failed use is not counted and leaves no plan.
func TestUseActionErrors(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		_, err := s.CreateAction(ctx, spec("a"))
		check(t, err)
		tests := []struct {
			action string
			opts   lifecycle.UseOptions
			want   error
		}{
			{"b", lifecycle.UseOptions{}, lifecycle.ErrNotFound},
			{"a b", lifecycle.UseOptions{}, lifecycle.ErrInvalid},
			{"a", lifecycle.UseOptions{ParentID: "01JZZZZZZZZZZZZZZZZZZZZZZZ"}, lifecycle.ErrNotFound},
			{"a", lifecycle.UseOptions{ParentID: "\xff"}, lifecycle.ErrInvalid},
			{"a", lifecycle.UseOptions{Name: "a b"}, lifecycle.ErrInvalid},
			{"a", lifecycle.UseOptions{Profile: "\x00"}, lifecycle.ErrInvalid},
			{"a", lifecycle.UseOptions{Projects: make([]lifecycle.ProjectLink, 1)}, lifecycle.ErrInvalid},
			{"a", lifecycle.UseOptions{Projects: []lifecycle.ProjectLink{project(t, "p"), project(t, "p")}}, lifecycle.ErrInvalid},
			{"a", lifecycle.UseOptions{Projects: []lifecycle.ProjectLink{{Name: project(t, "p").Name, Alias: "\xff"}}}, lifecycle.ErrInvalid},
		}
		for _, test := range tests {
			if _, err := s.UseAction(ctx, test.action, test.opts); !errors.Is(err, test.want) {
				t.Errorf("%s %+v: got %v, want %v", test.action, test.opts, err, test.want)
			}
		}
		if plans, err := s.ListPlans(ctx); err != nil || len(plans) != 0 {
			t.Errorf("got %v, %v, want no plan", plans, err)
		}
		if a, err := s.GetAction(ctx, "a"); err != nil || a.Uses != 0 {
			t.Errorf("got %d uses, %v, want none", a.Uses, err)
		}
	})
}

func TestActionThatIsNotReusable(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		once := spec("once")
		once.Reusable = false
		_, err := s.CreateAction(ctx, once)
		check(t, err)
		_, err = s.UseAction(ctx, "once", lifecycle.UseOptions{})
		check(t, err)
		if _, err := s.UseAction(ctx, "once", lifecycle.UseOptions{}); !errors.Is(err, lifecycle.ErrArchived) {
			t.Errorf("got %v, want ErrArchived", err)
		}
		if a, err := s.GetAction(ctx, "once"); err != nil || a.State != lifecycle.ActionArchived || a.Uses != 1 {
			t.Errorf("got %+v, %v, want it archived by its one use", a, err)
		}
	})
}
