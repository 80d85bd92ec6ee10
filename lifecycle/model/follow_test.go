package model_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/model"
)

// The model's state machine is written independently. It agrees with the service's on every command at every position.
func TestFollow(t *testing.T) {
	edges := 0
	for _, phase := range []lifecycle.Phase{"strategize", "execute", "apply"} {
		for _, state := range []lifecycle.State{"queued", "processing", "complete", "errored", "constrained", "applied", "cancelled"} {
			at := lifecycle.Position{Phase: phase, State: state}
			if !at.Valid() {
				continue
			}
			for _, command := range append(lifecycle.Commands(), "start_action") {
				to, err := lifecycle.Guard(command, at)
				want, wantErr := model.Follow(command, at)
				if !model.Agree(err, wantErr) || err == nil && to != want {
					t.Errorf("%s at %s: got %s, %v from the service, want %s, %v as in the model", command, at, to, err, want, wantErr)
				}
				if err == nil {
					edges++
				}
			}
		}
	}
	if edges != len(lifecycle.Transitions()) {
		t.Errorf("got %d edges, want %d", edges, len(lifecycle.Transitions()))
	}
}
