package domain_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// planAt returns a plan at a position.
func planAt(phase domain.Phase, state domain.State) domain.Plan {
	return domain.Plan{ID: "p", Phase: phase, State: state, Version: 7, Attempt: 1, ErrorDetails: map[string]string{"a": "1"}}
}

func TestRequestsAreChecked(t *testing.T) {
	one, negative := 1, -1
	for _, test := range []struct {
		field   string
		request domain.Request
	}{
		{"command", domain.Request{}},
		{"command", domain.Request{Command: domain.CommandUseAction}},
		{"version", domain.Request{Command: domain.CommandCancel, IfVersion: -1}},
		{"fence", domain.Request{Command: domain.CommandCancel, Fence: -1}},
		{"reason", domain.Request{Command: domain.CommandCancel, Reason: "\xff"}},
		{"details", domain.Request{Command: domain.CommandCancel, Details: map[string]string{"a": "b"}}},
		{"last completed step", domain.Request{Command: domain.CommandCancel, LastCompletedStep: 1}},
		{"phase", domain.Request{Command: domain.CommandCancel, To: domain.PhaseExecute}},
		{"phase", domain.Request{Command: domain.CommandRevert, To: "begin"}},
		{"decision root", domain.Request{Command: domain.CommandCancel, DecisionRootID: "x"}},
		{"sandbox references", domain.Request{Command: domain.CommandCancel, SandboxRefs: []string{"x"}}},
		{"progress", domain.Request{Command: domain.CommandCompleteApply, Progress: true}},
		{"reason", domain.Request{Command: domain.CommandStartStrategize, Reason: "x"}},
		{"sandbox reference", domain.Request{Command: domain.CommandStartExecute, SandboxRefs: []string{""}}},
		{"request", domain.Request{Command: domain.CommandStartExecute, SandboxRefs: make([]string, domain.MaxText/64+1)}},
		{"decision root", domain.Request{Command: domain.CommandCompleteStrategize, DecisionRootID: "\x00"}},
		{"reason", domain.Request{Command: domain.CommandFailStrategize}},
		{"last completed step", domain.Request{Command: domain.CommandFailStrategize, Reason: "x", LastCompletedStep: -1}},
		{"details", domain.Request{Command: domain.CommandFailStrategize, Reason: "x", Details: map[string]string{"a": "\xff"}}},
		{"details", domain.Request{Command: domain.CommandFailStrategize, Reason: "x", Details: map[string]string{"\x00": "b"}}},
		{"applied", domain.Request{Command: domain.CommandStartApply, Applied: &one}},
		{"applied", domain.Request{Command: domain.CommandCompleteExecute, Applied: &one}},
		{"applied", domain.Request{Command: domain.CommandCompleteApply, Applied: &negative}},
	} {
		refused(t, fmt.Sprintf("%.100v", test.request), domain.CheckRequest(test.request), test.field)
	}
	check(t, domain.CheckRequest(domain.Claim{PlanID: "p", Fence: 3}.Request(domain.CommandCancel)))
	check(t, domain.CheckRequest(domain.Request{Command: domain.CommandFailApply, Reason: "x", Applied: &one}))
}

