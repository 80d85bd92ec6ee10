package soak

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// Service is the service under test: a [*lifecycle.Service], or a wrapper with planted errors.
type Service interface {
	CreateAction(context.Context, lifecycle.ActionSpec) (lifecycle.Action, error)
	ArchiveAction(ctx context.Context, name string) (lifecycle.Action, error)
	GetAction(ctx context.Context, name string) (lifecycle.Action, error)
	ListActions(context.Context) ([]lifecycle.Action, error)
	UseAction(ctx context.Context, name string, opts lifecycle.UseOptions) (lifecycle.Plan, error)
	GetPlan(ctx context.Context, id string) (lifecycle.Plan, error)
	ListPlans(context.Context) ([]lifecycle.Plan, error)
	Transition(context.Context, lifecycle.Request) (lifecycle.Plan, error)
	Claim(ctx context.Context, planID, holder string, ttl time.Duration) (lifecycle.Claim, error)
	Renew(context.Context, lifecycle.Claim, time.Duration) (lifecycle.Claim, error)
	Release(context.Context, lifecycle.Claim) error
	ExecutionContext(planID string) *lifecycle.ExecutionContext
	UnitOfWork() (*lifecycle.UnitOfWork, error)
	Recent() *lifecycle.Reader
	Stats() lifecycle.Stats
	Close() error
}

// perform makes a call and returns its answer, without the time. Whatever the call creates is labelled.
func perform(ctx context.Context, s Service, c call, label string) answer {
	a := answer{Number: c.Number, Outcome: OK}
	var err error
	switch c.Kind {
	case CreateAction, ArchiveAction, GetAction, ListActions:
		err = performAction(ctx, s, c, label, &a)
	case UseAction, GetPlan, ListPlans, MovePlan:
		err = performPlan(ctx, s, c, label, &a)
	default:
		x := s.ExecutionContext(c.Subject)
		if c.Fence > 0 {
			x = x.Under(lifecycle.Claim{PlanID: c.Subject, Holder: c.Holder, Fence: c.Fence})
		}
		err = performChangeset(ctx, x, c, label, &a)
	}
	if err != nil {
		return failed(c.Number, err)
	}
	return a
}

func performAction(ctx context.Context, s Service, c call, label string, a *answer) error {
	var (
		one  lifecycle.Action
		many []lifecycle.Action
		err  error
	)
	switch c.Kind {
	case CreateAction:
		one, err = s.CreateAction(ctx, lifecycle.ActionSpec{
			Name: c.Subject, Description: label, Reusable: !c.Once,
			Actors: lifecycle.Actors{Strategy: "strategist", Execution: "executor"},
		})
	case ArchiveAction:
		one, err = s.ArchiveAction(ctx, c.Subject)
	case GetAction:
		if c.Recent {
			one, err = s.Recent().GetAction(ctx, c.Subject)
		} else {
			one, err = s.GetAction(ctx, c.Subject)
		}
	case ListActions:
		if c.Recent {
			many, err = s.Recent().ListActions(ctx)
		} else {
			many, err = s.ListActions(ctx)
		}
		a.Actions = views(slices.DeleteFunc(slices.Clone(many), func(a lifecycle.Action) bool { return ofFamily(a.Name) }), viewAction)
		return err
	}
	v := viewAction(one)
	a.Action = &v
	return err
}

func performPlan(ctx context.Context, s Service, c call, label string, a *answer) error {
	var (
		one  lifecycle.Plan
		many []lifecycle.Plan
		err  error
	)
	switch c.Kind {
	case UseAction:
		one, err = s.UseAction(ctx, c.Subject, lifecycle.UseOptions{Description: label})
	case MovePlan:
		one, err = s.Transition(ctx, request(c, label))
	case GetPlan:
		if c.Recent {
			one, err = s.Recent().GetPlan(ctx, c.Subject)
		} else {
			one, err = s.GetPlan(ctx, c.Subject)
		}
	case ListPlans:
		if c.Recent {
			many, err = s.Recent().ListPlans(ctx)
		} else {
			many, err = s.ListPlans(ctx)
		}
		a.Plans = views(slices.DeleteFunc(slices.Clone(many), func(p lifecycle.Plan) bool { return ofFamily(p.Action) }), viewPlan)
		return err
	}
	v := viewPlan(one)
	a.Plan = &v
	return err
}

// request returns a transition. If the command takes a reason it is the label.
func request(c call, label string) lifecycle.Request {
	r := lifecycle.Request{PlanID: c.Subject, Command: c.Command, IfVersion: c.IfVersion, Fence: c.Fence}
	if blames(c.Command) || c.Command == lifecycle.CommandRevert {
		r.Reason = label
	}
	return r
}

// blames reports whether a command leaves its reason as the plan's error message.
func blames(c lifecycle.Command) bool {
	switch c {
	case lifecycle.CommandFailStrategize, lifecycle.CommandFailExecute, lifecycle.CommandFailApply,
		lifecycle.CommandConstrainApply, lifecycle.CommandCancel:
		return true
	}
	return false
}

func performChangeset(ctx context.Context, x *lifecycle.ExecutionContext, c call, label string, a *answer) (err error) {
	switch c.Kind {
	case StartChangeset:
		a.ID, err = x.StartChangeset(ctx)
	case RecordChange:
		a.ID, err = x.RecordChange(ctx, lifecycle.Entry{Operation: lifecycle.OperationModify, Path: label})
	case FinishChangeset:
		err = x.FinishChangeset(ctx, c.Changeset)
	case ListChangesets:
		var all []lifecycle.Changeset
		all, err = x.Changesets(ctx)
		a.Changesets = views(all, viewChangeset)
	default:
		panic("soak: unknown kind of call: " + string(c.Kind)) // only this package makes calls
	}
	return err
}

// failed returns the answer of a call that returned an error, with what the error says about the state.
func failed(number int64, err error) answer {
	a := answer{Number: number}
	var (
		archived *lifecycle.ArchivedError
		invalid  *lifecycle.InvalidTransitionError
		early    *lifecycle.NotReadyError
		conflict *lifecycle.ConflictError
	)
	switch {
	case errors.Is(err, lifecycle.ErrOutcomeUnknown):
		a.Outcome = Unknown
	case refusal(err, &a):
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		a.Outcome = GaveUp
	case errors.As(err, &archived):
		a.Outcome, a.Uses = Archived, archived.Uses
	case errors.As(err, &invalid):
		a.Outcome, a.Found = InvalidTransition, invalid.Current.String()
	case errors.As(err, &early):
		a.Outcome, a.Found = NotReady, early.Current.String()
	case errors.As(err, &conflict):
		a.Outcome, a.Found = Conflict, conflict.Current.String()
		a.Version, a.Held = conflict.CurrentVersion, conflict.HeldVersion
	default:
		a.Outcome = plainOutcome(err)
	}
	if a.Outcome == Wrong {
		a.Error = err.Error()
	}
	return a
}

// plainOutcome returns the outcome of an error without data.
func plainOutcome(err error) Outcome {
	for _, known := range []struct {
		err     error
		outcome Outcome
	}{
		{lifecycle.ErrNotFound, NotFound},
		{lifecycle.ErrAlreadyExists, AlreadyExists},
		{lifecycle.ErrReversionLimit, ReversionLimit},
		{lifecycle.ErrNoActiveChangeset, NoChangeset},
		{lifecycle.ErrFinished, Finished},
		{lifecycle.ErrBusy, Busy},
		{lifecycle.ErrUnavailable, Unavailable},
	} {
		if errors.Is(err, known.err) {
			return known.outcome
		}
	}
	return Wrong
}
