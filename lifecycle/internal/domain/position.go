package domain

// Phase is the kind of work that a plan is in.
type Phase string

// The phases, in the order in which a plan goes through them.
const (
	PhaseAction     Phase = "action"     // before the plan exists: there is only its action
	PhaseStrategize Phase = "strategize" // decide what to do
	PhaseExecute    Phase = "execute"    // do it in a sandbox, recording changes
	PhaseApply      Phase = "apply"      // apply the changes
)

// State is how far the work of a phase has come.
type State string

// The states. Applied and constrained exist in [PhaseApply] only.
const (
	StateQueued      State = "queued"      // waiting for a worker to start it
	StateProcessing  State = "processing"  // a worker has started it
	StateComplete    State = "complete"    // done; the next phase may be requested
	StateErrored     State = "errored"     // failed; may be resumed or reverted
	StateCancelled   State = "cancelled"   // given up: terminal
	StateApplied     State = "applied"     // all changes applied: terminal
	StateConstrained State = "constrained" // an invariant forbids applying; may be resumed or reverted
)

// Terminal reports whether no command can move a plan out of s.
func (s State) Terminal() bool { return s == StateApplied || s == StateCancelled }

// Position is the phase of a plan and its state in it.
type Position struct {
	Phase Phase
	State State
}

// String returns "phase/state", as in "execute/complete".
func (p Position) String() string { return string(p.Phase) + "/" + string(p.State) }

// Valid reports whether a plan can be at p.
func (p Position) Valid() bool {
	switch p.Phase {
	case PhaseStrategize, PhaseExecute, PhaseApply:
	default:
		return false
	}
	switch p.State {
	case StateQueued, StateProcessing, StateErrored, StateCancelled:
		return true
	case StateComplete:
		return p.Phase != PhaseApply // a complete apply has the state applied
	case StateApplied, StateConstrained:
		return p.Phase == PhaseApply
	default:
		return false
	}
}
