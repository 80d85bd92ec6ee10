package subplans

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// outcome is the result of an attempt.
type outcome struct {
	of     *child
	claim  lifecycle.Claim
	worked error // error of the work, if it ran
	broken error // any other error
}

// errExit is the failure of an attempt whose work has ended its goroutine.
var errExit = errors.New("the work has ended its goroutine")

// attempt works on a subplan once, and sends the outcome even if the work panics or ends the
// goroutine, which is the attempt's own. It does not change c.
func (e *execution) attempt(ctx context.Context, c *child, id string) {
	o := outcome{of: c, broken: errExit}
	defer func() {
		if p := recover(); p != nil {
			o.ended(fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}
		e.ended <- o
	}()
	var p lifecycle.Plan
	if o.claim, o.broken = e.Service.Claim(ctx, id, e.Holder, e.Lease); o.broken == nil {
		o.broken = errExit
		p, o.broken = e.begin(ctx, o.claim)
	}
	if o.broken != nil {
		return
	}
	o.worked = errExit
	task := Task{c.Name, p, e.Service.ExecutionContext(id).Under(o.claim)}
	o.worked = e.timed(ctx, task, func(ctx context.Context) error {
		return e.keeping(ctx, o.claim, func(ctx context.Context) error { return e.Work(ctx, task) })
	})
}

// ended sets the error of what was being done: the work, or what comes before it.
func (o *outcome) ended(err error) {
	if o.broken != nil {
		o.broken = err
	} else {
		o.worked = err
	}
}

// abandoned is the reason for failing an attempt whose worker is gone.
const abandoned = "its worker is gone"

// begin moves a plan to execute/processing, from any position.
func (e *execution) begin(ctx context.Context, claim lifecycle.Claim) (lifecycle.Plan, error) {
	p, err := e.Service.GetPlan(ctx, claim.PlanID)
	for command := lifecycle.Command(""); err == nil && command != lifecycle.CommandStartExecute; {
		command = towardsWork(p.Position())
		r := claim.Request(command)
		if command == lifecycle.CommandFailExecute {
			r.Reason = abandoned
		}
		p, err = e.Service.Transition(ctx, r)
	}
	return p, err
}

// towardsWork returns the next command towards the plan's execution. The strategize phase needs no
// work: the parent's strategy has made the subplan.
func towardsWork(at lifecycle.Position) lifecycle.Command {
	switch {
	case at.State == lifecycle.StateErrored:
		return lifecycle.CommandResume
	case at.Phase == lifecycle.PhaseExecute && at.State == lifecycle.StateProcessing:
		return lifecycle.CommandFailExecute
	case at.Phase != lifecycle.PhaseStrategize:
		return lifecycle.CommandStartExecute
	case at.State == lifecycle.StateQueued:
		return lifecycle.CommandStartStrategize
	case at.State == lifecycle.StateProcessing:
		return lifecycle.CommandCompleteStrategize
	}
	return lifecycle.CommandExecutePlan
}

// timed limits f to Config.Timeout.
func (e *execution) timed(ctx context.Context, task Task, f func(context.Context) error) error {
	if e.Timeout == 0 {
		return f(ctx)
	}
	late := &TimeoutError{Subplan: task.Name, PlanID: task.Plan.ID, Limit: e.Timeout}
	ctx, cancel := context.WithTimeoutCause(ctx, e.Timeout, late)
	defer cancel()
	err := f(ctx)
	if context.Cause(ctx) != error(late) {
		return err
	}
	return &TimeoutError{late.Subplan, late.PlanID, late.Limit, err}
}

// settle sets the state of a subplan after an attempt.
func (e *execution) settle(ctx context.Context, o outcome) error {
	c := o.of
	if c.state != Running { // it was cancelled meanwhile
		return nil
	}
	defer e.release(ctx, o.claim)
	err := o.broken
	switch {
	case err != nil:
	case o.worked == nil:
		err = e.complete(ctx, c, o.claim)
	default:
		err = e.fail(ctx, c, o)
	}
	if err == nil {
		return nil
	}
	p, failed := e.Service.GetPlan(ctx, c.plan.ID)
	if failed == nil && p.State == lifecycle.StateCancelled { // cancelled by another caller
		return e.cancel(ctx, c, "")
	}
	return err
}

func (e *execution) complete(ctx context.Context, c *child, claim lifecycle.Claim) error {
	p, err := e.Service.Transition(ctx, claim.Request(lifecycle.CommandCompleteExecute))
	if err == nil {
		c.plan, c.state, c.err = p, Complete, nil
	}
	return err
}

// fail records that an attempt has failed, and queues the next one if any is left.
func (e *execution) fail(ctx context.Context, c *child, o outcome) error {
	r := o.claim.Request(lifecycle.CommandFailExecute)
	r.Reason = storable(o.worked.Error())
	p, err := e.Service.Transition(ctx, r)
	if err != nil {
		return err
	}
	c.plan, c.err = p, o.worked
	if p.Attempt <= e.Retries {
		c.state = Queued
		return nil
	}
	c.state = Failed
	_, err = e.Service.AddErrorDetails(ctx, lifecycle.Note{
		PlanID: e.Parent.PlanID, Fence: e.Parent.Fence,
		Details: map[string]string{p.ID: storable(fmt.Sprintf("%s: %v", c.Name, o.worked))},
	})
	return err
}

// lastWords is how long releasing a claim may take after the context has ended.
const lastWords = 5 * time.Second

// release releases a claim, if there is one. If it cannot, the claim expires in time.
func (e *execution) release(ctx context.Context, claim lifecycle.Claim) {
	if claim.Fence == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer cancel()
	_ = e.Service.Release(ctx, claim)
}

// longestText bounds the text of an error that a plan keeps, in bytes.
const longestText = 4096

// storable returns a text that a plan can store, and that is not empty.
func storable(text string) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "\uFFFD")
	if len(text) > longestText {
		text = strings.ToValidUTF8(text[:longestText], "") + "…"
	}
	if text == "" {
		return "no reason was given"
	}
	return text
}
