package lifecycle_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// The service follows the table, for every command in every position.
func TestServiceFollowsTheTable(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		for _, at := range positions() {
			for _, command := range lifecycle.Commands() {
				tryTransition(t, s, command, at)
			}
		}
	})
}

func tryTransition(t *testing.T, s *lifecycle.Service, command lifecycle.Command, at lifecycle.Position) {
	ctx := context.Background()
	held := planAt(t, s, at)
	want, wantErr := lifecycle.Guard(command, at)
	got, err := s.Transition(ctx, request(held.ID, command))
	now, getErr := s.GetPlan(ctx, held.ID)
	check(t, getErr)
	if wantErr == nil {
		if err != nil || got.Position() != want || got.Version != held.Version+1 || now.Position() != want {
			t.Errorf("%s from %s: got %v, %v and %v afterwards, want %v", command, at, got.Position(), err, now.Position(), want)
		}
		return
	}
	for _, kind := range []error{lifecycle.ErrInvalidTransition, lifecycle.ErrNotReady} {
		if errors.Is(err, kind) != errors.Is(wantErr, kind) {
			t.Errorf("%s from %s: got %v, want %v", command, at, err, wantErr)
		}
	}
	if !strings.Contains(err.Error(), held.ID) || now.Version != held.Version {
		t.Errorf("%s from %s: got %v and version %d, want the plan named and version %d", command, at, err, now.Version, held.Version)
	}
}
