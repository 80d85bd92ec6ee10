package explored

import (
	"context"
	"errors"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// errRolledBack makes a unit of work roll back.
var errRolledBack = errors.New("rolled back on purpose")

// apply makes the call on a service of w.
func (w *world) apply(c *Call) Answer {
	ctx := context.Background()
	s := w.services[c.Service]
	switch c.Operation {
	case CreateAction:
		return ofAction(s.CreateAction(ctx, c.spec()))
	case ArchiveAction:
		return ofAction(s.ArchiveAction(ctx, c.Action))
	case DeleteAction:
		return Answer{Err: s.DeleteAction(ctx, c.Action)}
	case GetAction:
		return ofAction(s.GetAction(ctx, c.Action))
	case ListActions:
		all, err := s.ListActions(ctx)
		return Answer{Actions: all, Err: err}
	case UseAction:
		p, err := s.UseAction(ctx, c.Action, lifecycle.UseOptions{ParentID: c.parent((*Ref).real)})
		return c.makes(p.ID, ofPlan(p, err))
	case GetPlan:
		return ofPlan(s.GetPlan(ctx, c.Plan.real()))
	case ArchivePlan:
		return ofPlan(s.ArchivePlan(ctx, c.Plan.real()))
	case DeletePlan:
		return Answer{Err: s.DeletePlan(ctx, c.Plan.real(), 0)}
	case ListPlans:
		all, err := s.ListPlans(ctx)
		return Answer{Plans: all, Err: err}
	case Transition:
		return c.transition(s.Transition(ctx, c.request(c.Plan.real())))
	case Close:
		return Answer{Err: s.Close()}
	case Commit, RollBack:
		return w.unitOfWork(ctx, c)
	}
	return c.record(ctx, s.ExecutionContext(c.Plan.real()))
}

// record makes a call on an execution context.
func (c *Call) record(ctx context.Context, e *lifecycle.ExecutionContext) Answer {
	switch c.Operation {
	case StartChangeset:
		id, err := e.StartChangeset(ctx)
		return c.makes(id, Answer{Made: id, Err: err})
	case RecordChange:
		id, err := e.RecordChange(ctx, c.entry())
		return Answer{Made: id, Err: err}
	case Finish:
		return Answer{Err: e.FinishChangeset(ctx, c.Changeset.real())}
	}
	all, err := e.Changesets(ctx)
	return Answer{Changesets: all, Err: err}
}

// unitOfWork records a change and archives an action, both or neither.
func (w *world) unitOfWork(ctx context.Context, c *Call) Answer {
	var a Answer
	work, err := w.work(c.Service)
	if err != nil {
		return Answer{Err: err}
	}
	err = work.Transaction(ctx, func(ctx context.Context, r lifecycle.Repositories) (err error) {
		a = Answer{}
		entry := c.entry()
		entry.At = now()
		if a.Made, err = r.Changesets.Record(ctx, c.Plan.real(), entry); err != nil {
			return err
		}
		action, err := r.Actions.Archive(ctx, name(c.Action), now())
		if err != nil {
			return err
		}
		a.Actions = []lifecycle.Action{action}
		if c.Operation == RollBack {
			return errRolledBack
		}
		return nil
	})
	if err != nil {
		return Answer{Err: err}
	}
	return a
}

// makes stores the identifier of the object that the call created in c.Makes.
func (c *Call) makes(id string, a Answer) Answer {
	if a.Err == nil && c.Makes != nil {
		c.Makes.id = id
	}
	return a
}

// transition records in c.lost whether a transition lost to a concurrent one.
func (c *Call) transition(p lifecycle.Plan, err error) Answer {
	c.lost = c.IfVersion == 0 && errors.Is(err, lifecycle.ErrConflict)
	return ofPlan(p, err)
}

func (c *Call) request(planID string) lifecycle.Request {
	r := lifecycle.Request{PlanID: planID, Command: c.Command, IfVersion: c.IfVersion}
	switch c.Command {
	case lifecycle.CommandFailStrategize, lifecycle.CommandFailExecute, lifecycle.CommandFailApply, lifecycle.CommandConstrainApply:
		r.Reason = "the loom is jammed"
	}
	return r
}

func (c *Call) entry() lifecycle.Entry {
	return lifecycle.Entry{Operation: lifecycle.OperationModify, Path: c.Path}
}

func ofAction(a lifecycle.Action, err error) Answer {
	if err != nil {
		return Answer{Err: err}
	}
	return Answer{Actions: []lifecycle.Action{a}}
}

func ofPlan(p lifecycle.Plan, err error) Answer {
	if err != nil {
		return Answer{Err: err}
	}
	return Answer{Plans: []lifecycle.Plan{p}}
}

// parent returns the identifier of the parent plan; empty without one.
func (c *Call) parent(id func(*Ref) string) string {
	if c.Plan == nil {
		return ""
	}
	return id(c.Plan)
}

// spec describes a reusable action.
func (c *Call) spec() lifecycle.ActionSpec {
	return lifecycle.ActionSpec{
		Name: c.Action, Description: c.Path, Actors: lifecycle.Actors{Strategy: "strategist", Execution: "executor"}, Reusable: true,
	}
}
