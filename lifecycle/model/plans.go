package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// GetPlan returns a plan.
func (m *Model) GetPlan(id string) (lifecycle.Plan, error) {
	p, ok := m.plans[id]
	if !ok {
		return lifecycle.Plan{}, lifecycle.ErrNotFound
	}
	return p, nil
}

// ListPlans returns the plans that are not archived, ordered by identifier.
func (m *Model) ListPlans() []lifecycle.Plan {
	var all []lifecycle.Plan
	for _, id := range slices.Sorted(maps.Keys(m.plans)) {
		if p := m.plans[id]; !p.Archived {
			all = append(all, p)
		}
	}
	return all
}

// ArchivePlan archives a plan that is applied or cancelled.
func (m *Model) ArchivePlan(id string, now time.Time) (lifecycle.Plan, error) {
	p, err := m.GetPlan(id)
	switch {
	case err != nil:
		return lifecycle.Plan{}, err
	case p.Archived:
		return lifecycle.Plan{}, lifecycle.ErrArchived
	case p.State != lifecycle.StateApplied && p.State != lifecycle.StateCancelled:
		return lifecycle.Plan{}, lifecycle.ErrNotReady
	}
	p.Archived, p.Version, p.UpdatedAt = true, p.Version+1, stored(now)
	m.plans[id] = p
	return p, nil
}

// DeletePlan deletes a plan without subplans, and its changesets.
func (m *Model) DeletePlan(id string) error {
	if _, err := m.GetPlan(id); err != nil {
		return err
	}
	for _, p := range m.plans {
		if p.ParentID == id {
			return lifecycle.ErrReferred
		}
	}
	delete(m.plans, id)
	delete(m.changesets, id)
	return nil
}

// Transition applies a command to a plan.
func (m *Model) Transition(r lifecycle.Request, now time.Time) (lifecycle.Plan, error) {
	if !meaningful(r) {
		return lifecycle.Plan{}, lifecycle.ErrInvalid
	}
	p, ok := m.plans[r.PlanID]
	switch {
	case !ok:
		return lifecycle.Plan{}, lifecycle.ErrNotFound
	case r.IfVersion != 0 && r.IfVersion != p.Version:
		return lifecycle.Plan{}, lifecycle.ErrConflict
	}
	to, err := Follow(r.Command, p.Position())
	if err != nil {
		return lifecycle.Plan{}, err
	}
	from := p.Position()
	p.Phase, p.State, p.Version, p.UpdatedAt = to.Phase, to.State, p.Version+1, stored(now)
	if to.State.Terminal() {
		p.FinishedAt = stored(now)
	}
	if err := m.remember(&p, from, r); err != nil {
		return lifecycle.Plan{}, err
	}
	m.plans[p.ID] = p
	if r.Progress { // the second step follows at once
		return m.Transition(lifecycle.Request{PlanID: p.ID, Command: onward(r.Command)}, now)
	}
	return p, nil
}

// onward returns the command that queues the next phase after a complete one.
func onward(c lifecycle.Command) lifecycle.Command {
	return map[lifecycle.Command]lifecycle.Command{"complete_strategize": "execute_plan", "complete_execute": "apply_plan"}[c]
}

// remember makes the changes of a transition other than the position.
func (m *Model) remember(p *lifecycle.Plan, from lifecycle.Position, r lifecycle.Request) error {
	switch verb, _, _ := strings.Cut(string(r.Command), "_"); verb {
	case "fail", "constrain":
		p.ErrorMessage, p.ErrorDetails, p.LastCompletedStep = r.Reason, nil, r.LastCompletedStep
		if len(r.Details) > 0 {
			p.ErrorDetails = maps.Clone(r.Details)
		}
	case "cancel":
		p.ErrorMessage, p.ErrorDetails = r.Reason, nil
	case "resume":
		p.Attempt++
		p.ErrorMessage, p.ErrorDetails = "", nil
	case "revert":
		if r.To != "" && r.To != lifecycle.PhaseStrategize {
			return lifecycle.ErrInvalidTransition
		}
		if len(p.Reversions) == lifecycle.MaxReversions {
			return lifecycle.ErrReversionLimit
		}
		p.Attempt++
		p.ErrorMessage, p.ErrorDetails, p.SandboxRefs, p.DecisionRootID, p.LastCompletedStep = "", nil, nil, "", 0
		p.Reversions = append(slices.Clone(p.Reversions), lifecycle.Reversion{From: from, To: p.Position(), Reason: r.Reason, At: p.UpdatedAt})
	}
	if p.Phase == lifecycle.PhaseApply && (r.Applied != nil || p.State == lifecycle.StateApplied) {
		if err := m.applied(p, r.Applied); err != nil {
			return err
		}
	}
	switch r.Command {
	case lifecycle.CommandCompleteStrategize:
		p.DecisionRootID = r.DecisionRootID
	case lifecycle.CommandStartExecute:
		p.SandboxRefs = append([]string(nil), r.SandboxRefs...)
	}
	return nil
}