// What each command changes in a plan besides its position.
func TestAdvance(t *testing.T) {
	two := 2
	for _, test := range []struct {
		from    domain.Plan
		request domain.Request
		want    func(*domain.Plan)
	}{
		{planAt(domain.PhaseStrategize, domain.StateProcessing), domain.Request{Command: domain.CommandCompleteStrategize, DecisionRootID: "d"},
			func(p *domain.Plan) { p.State, p.DecisionRootID = domain.StateComplete, "d" }},
		{planAt(domain.PhaseStrategize, domain.StateProcessing), domain.Request{Command: domain.CommandCompleteStrategize, Progress: true},
			func(p *domain.Plan) { p.Phase, p.State, p.Version = domain.PhaseExecute, domain.StateQueued, 9 }},
		{planAt(domain.PhaseExecute, domain.StateProcessing), domain.Request{Command: domain.CommandCompleteExecute, Progress: true},
			func(p *domain.Plan) { p.Phase, p.State, p.Version = domain.PhaseApply, domain.StateQueued, 9 }},
		{planAt(domain.PhaseExecute, domain.StateQueued), domain.Request{Command: domain.CommandStartExecute, SandboxRefs: []string{"s"}},
			func(p *domain.Plan) { p.State, p.SandboxRefs = domain.StateProcessing, []string{"s"} }},
		{planAt(domain.PhaseExecute, domain.StateProcessing),
			domain.Request{Command: domain.CommandFailExecute, Reason: "r", Details: map[string]string{"b": "2"}, LastCompletedStep: 4},
			func(p *domain.Plan) {
				p.State, p.ErrorMessage, p.LastCompletedStep = domain.StateErrored, "r", 4
				p.ErrorDetails = map[string]string{"a": "1", "b": "2"}
			}},
		{planAt(domain.PhaseApply, domain.StateProcessing), domain.Request{Command: domain.CommandConstrainApply, Reason: "r", Applied: &two},
			func(p *domain.Plan) { p.State, p.ErrorMessage, p.Applied = domain.StateConstrained, "r", 2 }},
		{planAt(domain.PhaseApply, domain.StateProcessing), domain.Request{Command: domain.CommandCompleteApply},
			func(p *domain.Plan) { p.State, p.Applied, p.FinishedAt = domain.StateApplied, -1, now }},
		{planAt(domain.PhaseExecute, domain.StateComplete), domain.Request{Command: domain.CommandCancel, Reason: "r"},
			func(p *domain.Plan) {
				p.State, p.ErrorMessage, p.ErrorDetails, p.FinishedAt = domain.StateCancelled, "r", nil, now
			}},
		{planAt(domain.PhaseExecute, domain.StateErrored), domain.Request{Command: domain.CommandResume},
			func(p *domain.Plan) { p.State, p.Attempt, p.ErrorDetails = domain.StateQueued, 2, nil }},
		{planAt(domain.PhaseExecute, domain.StateErrored), domain.Request{Command: domain.CommandRevert, Reason: "r"},
			func(p *domain.Plan) {
				p.Phase, p.State, p.Attempt, p.ErrorDetails = domain.PhaseStrategize, domain.StateQueued, 2, nil
				p.Reversions = []domain.Reversion{{
					From: domain.Position{Phase: domain.PhaseExecute, State: domain.StateErrored}, To: p.Position(), Reason: "r", At: now,
				}}
			}},
	} {
		check(t, domain.CheckRequest(test.request))
		before := domain.Clone(test.from)
		want := domain.Clone(test.from)
		want.Version, want.UpdatedAt = 8, now
		test.want(&want)
		got, err := domain.Advance(test.from, test.request, now)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v, want %+v", test.request.Command, got, err, want)
		}
		if !reflect.DeepEqual(test.from, before) {
			t.Errorf("%s: got the old plan as %+v, want it unchanged: %+v", test.request.Command, test.from, before)
		}
	}
}

