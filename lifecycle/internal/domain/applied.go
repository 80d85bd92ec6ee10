package domain

import "fmt"

// allApplied stands for as many changes as there are.
const allApplied = -1

// SettleApplied checks how many changes are applied against how many were before
// and how many there are, in the step in which a plan leaves apply/processing,
// and fills in the number where all of them are meant.
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

// CountsChanges reports whether a store has to look how many changes there are
// before it puts p in place of the version before.
func CountsChanges(p *Plan) bool {
	ended := p.State == StateApplied || p.State == StateErrored || p.State == StateConstrained
	return ended && p.Phase == PhaseApply
}

// UnappliedError says that an apply was to end with other changes applied than
// the plan has. Nothing was changed.
type UnappliedError struct {
	PlanID   string
	Applied  int // what the caller said
	Least    int // what it has to be at least
	Recorded int // and at most: the changes that the plan has
}

// Error implements error.
func (e *UnappliedError) Error() string {
	return fmt.Sprintf("lifecycle: plan %s: got %d changes applied, want %d to %d: it has %d",
		e.PlanID, e.Applied, e.Least, e.Recorded, e.Recorded)
}

// Is reports whether target is [ErrUnapplied].
func (e *UnappliedError) Is(target error) bool { return target == ErrUnapplied }
