package lifecycle

import "github.com/jacquard-go/jacquard/lifecycle/internal/domain"

// Phase is the kind of work that a plan is in.
type Phase = domain.Phase

// The phases, in the order in which a plan goes through them.
const (
	PhaseAction     = domain.PhaseAction     // before the plan exists: there is only its action
	PhaseStrategize = domain.PhaseStrategize // decide what to do
	PhaseExecute    = domain.PhaseExecute    // do it in a sandbox, recording changes
	PhaseApply      = domain.PhaseApply      // apply the changes
)

// State is how far the work of a phase has come. Its method Terminal reports whether no command can
// move a plan out of it.
type State = domain.State

// The states. Applied and constrained exist in [PhaseApply] only.
const (
	StateQueued      = domain.StateQueued      // waiting for a worker to start it
	StateProcessing  = domain.StateProcessing  // a worker has started it
	StateComplete    = domain.StateComplete    // done; the next phase may be requested
	StateErrored     = domain.StateErrored     // failed; may be resumed or reverted
	StateCancelled   = domain.StateCancelled   // given up: terminal
	StateApplied     = domain.StateApplied     // all changes applied: terminal
	StateConstrained = domain.StateConstrained // an invariant forbids applying; may be resumed or reverted
)

// Position is the Phase of a plan and its State in it. Its method String returns "phase/state", as
// in "execute/complete"; Valid reports whether a plan can be there.
type Position = domain.Position

// Command is a request to a plan that exists.
type Command = domain.Command

// The commands. Each has a method of [Service]; all of them go through
// [Service.Transition].
const (
	CommandStartStrategize    = domain.CommandStartStrategize
	CommandCompleteStrategize = domain.CommandCompleteStrategize
	CommandFailStrategize     = domain.CommandFailStrategize
	CommandExecutePlan        = domain.CommandExecutePlan
	CommandStartExecute       = domain.CommandStartExecute
	CommandCompleteExecute    = domain.CommandCompleteExecute
	CommandFailExecute        = domain.CommandFailExecute
	CommandApplyPlan          = domain.CommandApplyPlan
	CommandStartApply         = domain.CommandStartApply
	CommandCompleteApply      = domain.CommandCompleteApply
	CommandConstrainApply     = domain.CommandConstrainApply
	CommandFailApply          = domain.CommandFailApply
	CommandCancel             = domain.CommandCancel
	CommandRevert             = domain.CommandRevert
	CommandResume             = domain.CommandResume

	// CommandUseAction makes a plan. It is not a transition and appears only in an [Event].
	CommandUseAction = domain.CommandUseAction

	// CommandArchivePlan and CommandDeletePlan are not transitions either, and appear only in an
	// [Event]; see [Service.ArchivePlan] and [Service.DeletePlan].
	CommandArchivePlan = domain.CommandArchivePlan
	CommandDeletePlan  = domain.CommandDeletePlan

	// CommandAddErrorDetails keeps a plan's position. It is not a transition either; see
	// [Service.AddErrorDetails].
	CommandAddErrorDetails = domain.CommandAddErrorDetails
)

// MaxReversions is how often one plan may be reverted.
const MaxReversions = domain.MaxReversions

// Transition is one edge of the state machine: the Command leads From one position
// To another.
type Transition = domain.Transition

// Transitions lists every edge of the state machine. No other transition is allowed.
func Transitions() []Transition { return domain.Transitions() }

// Commands lists every command once, in the order of [Transitions].
func Commands() []Command { return domain.Commands() }

// Guard returns the position to which command leads a plan at current. The order of its checks is
// the tracker's: first whether the phase may change (a terminal state never may), then whether the
// state is ready for it.
//
// It returns an error that matches [ErrInvalid] for an unknown command, and a
// [*InvalidTransitionError] or a [*NotReadyError] without a plan identifier.
func Guard(command Command, current Position) (Position, error) {
	return domain.Guard(command, current)
}

// Request asks for a transition of the plan PlanID by a Command. Fields that the command does not
// use must be zero.
//
// IfVersion is the version of the plan that the caller has decided on. If the plan has another
// version the transition is a conflict, whatever the state machine would say. Zero lets the service
// decide on the version that it finds.
//
// Fence is that of the caller's claim, see [Claim]; 0 without one.
//
// Reason and Details say why: a fail or constrain requires a reason and may have
// details; a cancel or revert may have a reason. LastCompletedStep, for fail and
// constrain, is 0 or more. To, for revert, is empty for strategize. DecisionRootID is
// for complete_strategize, SandboxRefs for start_execute; both are optional.
//
// Progress makes complete_strategize and complete_execute also queue the next phase, in the same
// step: no caller sees the plan in between, even if the process ends just then. It makes two
// versions and two events, as execute_plan or apply_plan right afterwards would.
//
// Applied points to how many of the plan's changes are applied, counted in the order of
// [ExecutionContext.Changes]. For complete_apply it must count all of them, including those just
// recorded, or the plan is not applied; nil means all. For fail_apply and constrain_apply it is
// optional; nil means as many as before.
type Request = domain.Request

// InvalidTransitionError says that a plan in this phase, or in this terminal state, does not allow
// the command. Waiting does not help. PlanID and Command are those of the request, Current is the
// plan's position, Target the one that the command leads to.
type InvalidTransitionError = domain.InvalidTransitionError

// NotReadyError says that the plan is in the right phase but in the wrong state: another command
// must come first. PlanID and Command are those of the request, Current is the plan's position,
// Want are the states from which the command is allowed.
type NotReadyError = domain.NotReadyError
