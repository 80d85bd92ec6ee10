package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// machine is the state machine as the tracker describes it, written down a
// second time: every edge, in words.
const machine = `
start_strategize: strategize/queued → strategize/processing
complete_strategize: strategize/processing → strategize/complete
fail_strategize: strategize/processing → strategize/errored
execute_plan: strategize/complete → execute/queued
start_execute: execute/queued → execute/processing
complete_execute: execute/processing → execute/complete
fail_execute: execute/processing → execute/errored
apply_plan: execute/complete → apply/queued
start_apply: apply/queued → apply/processing
complete_apply: apply/processing → apply/applied
constrain_apply: apply/processing → apply/constrained
fail_apply: apply/processing → apply/errored
cancel: strategize/queued → strategize/cancelled
cancel: strategize/processing → strategize/cancelled
cancel: strategize/complete → strategize/cancelled
cancel: strategize/errored → strategize/cancelled
cancel: execute/queued → execute/cancelled
cancel: execute/processing → execute/cancelled
cancel: execute/complete → execute/cancelled
cancel: execute/errored → execute/cancelled
cancel: apply/queued → apply/cancelled
cancel: apply/processing → apply/cancelled
cancel: apply/errored → apply/cancelled
cancel: apply/constrained → apply/cancelled
revert: strategize/errored → strategize/queued
revert: execute/errored → strategize/queued
revert: apply/errored → strategize/queued
revert: apply/constrained → strategize/queued
resume: strategize/errored → strategize/queued
resume: execute/errored → execute/queued
resume: apply/errored → apply/queued
resume: apply/constrained → apply/queued
`

func TestStateMachine(t *testing.T) {
	var got strings.Builder
	got.WriteString("\n")
	for _, edge := range lifecycle.Transitions() {
		if !edge.From.Valid() || !edge.To.Valid() {
			t.Errorf("%v leads from or to nowhere", edge)
		}
		fmt.Fprintf(&got, "%s: %s → %s\n", edge.Command, edge.From, edge.To)
	}
	if got.String() != machine {
		t.Errorf("got %s\nwant %s", got.String(), machine)
	}
}

// Every command in every position, 15 × 16: what the table has is allowed,
// what it has not is refused with the right error, in the tracker's order.
func TestGuardIsTheTable(t *testing.T) {
	edges := make(map[lifecycle.Transition]bool)
	for _, edge := range lifecycle.Transitions() {
		edges[edge] = true
	}
	allowed := 0
	for _, command := range lifecycle.Commands() {
		for _, at := range positions() {
			to, err := lifecycle.Guard(command, at)
			if err == nil {
				allowed++
				if !edges[lifecycle.Transition{Command: command, From: at, To: to}] {
					t.Errorf("%s from %s to %s is allowed and not in the table", command, at, to)
				}
				continue
			}
			if want := refusal(command, at); !errors.Is(err, want) {
				t.Errorf("%s from %s: got %v, want %v", command, at, err, want)
			}
		}
	}
	if allowed != len(edges) {
		t.Errorf("%d commands were allowed, the table has %d", allowed, len(edges))
	}
}

// refusal says which error a command that is not allowed gets: not ready if
// it belongs to the phase and the state may still change, otherwise invalid.
func refusal(command lifecycle.Command, at lifecycle.Position) error {
	if at.State.Terminal() {
		return lifecycle.ErrInvalidTransition
	}
	for _, edge := range lifecycle.Transitions() {
		if edge.Command == command && edge.From.Phase == at.Phase {
			return lifecycle.ErrNotReady
		}
	}
	return lifecycle.ErrInvalidTransition
}

func TestGuardUnknownCommand(t *testing.T) {
	if _, err := lifecycle.Guard("start", strategizeQueued); !errors.Is(err, lifecycle.ErrInvalid) {
		t.Errorf("got %v, want ErrInvalid", err)
	}
}

// The service does what the table says, for every command in every position.
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

func TestPositionsAreSixteen(t *testing.T) {
	if got := len(positions()); got != 16 {
		t.Errorf("got %d positions, want 16", got)
	}
	for _, p := range []lifecycle.Position{
		{}, {Phase: lifecycle.PhaseAction, State: lifecycle.StateQueued},
		{Phase: lifecycle.PhaseApply, State: lifecycle.StateComplete},
		{Phase: lifecycle.PhaseExecute, State: lifecycle.StateApplied}, {Phase: lifecycle.PhaseExecute, State: "done"},
	} {
		if p.Valid() {
			t.Errorf("%v is valid, want it not to be", p)
		}
	}
}
