package domain

import "fmt"

// allApplied means as many changes as are recorded.
const allApplied = -1

// SettleApplied checks the number of applied changes against the number before and the number
// recorded, in the step in which a plan leaves apply/processing. It replaces allApplied by the
// number recorded.
func SettleApplied(p *Plan, before, recorded int) error {
	least := before
	if p.State == StateApplied {
		least = recorded
	}
	if p.Applied == allApplied {
		p.Applied = recorded
	}
	if p.Applied < least || p.Applied > recorded {
		return &UnappliedError{PlanID: p.ID, Applied: p.Applied, Least: least, Recorded: recorded}
	}
	return nil
}

// CountsChanges reports whether a store must count the recorded changes before it replaces a plan's
// version by p.
func CountsChanges(p *Plan) bool {
	ended := p.State == StateApplied || p.State == StateErrored || p.State == StateConstrained
	return ended && p.Phase == PhaseApply
}

// UnappliedError says that an apply was to end with a number of applied changes that the plan
// cannot have. Nothing was changed.
type UnappliedError struct {
	PlanID   string
	Applied  int // the number that the caller gave
	Least    int // the smallest number allowed
	Recorded int // the largest number allowed: the changes that the plan has
}

// Error implements error.
func (e *UnappliedError) Error() string {
	return fmt.Sprintf("lifecycle: plan %s: got %d changes applied, want %d to %d: it has %d",
		e.PlanID, e.Applied, e.Least, e.Recorded, e.Recorded)
}

// Is reports whether target is [ErrUnapplied].
func (e *UnappliedError) Is(target error) bool { return target == ErrUnapplied }
