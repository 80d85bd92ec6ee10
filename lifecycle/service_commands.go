package lifecycle

import "context"

// The commands, by name. Each is [Service.Transition] with a short request, has its errors, and
// decides on the version of the plan that it finds.

// Failure says why work went wrong.
type Failure struct {
	Message           string            // required
	Details           map[string]string // by free key; optional
	LastCompletedStep int               // how far the work got, for a resume; 0 if unknown
}

func (s *Service) do(ctx context.Context, planID string, c Command) (Plan, error) {
	return s.Transition(ctx, Request{PlanID: planID, Command: c})
}

func (s *Service) fail(ctx context.Context, planID string, c Command, f Failure) (Plan, error) {
	return s.Transition(ctx, Request{
		PlanID: planID, Command: c,
		Reason: f.Message, Details: f.Details, LastCompletedStep: f.LastCompletedStep,
	})
}

// StartStrategize starts the strategize phase: of several concurrent callers one succeeds.
func (s *Service) StartStrategize(ctx context.Context, planID string) (Plan, error) {
	return s.do(ctx, planID, CommandStartStrategize)
}

// CompleteStrategize ends the strategize phase.
func (s *Service) CompleteStrategize(ctx context.Context, planID string) (Plan, error) {
	return s.do(ctx, planID, CommandCompleteStrategize)
}

// FailStrategize fails the strategize phase.
func (s *Service) FailStrategize(ctx context.Context, planID string, f Failure) (Plan, error) {
	return s.fail(ctx, planID, CommandFailStrategize, f)
}

// ExecutePlan moves a plan from strategize/complete to execute/queued.
func (s *Service) ExecutePlan(ctx context.Context, planID string) (Plan, error) {
	return s.do(ctx, planID, CommandExecutePlan)
}

// StartExecute starts the execute phase: of several concurrent callers one succeeds.
func (s *Service) StartExecute(ctx context.Context, planID string) (Plan, error) {
	return s.do(ctx, planID, CommandStartExecute)
}

// CompleteExecute ends the execute phase.
func (s *Service) CompleteExecute(ctx context.Context, planID string) (Plan, error) {
	return s.do(ctx, planID, CommandCompleteExecute)
}

// FailExecute fails the execute phase.
func (s *Service) FailExecute(ctx context.Context, planID string, f Failure) (Plan, error) {
	return s.fail(ctx, planID, CommandFailExecute, f)
}

// ApplyPlan moves a plan from execute/complete to apply/queued.
func (s *Service) ApplyPlan(ctx context.Context, planID string) (Plan, error) {
	return s.do(ctx, planID, CommandApplyPlan)
}

// StartApply starts the apply phase: of several concurrent callers one succeeds.
func (s *Service) StartApply(ctx context.Context, planID string) (Plan, error) {
	return s.do(ctx, planID, CommandStartApply)
}

// CompleteApply ends the apply phase and makes the plan applied.
func (s *Service) CompleteApply(ctx context.Context, planID string) (Plan, error) {
	return s.do(ctx, planID, CommandCompleteApply)
}

// ConstrainApply records that an invariant forbids applying the plan.
func (s *Service) ConstrainApply(ctx context.Context, planID string, f Failure) (Plan, error) {
	return s.fail(ctx, planID, CommandConstrainApply, f)
}

// FailApply fails the apply phase.
func (s *Service) FailApply(ctx context.Context, planID string, f Failure) (Plan, error) {
	return s.fail(ctx, planID, CommandFailApply, f)
}

// Cancel cancels a plan in any phase. The reason may be empty.
func (s *Service) Cancel(ctx context.Context, planID, reason string) (Plan, error) {
	return s.Transition(ctx, Request{PlanID: planID, Command: CommandCancel, Reason: reason})
}

// RevertOptions are the options of [Service.Revert].
type RevertOptions struct {
	To     Phase  // empty for strategize, the only phase allowed
	Reason string // recorded with the plan; may be empty
}

// Revert moves an errored or constrained plan back to strategize/queued and records that, at most
// [MaxReversions] times.
func (s *Service) Revert(ctx context.Context, planID string, opts RevertOptions) (Plan, error) {
	return s.Transition(ctx, Request{PlanID: planID, Command: CommandRevert, To: opts.To, Reason: opts.Reason})
}

// Resume queues the phase of an errored or constrained plan again. It keeps LastCompletedStep.
func (s *Service) Resume(ctx context.Context, planID string) (Plan, error) {
	return s.do(ctx, planID, CommandResume)
}