func TestAdvanceIsRefused(t *testing.T) {
	errored := planAt(domain.PhaseExecute, domain.StateErrored)
	_, err := domain.Advance(errored, domain.Request{Command: domain.CommandRevert, To: domain.PhaseExecute}, now)
	var invalid *domain.InvalidTransitionError
	if !errors.Is(err, domain.ErrInvalidTransition) || !errors.As(err, &invalid) || invalid.Target.String() != "execute/queued" {
		t.Errorf("got %v, want an invalid transition to execute/queued", err)
	}
	errored.Reversions = make([]domain.Reversion, domain.MaxReversions)
	if _, err = domain.Advance(errored, domain.Request{Command: domain.CommandRevert}, now); !errors.Is(err, domain.ErrReversionLimit) {
		t.Errorf("got %v, want %v", err, domain.ErrReversionLimit)
	}
	_, err = domain.Advance(errored, domain.Request{Command: domain.CommandCompleteExecute, Progress: true}, now)
	if !errors.Is(err, domain.ErrNotReady) || !strings.Contains(err.Error(), "plan p: complete_execute: not ready: is execute/errored, want state processing") {
		t.Errorf("got %v, want not ready", err)
	}
	_, err = domain.Advance(planAt(domain.PhaseExecute, domain.StateQueued), domain.Request{Command: domain.CommandStartApply}, now)
	if want := "lifecycle: plan p: start_apply: invalid transition from execute/queued to apply/processing"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A valid claim keeps out callers that do not carry it.
func TestRefuse(t *testing.T) {
	claim := domain.Claim{PlanID: "p", Holder: "weaver", Fence: 3, ExpiresAt: now}
	released := domain.Claim{PlanID: "p", Fence: 3}
	before, after := now.Add(-time.Second), now.Add(time.Second)
	for _, test := range []struct {
		claim domain.Claim
		fence int64
		at    time.Time
		want  string // part of the error; empty if there is none
	}{
		{claim, 3, before, ""},
		{claim, domain.AnyFence, before, ""},
		{claim, 0, before, `plan p is claimed by "weaver" until 2026-01-02T03:04:05Z: want claim 3, there was none`},
		{claim, 2, before, `want claim 3, it was 2`},
		{claim, 0, after, ""},
		{claim, 3, after, `claim 3 of "weaver" has expired at 2026-01-02T03:04:05Z`},
		{domain.Claim{}, 5, before, `plan p: got claim 5, but the plan was never claimed`},
		{released, 0, before, ""},
		{released, 3, before, `claim 3 is over: the last one, 3, was released`},
	} {
		err := domain.Refuse("p", test.claim, test.fence, test.at)
		if test.want == "" {
			check(t, err)
			continue
		}
		if !errors.Is(err, domain.ErrClaimed) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want it to say %q", err, test.want)
		}
	}
}

// At the end of an apply the applied changes are compared with the recorded ones.
func TestSettleApplied(t *testing.T) {
	for _, test := range []struct {
		state                   domain.State
		applied, before, wanted int // of 5 recorded changes; wanted is -1 for an error
	}{
		{domain.StateApplied, -1, 2, 5},
		{domain.StateApplied, 5, 2, 5},
		{domain.StateApplied, 4, 2, -1},
		{domain.StateErrored, 4, 2, 4},
		{domain.StateErrored, 1, 2, -1},
		{domain.StateConstrained, 6, 2, -1},
	} {
		p := planAt(domain.PhaseApply, test.state)
		p.Applied = test.applied
		if !domain.CountsChanges(&p) {
			t.Errorf("%s: got the changes not counted, want them counted", test.state)
		}
		err := domain.SettleApplied(&p, test.before, 5)
		if test.wanted == -1 {
			if !errors.Is(err, domain.ErrUnapplied) || !strings.Contains(err.Error(), "it has 5") {
				t.Errorf("%+v: got %v, want it refused", test, err)
			}
			continue
		}
		if err != nil || p.Applied != test.wanted {
			t.Errorf("%+v: got %d, %v, want %d", test, p.Applied, err, test.wanted)
		}
	}
	if p := planAt(domain.PhaseExecute, domain.StateErrored); domain.CountsChanges(&p) {
		t.Error("got the changes counted at the end of an execute, want them not")
	}
}

func TestDetails(t *testing.T) {
	var p domain.Plan
	domain.AddDetails(&p, nil)
	domain.AddDetails(&p, map[string]string{"a": "1", "b": "2"})
	domain.AddDetails(&p, map[string]string{"b": "3"})
	if want := map[string]string{"a": "1", "b": "3"}; !reflect.DeepEqual(p.ErrorDetails, want) {
		t.Errorf("got %v, want %v", p.ErrorDetails, want)
	}
	all := domain.CloneAll([]domain.Plan{p})
	all[0].ErrorDetails["a"] = "spoiled"
	if p.ErrorDetails["a"] != "1" {
		t.Error("got a listing that shares memory with a plan, want none")
	}
}
