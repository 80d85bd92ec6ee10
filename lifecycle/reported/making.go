package reported

import (
	"errors"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// NewAction makes an available action from spec. It checks only the name; the error matches
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

// NewPlan makes the plan that a use of action begins with: a root at strategize/queued.
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

// Check returns the error of [lifecycle.Guard] if plan's position does not allow command.
func Check(plan *lifecycle.Plan, command lifecycle.Command) error {
	_, err := lifecycle.Guard(command, plan.Position())
	return refused(plan.ID, err)
}

// Move moves plan where command leads it, in place, or returns the error of [lifecycle.Guard] and leaves plan alone. It
// is the check and the act in memory, without protection, which its callers must provide.
func Move(plan *lifecycle.Plan, command lifecycle.Command) error {
	target, err := lifecycle.Guard(command, plan.Position())
	if err != nil {
		return refused(plan.ID, err)
	}
	plan.Phase, plan.State = target.Phase, target.State
	plan.Version++
	return nil
}

// refused adds the plan's identifier to an error of [lifecycle.Guard], which does not know it.
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
