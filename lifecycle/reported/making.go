package reported

import (
	"errors"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// NewAction makes the action that spec describes, available. It checks no more than the name; the error matches
// [lifecycle.ErrInvalid].
func NewAction(spec lifecycle.ActionSpec) (*lifecycle.Action, error) {
	name, err := lifecycle.ParseName(spec.Name)
	if err != nil {
		return nil, err
	}
	return &lifecycle.Action{
		Name:             name,
		Description:      spec.Description,
		DefinitionOfDone: spec.DefinitionOfDone,
		Actors:           spec.Actors,
		Arguments:        spec.Arguments,
		Reusable:         spec.Reusable,
		ReadOnly:         spec.ReadOnly,
		State:            lifecycle.ActionAvailable,
	}, nil
}

// NewPlan makes the plan with which a use of action begins: a root at strategize/queued.
func NewPlan(id string, action *lifecycle.Action) *lifecycle.Plan {
	return &lifecycle.Plan{
		ID:               id,
		RootID:           id,
		Attempt:          1,
		Name:             action.Name,
		Action:           action.Name,
		Description:      action.Description,
		DefinitionOfDone: action.DefinitionOfDone,
		Phase:            lifecycle.PhaseStrategize,
		State:            lifecycle.StateQueued,
		Version:          1,
	}
}

// Check refuses command, with the error of [lifecycle.Guard], if plan is not where it can be done.
func Check(plan *lifecycle.Plan, command lifecycle.Command) error {
	_, err := lifecycle.Guard(command, plan.Position())
	return refused(plan.ID, err)
}

// Move takes plan where command leads it, in place, or refuses with the error of [lifecycle.Guard] and leaves it alone. It is
// the check and the act in memory, with no protection: that is its callers' affair.
func Move(plan *lifecycle.Plan, command lifecycle.Command) error {
	target, err := lifecycle.Guard(command, plan.Position())
	if err != nil {
		return refused(plan.ID, err)
	}
	plan.Phase, plan.State = target.Phase, target.State
	plan.Version++
	return nil
}

// refused fills the plan's identifier into an error of [lifecycle.Guard], which does not know it.
func refused(planID string, err error) error {
	var invalid *lifecycle.InvalidTransitionError
	var notReady *lifecycle.NotReadyError
	switch {
	case errors.As(err, &invalid):
		invalid.PlanID = planID
	case errors.As(err, &notReady):
		notReady.PlanID = planID
	}
	return err
}
