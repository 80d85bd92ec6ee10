package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// N6: callers that add details of an error at the same time lose none.
func TestN6DetailsAreNotLost(t *testing.T) {
	ctx := context.Background()
	const n = 10
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p := planAt(t, s, lifecycle.Position{Phase: lifecycle.PhaseExecute, State: lifecycle.StateProcessing})
		together(n, func(i int) {
			check(t, ignore(s.AddErrorDetails(ctx, lifecycle.Note{PlanID: p.ID, Details: map[string]string{fmt.Sprint("part", i): "torn"}})))
		})
		want := map[string]string{"all": "jammed"}
		for i := range n {
			want[fmt.Sprint("part", i)] = "torn"
		}
		got, err := s.FailExecute(ctx, p.ID, lifecycle.Failure{Message: "parts failed", Details: map[string]string{"all": "jammed"}})
		if err != nil || !reflect.DeepEqual(got.ErrorDetails, want) || got.Version != p.Version+n+1 {
			t.Errorf("got %v of version %d, %v, want %v of %d", got.ErrorDetails, got.Version, err, want, p.Version+n+1)
		}
		if kept, err := s.GetPlan(ctx, p.ID); err != nil || !reflect.DeepEqual(kept, got) {
			t.Errorf("got %+v, %v, want %+v", kept, err, got)
		}
		if got, err := s.Resume(ctx, p.ID); err != nil || got.ErrorDetails != nil {
			t.Errorf("got %v, %v, want another attempt to begin without", got.ErrorDetails, err)
		}
	})
}

func TestAddErrorDetailsErrors(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		details := map[string]string{"a": "b"}
		p := newPlan(t, s)
		claim, err := s.Claim(ctx, p.ID, "A", time.Hour)
		check(t, err)
		for _, test := range []struct {
			note lifecycle.Note
			want error
		}{
			{lifecycle.Note{PlanID: p.ID, Fence: claim.Fence}, lifecycle.ErrInvalid},
			{lifecycle.Note{PlanID: p.ID, Fence: -1, Details: details}, lifecycle.ErrInvalid},
			{lifecycle.Note{PlanID: p.ID, Fence: claim.Fence, Details: map[string]string{"a": "\xff"}}, lifecycle.ErrInvalid},
			{lifecycle.Note{PlanID: p.ID, Fence: claim.Fence, Details: map[string]string{"a": strings.Repeat("b", lifecycle.MaxText)}}, lifecycle.ErrInvalid},
			{lifecycle.Note{PlanID: "nope", Details: details}, lifecycle.ErrNotFound},
			{lifecycle.Note{PlanID: p.ID, Details: details}, lifecycle.ErrClaimed},
			{lifecycle.Note{PlanID: p.ID, Fence: claim.Fence + 1, Details: details}, lifecycle.ErrClaimed},
			{lifecycle.Note{PlanID: planAt(t, s, applyApplied).ID, Details: details}, lifecycle.ErrFinished},
			{lifecycle.Note{PlanID: p.ID, Fence: claim.Fence, Details: details}, nil},
			{lifecycle.Note{PlanID: p.ID, Fence: claim.Fence, Details: map[string]string{"c": strings.Repeat("b", lifecycle.MaxText-100)}}, lifecycle.ErrInvalid},
		} {
			if _, err := s.AddErrorDetails(ctx, test.note); !errors.Is(err, test.want) {
				t.Errorf("%.100v: got %v, want %v", test.note, err, test.want)
			}
		}
		check(t, s.Close())
		if _, err := s.AddErrorDetails(ctx, lifecycle.Note{}); !errors.Is(err, lifecycle.ErrClosed) {
			t.Errorf("got %v, want ErrClosed", err)
		}
	})
}
