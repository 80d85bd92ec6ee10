package lifecycle

import (
	"context"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// GetPlan returns a plan. The error matches [ErrNotFound].
func (s *Service) GetPlan(ctx context.Context, id string) (Plan, error) {
	if err := s.enterPlan(ctx, id); err != nil {
		return Plan{}, err
	}
	return s.store.plan(ctx, id)
}

// enterPlan is enter for a method on a plan.
func (s *Service) enterPlan(ctx context.Context, id string) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	return checkID(KindPlan, id)
}

// checkID returns a NotFoundError for an identifier that is not valid text: nothing has it, and
// some databases refuse such a query.
func checkID(kind Kind, id string) error {
	if faults.CheckText("", id) != nil {
		return &NotFoundError{kind, id}
	}
	return nil
}

// ListPlans returns the plans that are not archived, ordered by identifier, which is the order in
// which a service made them: a consistent snapshot. [Service.FindPlans] can list archived ones too.
func (s *Service) ListPlans(ctx context.Context) ([]Plan, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	return s.store.plans(ctx)
}

// Transition moves a plan along the state machine, see [Transitions]. The methods named after the
// commands are short forms of it.
//
// The guards are evaluated on one version of the plan, and the result replaces that very version or
// nothing. So of several callers, in any number of processes, that want to move a plan on from one
// version, one succeeds. Those that had read the same version get a [*ConflictError], which names
// the state they lost to. Those that read the plan later get the state machine's verdict on the new
// version, an [*InvalidTransitionError] or a [*NotReadyError] that names it; with IfVersion they
// get a [*ConflictError] too. Transition never retries, because only the caller can say whether its
// decision still stands.
//
// If the plan is claimed, the request must carry the claim.
//
// The error matches one of these, or [ErrClaimed], [ErrReversionLimit],
// [ErrNotFound] or [ErrInvalid].
func (s *Service) Transition(ctx context.Context, r Request) (Plan, error) {
	if err := s.enter(ctx); err != nil {
		return Plan{}, err
	}
	if err := domain.CheckRequest(r); err != nil {
		return Plan{}, err
	}
	if err := checkID(KindPlan, r.PlanID); err != nil {
		return Plan{}, err
	}
	now, err := s.now()
	if err != nil {
		return Plan{}, err
	}
	held, err := s.store.plan(ctx, r.PlanID)
	if err != nil {
		return Plan{}, err
	}
	if r.Fence != 0 && r.Fence != held.Claim.Fence {
		return Plan{}, domain.NotTheirs(held.ID, held.Claim, r.Fence)
	}
	if r.IfVersion != 0 && r.IfVersion != held.Version {
		return Plan{}, s.lost(ctx, r, Position{}, r.IfVersion, held)
	}
	next, err := domain.Advance(held, r, now)
	if err != nil {
		return Plan{}, err
	}
	if r.Command == CommandCancel && r.Fence == 0 {
		r.Fence = domain.AnyFence
	}
	current, swapped, err := s.store.swapPlan(ctx, next, held.Version, r.Fence)
	s.forgetPlan(r.PlanID)
	switch {
	case err != nil:
		return Plan{}, err
	case !swapped:
		return Plan{}, s.lost(ctx, r, held.Position(), held.Version, current)
	}
	s.went(ctx, r, held.Position(), current)
	return current, nil
}

// went reports a committed transition, as two changes if the request has Progress.
func (s *Service) went(ctx context.Context, r Request, from Position, p Plan) {
	if r.Progress {
		between := p // the second step changes nothing else
		between.Phase, between.State = from.Phase, StateComplete
		between.Version--
		s.report(ctx, r.Command, from, between)
		r.Command, from = domain.Onward(r.Command), between.Position()
	}
	s.changed(ctx, r.Command, from, p)
}

// lost returns the error of a transition that lost to a concurrent one.
func (s *Service) lost(ctx context.Context, r Request, held Position, heldVersion int64, current Plan) error {
	s.counters.add(conflicts)
	s.logger.InfoContext(ctx, "plan transition lost", "plan", r.PlanID, "command", string(r.Command),
		"held", heldVersion, "current", current.Version, "at", current.Position().String())
	return &ConflictError{
		PlanID: r.PlanID, Command: r.Command,
		Held: held, HeldVersion: heldVersion,
		Current: current.Position(), CurrentVersion: current.Version,
	}
}

// changed reports a committed change, and wakes the followers of events.
func (s *Service) changed(ctx context.Context, c Command, from Position, p Plan) {
	s.tell(ctx, p.ID)
	s.report(ctx, c, from, p)
}

// report logs a committed change and calls OnChange.
func (s *Service) report(ctx context.Context, c Command, from Position, p Plan) {
	s.logger.InfoContext(ctx, "plan changed", "plan", p.ID, "command", string(c),
		"from", from.String(), "to", p.Position().String(), "version", p.Version)
	if s.onChange != nil {
		s.onChange(Event{Command: c, From: from, Plan: domain.Clone(p)})
	}
}
