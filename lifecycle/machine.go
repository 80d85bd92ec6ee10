package lifecycle

import "github.com/jacquard-go/jacquard/lifecycle/internal/domain"

// Phase is the stretch of work that a plan is in.
type Phase = domain.Phase

// The phases, in the order in which a plan goes through them.
const (
	PhaseAction     = domain.PhaseAction     // before the plan exists: only its action does
	PhaseStrategize = domain.PhaseStrategize // decide what to do
	PhaseExecute    = domain.PhaseExecute    // do it in a sandbox, recording changes
	PhaseApply      = domain.PhaseApply      // bring the changes home
)

// State is how far the work of a phase has come. Its method Terminal reports whether
// no command can move a plan out of it.
type State = domain.State

// The states. Applied and constrained exist in [PhaseApply] only.
const (
	StateQueued      = domain.StateQueued      // waiting for a worker to start it
	StateProcessing  = domain.StateProcessing  // a worker has started it
	StateComplete    = domain.StateComplete    // done; the next phase may be asked for
	StateErrored     = domain.StateErrored     // failed; may be resumed or reverted
	StateCancelled   = domain.StateCancelled   // given up: terminal
	StateApplied     = domain.StateApplied     // everything is done: terminal
	StateConstrained = domain.StateConstrained // an invariant forbids applying; may be resumed or reverted
)

// Position is where a plan is: a Phase and a State in it. Its method String returns
// "phase/state", as in "execute/complete"; Valid reports whether a plan can be there.
type Position = domain.Position

// Command is what can be asked of a plan that exists.
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

	// CommandUseAction makes a plan. It is not a transition of one, and is
	// only seen in an [Event].
	CommandUseAction = domain.CommandUseAction

	// CommandArchivePlan and CommandDeletePlan put a plan away. They are no
	// transitions either, and only seen in an [Event]; see [Service.ArchivePlan] and
	// [Service.DeletePlan].
	CommandArchivePlan = domain.CommandArchivePlan
	CommandDeletePlan  = domain.CommandDeletePlan

	// CommandAddErrorDetails leaves a plan where it is. It is not a transition
	// either; see [Service.AddErrorDetails].
	CommandAddErrorDetails = domain.CommandAddErrorDetails
)

// MaxReversions is how often one plan may be reverted.
const MaxReversions = domain.MaxReversions

// Transition is one edge of the state machine: the Command leads From one position
// To another.
type Transition = domain.Transition

// Transitions lists every edge of the state machine: what is not listed is not
// allowed.
func Transitions() []Transition { return domain.Transitions() }

// Commands lists every command once, in the order of [Transitions].
func Commands() []Command { return domain.Commands() }

// Guard decides where command leads a plan that is at current. The order of
// its checks is the tracker's: first whether the phase may change (a terminal
// state never may), then whether the state is ready for it.
//
// It returns an error that matches [ErrInvalid] for an unknown command, and a
// [*InvalidTransitionError] or a [*NotReadyError] without a plan identifier.
func Guard(command Command, current Position) (Position, error) {
	return domain.Guard(command, current)
}

// Request asks for a transition of the plan PlanID by a Command. Fields that mean
// nothing to the command must be zero.
//
// IfVersion is the version of the plan that the caller has decided on. If the plan
// has another one the transition is a conflict, whatever the state machine would say.
// Zero leaves the decision to the service, on the version that it finds.
//
// Fence is that of the claim under which the caller works, see [Claim]; 0 without one.
//
// Reason and Details say why: a fail or constrain requires a reason and may have
// details; a cancel or revert may have a reason. LastCompletedStep, for fail and
// constrain, is 0 or more. To, for revert, is empty for strategize. DecisionRootID is
// for complete_strategize, SandboxRefs for start_execute; both are optional.
//
// Progress has complete_strategize and complete_execute lead on to where the next
// phase is queued, in the same step: nobody finds the plan in between, also if the
// process ends just then. It is two versions and two events, as if execute_plan or
// apply_plan had been asked for at once.
//
// Applied points to how many of the plan's changes are applied now, the first so many
// in the order of [ExecutionContext.Changes]. To complete_apply it has to be all of
// them, also those recorded a moment ago, or the plan is not applied; nil says that
// all are. To fail_apply and constrain_apply it is optional; nil for no more than
// before.
type Request = domain.Request

// InvalidTransitionError says that no plan in this phase, or in this terminal state,
// can do what was asked. Waiting does not help. PlanID and Command are what was asked,
// Current is where the plan is, Target where the command would have put it.
type InvalidTransitionError = domain.InvalidTransitionError

// NotReadyError says that the plan is in the right phase and in the wrong state:
// another command has to come first. PlanID and Command are what was asked, Current is
// where the plan is, Want are the states from which the command is allowed.
type NotReadyError = domain.NotReadyError
