package passing

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/stress/soak/lines"
)

// Service is the service under test: a [*lifecycle.Service], or a wrapper with planted errors.
type Service interface {
	CreateAction(context.Context, lifecycle.ActionSpec) (lifecycle.Action, error)
	DeleteAction(ctx context.Context, name string) error
	UseAction(ctx context.Context, name string, opts lifecycle.UseOptions) (lifecycle.Plan, error)
	GetPlan(ctx context.Context, id string) (lifecycle.Plan, error)
	FindPlans(context.Context, lifecycle.PlanFilter) ([]lifecycle.Plan, error)
	Transition(context.Context, lifecycle.Request) (lifecycle.Plan, error)
	ArchivePlan(ctx context.Context, id string) (lifecycle.Plan, error)
	DeletePlan(ctx context.Context, id string, fence int64) error
	ExecutionContext(planID string) *lifecycle.ExecutionContext
}

// Namespace is the namespace of the actions that pass.
const Namespace = "passing"

// actions and plans at a time are so few that processes meet, and that an action often has no plans.
const (
	actions = 3
	most    = 5
)

// Actor makes the calls of one life of a process.
type Actor struct {
	Service Service
	Dir     string // the folder of its record
	Life    string // a unique name
	Rng     *rand.Rand
	Clock   func() int64  // a clock that all processes share
	Limit   time.Duration // for a call

	file  *os.File
	calls int
	seen  []Seen // the plans of its last listing
}

// Act makes calls until ctx ends. A call that has begun is completed.
func (a *Actor) Act(ctx context.Context) (err error) {
	if a.file, err = lines.Create(fileName(a.Dir, a.Life)); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.file.Close()) }()
	for ctx.Err() == nil {
		if err := a.do(a.draw()); err != nil {
			return err
		}
		timer := time.NewTimer(time.Duration(a.Rng.Int64N(int64(40 * time.Millisecond))))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
	return nil
}

func (a *Actor) draw() *Operation {
	n := a.Rng.IntN(20)
	action := fmt.Sprintf("%s/%d", Namespace, a.Rng.IntN(actions))
	switch {
	case n < 5:
		return &Operation{Kind: List, Whole: n < 3}
	case n < 7:
		return &Operation{Kind: DeleteAction, Action: action}
	case n < 8:
		return &Operation{Kind: CreateAction, Action: action}
	case len(a.seen) == 0, n < 11 && len(a.seen) < most:
		return &Operation{Kind: Make, Action: action}
	}
	p := a.seen[a.Rng.IntN(len(a.seen))]
	all := []Kind{Get, Get, Start, Record, Record, Changes, Cancel, PutAway, Delete}
	return &Operation{Kind: all[a.Rng.IntN(len(all))], Action: p.Action, Plan: p.Plan}
}

// do makes a call, recorded before and after it.
func (a *Actor) do(o *Operation) error {
	a.calls++
	o.Label, o.From = fmt.Sprint(a.Life, "/", a.calls), a.Clock()
	if err := lines.Write(a.file, o); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), a.Limit)
	defer cancel()
	err := a.call(ctx, o)
	o.To = a.Clock()
	if o.Outcome = outcome(err, o); o.Outcome == Pending {
		o.To = Never
	}
	if o.Kind == List && o.Outcome == OK {
		a.seen = o.Listed
	}
	return lines.Write(a.file, o)
}

func (a *Actor) call(ctx context.Context, o *Operation) (err error) {
	var p lifecycle.Plan
	x := a.Service.ExecutionContext(o.Plan)
	switch o.Kind {
	case CreateAction:
		_, err = a.Service.CreateAction(ctx, lifecycle.ActionSpec{
			Name: o.Action, Reusable: true, Actors: lifecycle.Actors{Strategy: "strategist", Execution: "executor"},
		})
	case DeleteAction:
		err = a.Service.DeleteAction(ctx, o.Action)
	case Make:
		p, err = a.Service.UseAction(ctx, o.Action, lifecycle.UseOptions{Description: o.Label})
		o.Plan = p.ID
	case Get:
		p, err = a.Service.GetPlan(ctx, o.Plan)
	case List:
		return a.list(ctx, o)
	case Start:
		_, err = x.StartChangeset(ctx)
	case Record:
		_, err = x.RecordChange(ctx, lifecycle.Entry{Operation: lifecycle.OperationModify, Path: o.Label})
	case Changes:
		var all []lifecycle.Changeset
		all, err = x.Changesets(ctx)
		for _, c := range all {
			for _, e := range c.Entries {
				o.Entries = append(o.Entries, e.Path)
			}
		}
	case Cancel:
		p, err = a.Service.Transition(ctx, lifecycle.Request{PlanID: o.Plan, Command: lifecycle.CommandCancel})
	case PutAway:
		p, err = a.Service.ArchivePlan(ctx, o.Plan)
	case Delete:
		err = a.Service.DeletePlan(ctx, o.Plan, 0)
	}
	o.Version, o.Ended, o.Away = p.Version, p.State == lifecycle.StateCancelled, p.Archived
	return err
}

func (a *Actor) list(ctx context.Context, o *Operation) error {
	plans, err := a.Service.FindPlans(ctx, lifecycle.PlanFilter{Archived: o.Whole})
	for _, p := range plans {
		if p.Action.Namespace == Namespace {
			o.Listed = append(o.Listed, Seen{p.ID, p.Action.String()})
		}
	}
	return err
}

// outcome returns the outcome of a call, and records the details of its error.
func outcome(err error, o *Operation) Outcome {
	var referred *lifecycle.ReferredError
	if errors.As(err, &referred) {
		o.Plans = referred.Plans
	}
	for _, known := range []struct {
		err     error
		outcome Outcome
	}{
		{lifecycle.ErrOutcomeUnknown, Pending},
		{context.DeadlineExceeded, Nothing},
		{lifecycle.ErrBusy, Nothing},
		{lifecycle.ErrUnavailable, Nothing},
		{lifecycle.ErrConflict, Nothing},
		{lifecycle.ErrNotFound, NotFound},
		{lifecycle.ErrAlreadyExists, Exists},
		{lifecycle.ErrReferred, Referred},
		{lifecycle.ErrFinished, Finished},
		{lifecycle.ErrNotReady, NotReady},
		{lifecycle.ErrArchived, Archived},
		{lifecycle.ErrNoActiveChangeset, NoChangeset},
		{lifecycle.ErrInvalidTransition, Refused},
	} {
		if errors.Is(err, known.err) {
			return known.outcome
		}
	}
	if err != nil {
		o.Error = err.Error()
		return Wrong
	}
	return OK
}