// applied sets how many of a plan's changes are applied.
func (m *Model) applied(p *lifecycle.Plan, stated *int) error {
	recorded := 0
	for _, c := range m.changesets[p.ID] {
		recorded += len(c.Entries)
	}
	applied := recorded
	if stated != nil {
		applied = *stated
	}
	if applied > recorded || applied < p.Applied || p.State == lifecycle.StateApplied && applied != recorded {
		return lifecycle.ErrUnapplied
	}
	p.Applied = applied
	return nil
}

// Follow is the state machine: it returns the position to which a command leads, or the sentinel of its error. It does
// not use lifecycle.Guard, but the commands' names: start, complete, fail and constrain name a phase, and lead from one
// state of it to another; execute_plan and apply_plan leave the previous phase; the others apply to any phase.
func Follow(command lifecycle.Command, at lifecycle.Position) (lifecycle.Position, error) {
	if !slices.Contains(commands(), command) {
		return at, fmt.Errorf("%w: %s", lifecycle.ErrInvalid, command)
	}
	verb, phase, _ := strings.Cut(string(command), "_")
	to := at
	var from []lifecycle.State
	switch verb {
	case "start":
		from, to.State = states("queued"), lifecycle.StateProcessing
	case "complete":
		from, to.State = states("processing"), lifecycle.StateComplete
		if at.Phase == lifecycle.PhaseApply {
			to.State = lifecycle.StateApplied
		}
	case "fail":
		from, to.State = states("processing"), lifecycle.StateErrored
	case "constrain":
		from, to.State = states("processing"), lifecycle.StateConstrained
	case "execute":
		phase, from, to = "strategize", states("complete"), lifecycle.Position{Phase: lifecycle.PhaseExecute, State: lifecycle.StateQueued}
	case "apply":
		phase, from, to = "execute", states("complete"), lifecycle.Position{Phase: lifecycle.PhaseApply, State: lifecycle.StateQueued}
	case "cancel":
		from, to.State = states("queued processing complete errored constrained"), lifecycle.StateCancelled
	case "revert":
		from, to = states("errored constrained"), lifecycle.Position{Phase: lifecycle.PhaseStrategize, State: lifecycle.StateQueued}
	case "resume":
		from, to.State = states("errored constrained"), lifecycle.StateQueued
	}
	switch {
	case phase != "" && phase != string(at.Phase), at.State == lifecycle.StateApplied, at.State == lifecycle.StateCancelled:
		return to, lifecycle.ErrInvalidTransition
	case !slices.Contains(from, at.State):
		return to, lifecycle.ErrNotReady
	}
	return to, nil
}

func states(names string) []lifecycle.State {
	var all []lifecycle.State
	for _, name := range strings.Fields(names) {
		all = append(all, lifecycle.State(name))
	}
	return all
}

// meaningful reports whether a request has the fields that its command needs, all storable, and no others.
func meaningful(r lifecycle.Request) bool {
	verb, _, _ := strings.Cut(string(r.Command), "_")
	fails := verb == "fail" || verb == "constrain"
	texts := slices.Concat([]string{r.Reason, r.DecisionRootID}, r.SandboxRefs)
	for key, value := range r.Details {
		texts = append(texts, key, value)
	}
	switch {
	case !slices.Contains(commands(), r.Command) || r.IfVersion < 0 || !allStorable(texts...):
		return false
	case r.Applied != nil && (*r.Applied < 0 || !strings.HasSuffix(string(r.Command), "_apply") || verb == "start"):
		return false
	case r.Progress && onward(r.Command) == "":
		return false
	case fails:
		return r.Reason != "" && r.LastCompletedStep >= 0 && r.To == "" && r.DecisionRootID == "" && len(r.SandboxRefs) == 0
	case len(r.Details) > 0 || r.LastCompletedStep != 0:
		return false
	case r.Reason != "" && verb != "cancel" && verb != "revert":
		return false
	case r.To != "" && (verb != "revert" || !slices.Contains([]lifecycle.Phase{"action", "strategize", "execute", "apply"}, r.To)):
		return false
	case r.DecisionRootID != "" && r.Command != lifecycle.CommandCompleteStrategize:
		return false
	}
	return len(r.SandboxRefs) == 0 || r.Command == lifecycle.CommandStartExecute && !slices.Contains(r.SandboxRefs, "")
}

// commands lists every command.
func commands() []lifecycle.Command {
	return []lifecycle.Command{
		"start_strategize", "complete_strategize", "fail_strategize", "execute_plan",
		"start_execute", "complete_execute", "fail_execute", "apply_plan",
		"start_apply", "complete_apply", "constrain_apply", "fail_apply",
		"cancel", "revert", "resume",
	}
}
