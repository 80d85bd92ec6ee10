package model_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/model"
)

// The model's state machine, which is written down by itself, and the service's say the same of every command at every position.
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
					t.Errorf("%s at %s: the service says %s, %v; the model %s, %v", command, at, to, err, want, wantErr)
				}
				if err == nil {
					edges++
				}
			}
		}
	}
	if edges != len(lifecycle.Transitions()) {
		t.Errorf("got %d edges, want the %d that there are", edges, len(lifecycle.Transitions()))
	}
}
