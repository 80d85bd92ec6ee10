package domain_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// machine is the state machine that the tracker describes, written independently:
// every edge, in words.
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
	for _, edge := range domain.Transitions() {
		if !edge.From.Valid() || !edge.To.Valid() {
			t.Errorf("got %v, want an edge between valid positions", edge)
		}
		fmt.Fprintf(&got, "%s: %s → %s\n", edge.Command, edge.From, edge.To)
	}
	if got.String() != machine {
		t.Errorf("got %s\nwant %s", got.String(), machine)
	}
}

// Every command in every position, 15 × 16. What the table has is allowed. The
// rest is refused with the right error, in the tracker's order.
func TestGuardIsTheTable(t *testing.T) {
	edges := make(map[domain.Transition]bool)
	for _, edge := range domain.Transitions() {
		edges[edge] = true
	}
	allowed := 0
	for _, command := range domain.Commands() {
		for _, at := range positions() {
			to, err := domain.Guard(command, at)
			if err == nil {
				allowed++
				if !edges[domain.Transition{Command: command, From: at, To: to}] {
					t.Errorf("got %s from %s to %s allowed, want only the table's edges", command, at, to)
				}
				continue
			}
			if want := refusal(command, at); !errors.Is(err, want) {
				t.Errorf("%s from %s: got %v, want %v", command, at, err, want)
			}
		}
	}
	if allowed != len(edges) {
		t.Errorf("got %d commands allowed, want the table's %d", allowed, len(edges))
	}
}

// refusal returns the error for a command that is not allowed: not ready if it
// belongs to the phase and the state may still change, otherwise invalid.
func refusal(command domain.Command, at domain.Position) error {
	if at.State.Terminal() {
		return domain.ErrInvalidTransition
	}
	for _, edge := range domain.Transitions() {
		if edge.Command == command && edge.From.Phase == at.Phase {
			return domain.ErrNotReady
		}
	}
	return domain.ErrInvalidTransition
}

func TestGuardUnknownCommand(t *testing.T) {
	if _, err := domain.Guard("start", domain.Position{Phase: domain.PhaseStrategize, State: domain.StateQueued}); !errors.Is(err, faults.ErrInvalid) {
		t.Errorf("got %v, want ErrInvalid", err)
	}
}

func TestPositionsAreSixteen(t *testing.T) {
	if got := len(positions()); got != 16 {
		t.Errorf("got %d positions, want 16", got)
	}
	for _, p := range []domain.Position{
		{}, {Phase: domain.PhaseAction, State: domain.StateQueued},
		{Phase: domain.PhaseApply, State: domain.StateComplete},
		{Phase: domain.PhaseExecute, State: domain.StateApplied}, {Phase: domain.PhaseExecute, State: "done"},
	} {
		if p.Valid() {
			t.Errorf("got %v valid, want it invalid", p)
		}
	}
}

// positions returns all positions of a plan.
func positions() []domain.Position {
	var all []domain.Position
	for _, phase := range []domain.Phase{domain.PhaseStrategize, domain.PhaseExecute, domain.PhaseApply} {
		for _, state := range []domain.State{
			domain.StateQueued, domain.StateProcessing, domain.StateComplete, domain.StateErrored,
			domain.StateCancelled, domain.StateApplied, domain.StateConstrained,
		} {
			if p := (domain.Position{Phase: phase, State: state}); p.Valid() {
				all = append(all, p)
			}
		}
	}
	return all
}
