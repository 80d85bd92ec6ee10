package domain

import (
	"fmt"
	"slices"
	"time"
)

// Request asks for a transition of a plan. Fields that the command does not use must be zero.
type Request struct {
	PlanID  string
	Command Command

	// IfVersion is the version of the plan that the caller has decided on. If the plan has another
	// version the transition is a conflict, whatever the state machine would say. Zero lets the
	// service decide on the version that it finds.
	IfVersion int64

	// Fence is that of the caller's claim, see [Claim]; 0 without one.
	Fence int64

	Reason            string            // fail, constrain: required; cancel, revert: optional
	Details           map[string]string // fail, constrain: optional
	LastCompletedStep int               // fail, constrain: optional, 0 or more
	To                Phase             // revert: empty for strategize
	DecisionRootID    string            // complete_strategize: optional
	SandboxRefs       []string          // start_execute: optional

	// Progress makes complete_strategize and complete_execute also queue the next phase, in the
	// same step: no caller sees the plan in between, even if the process ends just then. It makes
	// two versions and two events, as execute_plan or apply_plan right afterwards would.
	Progress bool

	// Applied is how many of the plan's changes are applied, counted in the order of
	// ExecutionContext.Changes. For complete_apply it must count all of them, including those just
	// recorded, or the plan is not applied; nil means all. For fail_apply and constrain_apply it is
	// optional; nil means as many as before.
	Applied *int
}

// CheckRequest refuses malformed fields, and fields that the command would otherwise ignore.
func CheckRequest(r Request) error {
	if !r.Command.known() {
		return invalid("command", string(r.Command), "is not a command")
	}
	if err := r.checkFields(); err != nil {
		return err
	}
	if err := CheckSize("request", r.size()); err != nil {
		return err
	}
	if err := checkTexts(text{"reason", r.Reason}, text{"decision root", r.DecisionRootID}); err != nil {
		return err
	}
	if err := CheckDetails(r.Details); err != nil {
		return err
	}
	for _, ref := range r.SandboxRefs {
		if err := CheckRequired("sandbox reference", ref); err != nil {
			return err
		}
	}
	return nil
}

// checkFields refuses fields that the command cannot have.
func (r Request) checkFields() error {
	fails := r.fails()
	switch {
	case r.IfVersion < 0:
		return invalid("version", fmt.Sprint(r.IfVersion), "is negative")
	case r.Fence < 0:
		return invalid("fence", fmt.Sprint(r.Fence), "is negative")
	case fails && r.Reason == "":
		return invalid("reason", "", "is empty; a failure says why")
	case !fails && r.Command != CommandCancel && r.Command != CommandRevert && r.Reason != "":
		return unused("reason", r.Reason, r.Command)
	case !fails && len(r.Details) > 0:
		return unused("details", fmt.Sprint(r.Details), r.Command)
	case !fails && r.LastCompletedStep != 0:
		return unused("last completed step", fmt.Sprint(r.LastCompletedStep), r.Command)
	case r.LastCompletedStep < 0:
		return invalid("last completed step", fmt.Sprint(r.LastCompletedStep), "is negative")
	case r.Command != CommandRevert && r.To != "":
		return unused("phase", string(r.To), r.Command)
	case r.To != "" && !slices.Contains([]Phase{PhaseAction, PhaseStrategize, PhaseExecute, PhaseApply}, r.To):
		return invalid("phase", string(r.To), "is not a phase")
	case r.Command != CommandCompleteStrategize && r.DecisionRootID != "":
		return unused("decision root", r.DecisionRootID, r.Command)
	case r.Command != CommandStartExecute && len(r.SandboxRefs) > 0:
		return unused("sandbox references", fmt.Sprint(r.SandboxRefs), r.Command)
	case r.Progress && Onward(r.Command) == "":
		return unused("progress", "true", r.Command)
	case r.Applied != nil && !r.applies():
		return unused("applied", fmt.Sprint(*r.Applied), r.Command)
	case r.Applied != nil && *r.Applied < 0:
		return invalid("applied", fmt.Sprint(*r.Applied), "is negative")
	}
	return nil
}

func unused(field, value string, c Command) error {
	return invalid(field, value, "means nothing to "+string(c))
}

// fails reports whether the command reports a failure of the work.
func (r Request) fails() bool {
	switch r.Command {
	case CommandFailStrategize, CommandFailExecute, CommandFailApply, CommandConstrainApply:
		return true
	}
	return false
}

// applies reports whether the command ends the applying of changes.
func (r Request) applies() bool {
	return slices.Contains([]Command{CommandCompleteApply, CommandFailApply, CommandConstrainApply}, r.Command)
}

// Onward returns the command that queues the next phase after c; empty if there is none.
func Onward(c Command) Command {
	switch c {
	case CommandCompleteStrategize:
		return CommandExecutePlan
	case CommandCompleteExecute:
		return CommandApplyPlan
	}
	return ""
}

// Advance applies a request to a plan: advance, and a second time if the request has Progress set.
func Advance(p Plan, r Request, now time.Time) (Plan, error) {
	next, err := advance(p, r, now)
	if err != nil || !r.Progress {
		return next, err
	}
	return advance(next, Request{Command: Onward(r.Command)}, now)
}

// advance returns the plan after a request, or the error for which the request is refused. It
// depends only on its arguments.
func advance(p Plan, r Request, now time.Time) (Plan, error) {
	to, err := guard(p.ID, r.Command, p.Position())
	if err != nil {
		return Plan{}, err
	}
	next := Clone(p)
	next.Phase, next.State = to.Phase, to.State
	next.Version++
	next.UpdatedAt = now
	if to.State.Terminal() {
		next.FinishedAt = now
	}
	switch {
	case r.Applied != nil:
		next.Applied = *r.Applied
	case r.Command == CommandCompleteApply:
		next.Applied = allApplied
	}
	switch {
	case r.fails():
		next.ErrorMessage = r.Reason
		AddDetails(&next, r.Details)
		next.LastCompletedStep = r.LastCompletedStep
	case r.Command == CommandCancel:
		next.ErrorMessage, next.ErrorDetails = r.Reason, nil
	case r.Command == CommandCompleteStrategize:
		next.DecisionRootID = r.DecisionRootID
	case r.Command == CommandStartExecute:
		next.SandboxRefs = append([]string(nil), r.SandboxRefs...)
	case r.Command == CommandResume:
		next.retry()
	case r.Command == CommandRevert:
		return next, next.revert(p.Position(), r, now)
	}
	return next, nil
}

// retry begins another attempt at the phase. It keeps the results so far.
func (p *Plan) retry() {
	p.Attempt++
	p.ErrorMessage, p.ErrorDetails = "", nil
}

// revert begins another attempt from the start, and records it.
func (p *Plan) revert(from Position, r Request, now time.Time) error {
	if r.To != "" && r.To != p.Phase {
		return &InvalidTransitionError{p.ID, r.Command, from, Position{r.To, StateQueued}}
	}
	if len(p.Reversions) >= MaxReversions {
		return fmt.Errorf("lifecycle: plan %s: %w (%d)", p.ID, ErrReversionLimit, MaxReversions)
	}
	p.retry()
	p.Reversions = append(p.Reversions, Reversion{From: from, To: p.Position(), Reason: r.Reason, At: now})
	p.SandboxRefs, p.DecisionRootID, p.LastCompletedStep = nil, "", 0
	return nil
}

// nonEmpty turns an empty map into nil, which is how every store returns it.
func nonEmpty(m map[string]string) map[string]string {
	if len(m) == 0 {
		return nil
	}
	return m
}
