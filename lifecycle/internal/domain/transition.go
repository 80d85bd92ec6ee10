package domain

import "slices"

// Command is a request to a plan that exists.
type Command string

// The commands. Each has a method of the service; all of them go through
// Service.Transition.
const (
	CommandStartStrategize    Command = "start_strategize"
	CommandCompleteStrategize Command = "complete_strategize"
	CommandFailStrategize     Command = "fail_strategize"
	CommandExecutePlan        Command = "execute_plan"
	CommandStartExecute       Command = "start_execute"
	CommandCompleteExecute    Command = "complete_execute"
	CommandFailExecute        Command = "fail_execute"
	CommandApplyPlan          Command = "apply_plan"
	CommandStartApply         Command = "start_apply"
	CommandCompleteApply      Command = "complete_apply"
	CommandConstrainApply     Command = "constrain_apply"
	CommandFailApply          Command = "fail_apply"
	CommandCancel             Command = "cancel"
	CommandRevert             Command = "revert"
	CommandResume             Command = "resume"

	// CommandUseAction makes a plan. It is not a transition and appears only in events.
	CommandUseAction Command = "use_action"

	// CommandArchivePlan and CommandDeletePlan are not transitions; see Service.ArchivePlan and
	// Service.DeletePlan.
	CommandArchivePlan Command = "archive_plan"
	CommandDeletePlan  Command = "delete_plan"

	// CommandAddErrorDetails keeps a plan's position. It is not a transition either; see
	// Service.AddErrorDetails.
	CommandAddErrorDetails Command = "add_error_details"
)

// MaxReversions is how often one plan may be reverted.
const MaxReversions = 3

// rule is one line of the state machine: in phase from and one of the states,
// command leads to the position to.
type rule struct {
	command Command
	from    Phase
	states  states
	to      Position
}

// states holds up to four states, padded with "". It is an array, so that looking up a rule does
// not allocate.
type states [4]State

func (s states) have(state State) bool { return state != "" && slices.Contains(s[:], state) }

func (s states) list() []State {
	return slices.DeleteFunc(s[:], func(state State) bool { return state == "" })
}

// rules returns the whole state machine. A plan enters it at strategize/queued, when its action is
// used. Transitions that are not listed are not allowed. The tracker's phase table lacks
// strategize→strategize, which the tracker lists as a bug: an errored strategize may be reverted
// here.
//
// It is a function, not a variable, so that no code can change the table.
func rules() [21]rule {
	const (
		strategize, execute, apply = PhaseStrategize, PhaseExecute, PhaseApply

		queued, processing, complete = StateQueued, StateProcessing, StateComplete
		errored, constrained         = StateErrored, StateConstrained
		cancelled, applied           = StateCancelled, StateApplied
	)
	return [...]rule{
		{CommandStartStrategize, strategize, states{queued}, Position{strategize, processing}},
		{CommandCompleteStrategize, strategize, states{processing}, Position{strategize, complete}},
		{CommandFailStrategize, strategize, states{processing}, Position{strategize, errored}},

		{CommandExecutePlan, strategize, states{complete}, Position{execute, queued}},
		{CommandStartExecute, execute, states{queued}, Position{execute, processing}},
		{CommandCompleteExecute, execute, states{processing}, Position{execute, complete}},
		{CommandFailExecute, execute, states{processing}, Position{execute, errored}},

		{CommandApplyPlan, execute, states{complete}, Position{apply, queued}},
		{CommandStartApply, apply, states{queued}, Position{apply, processing}},
		{CommandCompleteApply, apply, states{processing}, Position{apply, applied}},
		{CommandConstrainApply, apply, states{processing}, Position{apply, constrained}},
		{CommandFailApply, apply, states{processing}, Position{apply, errored}},

		{CommandCancel, strategize, states{queued, processing, complete, errored}, Position{strategize, cancelled}},
		{CommandCancel, execute, states{queued, processing, complete, errored}, Position{execute, cancelled}},
		{CommandCancel, apply, states{queued, processing, errored, constrained}, Position{apply, cancelled}},

		{CommandRevert, strategize, states{errored}, Position{strategize, queued}},
		{CommandRevert, execute, states{errored}, Position{strategize, queued}},
		{CommandRevert, apply, states{errored, constrained}, Position{strategize, queued}},

		{CommandResume, strategize, states{errored}, Position{strategize, queued}},
		{CommandResume, execute, states{errored}, Position{execute, queued}},
		{CommandResume, apply, states{errored, constrained}, Position{apply, queued}},
	}
}

// Transition is one edge of the state machine.
type Transition struct {
	Command  Command
	From, To Position
}

// Transitions lists every edge of the state machine, in the order of rules. No other transition is
// allowed.
func Transitions() []Transition {
	var all []Transition
	for _, r := range rules() {
		for _, s := range r.states.list() {
			all = append(all, Transition{r.command, Position{r.from, s}, r.to})
		}
	}
	return all
}

// Commands lists every command once, in the order of the table.
func Commands() []Command {
	var all []Command
	for _, r := range rules() {
		if !slices.Contains(all, r.command) {
			all = append(all, r.command)
		}
	}
	return all
}

func (c Command) known() bool {
	for _, r := range rules() {
		if r.command == c {
			return true
		}
	}
	return false
}

// Guard returns the position to which command leads a plan at current. The order of its checks is
// the tracker's: first whether the phase may change (a terminal state never may), then whether the
// state is ready for it.
//
// It returns an error that matches [faults.ErrInvalid] for an unknown command, and a
// [*InvalidTransitionError] or a [*NotReadyError] without a plan identifier.
func Guard(command Command, current Position) (Position, error) {
	return guard("", command, current)
}

func guard(planID string, command Command, current Position) (Position, error) {
	var target Position
	for _, r := range rules() {
		if r.command != command {
			continue
		}
		if r.from != current.Phase {
			target = r.to
			continue
		}
		switch {
		case current.State.Terminal():
			return Position{}, &InvalidTransitionError{planID, command, current, r.to}
		case !r.states.have(current.State):
			return Position{}, &NotReadyError{planID, command, current, r.states.list()}
		default:
			return r.to, nil
		}
	}
	if target == (Position{}) {
		return Position{}, invalid("command", string(command), "is not a command")
	}
	return Position{}, &InvalidTransitionError{planID, command, current, target}
}
