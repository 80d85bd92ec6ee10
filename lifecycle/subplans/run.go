package subplans

import (
	"context"
	"errors"
	"fmt"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/check"
)

// State is the state of a subplan in a run.
type State string

// The states. After a Run, Queued and Running occur only if it ended early.
const (
	Queued    State = "queued"
	Running   State = "running"
	Complete  State = "complete"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Result is the result of one subplan.
type Result struct {
	Name   string         // as it was given
	State  State          //
	Plan   lifecycle.Plan // as last read
	Merged bool           // its changes are applied
	Err    error          // of the last attempt, or why it was cancelled; nil for Complete
}

// Run executes subplans of a plan, and returns the result of each, in the given order. It returns
// when all work has ended. See the package's documentation for its guarantees and errors.
func Run(ctx context.Context, cfg Config, list []Subplan) ([]Result, error) {
	if ctx == nil {
		return nil, check.Invalid("context", "", "is nil")
	}
	if err := cfg.check(); err != nil {
		return nil, err
	}
	children, err := cfg.children(list)
	if err != nil {
		return nil, err
	}
	e := &execution{Config: cfg, children: children, ended: make(chan outcome)}
	if err := e.adopt(ctx); err != nil {
		return e.results(), err
	}
	if err := e.run(ctx); err != nil {
		return e.results(), err
	}
	if err := e.merge(ctx); err != nil {
		return e.results(), err
	}
	return e.results(), e.verdict()
}

// execution is one Run. It belongs to the goroutine that has called Run: the working goroutines get
// copies, and send their outcomes through a channel. The alternative was a lock under which each of
// them decides; then the order would be that of the lock, and the decisions spread over several
// places.
type execution struct {
	Config
	children []*child     // in the given order
	ended    chan outcome // of attempts
	stopped  bool         // FailFast has stopped the run
}

// child is a subplan and its state.
type child struct {
	Subplan
	name  lifecycle.Name
	after []*child

	state  State
	plan   lifecycle.Plan
	merged bool
	err    error
}

func (e *execution) results() []Result {
	var all []Result
	for _, c := range e.children {
		all = append(all, Result{c.Name, c.state, c.plan, c.merged, c.err})
	}
	return all
}

// verdict returns an error unless all subplans are complete.
func (e *execution) verdict() error {
	for _, c := range e.children {
		if c.state != Complete {
			return &Error{e.Parent.PlanID, e.results()}
		}
	}
	return nil
}

// run works on subplans until none is left that can be worked on. An error ends it early; run
// returns the error when all work has ended.
func (e *execution) run(ctx context.Context) error {
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	broken := e.failFast(ctx, stop)
	for running := 0; ; running-- {
		if broken == nil {
			broken = ctx.Err()
		}
		if broken == nil && !e.stopped {
			broken = e.cancelHopeless(ctx)
		}
		for broken == nil && !e.stopped && running < e.MaxParallel {
			c := e.next()
			if c == nil {
				break
			}
			c.state = Running
			running++
			go e.attempt(working, c, c.plan.ID)
		}
		if running == 0 {
			return e.brokenOff(broken)
		}
		o := <-e.ended
		if broken != nil || ctx.Err() != nil {
			e.release(ctx, o.claim)
			continue
		}
		broken = e.settle(ctx, o)
		if broken == nil {
			broken = e.failFast(ctx, stop)
		}
		if broken != nil {
			stop(broken)
		}
	}
}

// brokenOff wraps the error of a run with the plan's identifier.
func (e *execution) brokenOff(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("subplans: plan %s: broken off: %w", e.Parent.PlanID, err)
}

// next returns the first subplan that can start, or nil.
func (e *execution) next() *child {
	for _, c := range e.children {
		if c.state == Queued && c.ready() {
			return c
		}
	}
	return nil
}

// ready reports whether all subplans that c depends on are complete.
func (c *child) ready() bool {
	for _, needed := range c.after {
		if needed.state != Complete {
			return false
		}
	}
	return true
}

// cancelHopeless cancels subplans that depend on one that will never be complete.
func (e *execution) cancelHopeless(ctx context.Context) error {
	for again := true; again; {
		again = false
		for _, c := range e.children {
			for _, needed := range c.after {
				if c.state != Queued || needed.state != Failed && needed.state != Cancelled {
					continue
				}
				again = true
				if err := e.cancel(ctx, c, fmt.Sprintf("it needs %q, which is %s", needed.Name, needed.state)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// failFast cancels everything that is not complete, if a subplan has failed and FailFast is set.
func (e *execution) failFast(ctx context.Context, stop context.CancelCauseFunc) error {
	if !e.FailFast || e.stopped {
		return nil
	}
	for _, failed := range e.children {
		if failed.state != Failed {
			continue
		}
		e.stopped = true
		stop(fmt.Errorf("subplans: %q has failed: %w", failed.Name, ErrCancelled))
		for _, c := range e.children {
			if c.state != Queued && c.state != Running {
				continue
			}
			if err := e.cancel(ctx, c, fmt.Sprintf("%q has failed", failed.Name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// cancel cancels a subplan that is not complete.
func (e *execution) cancel(ctx context.Context, c *child, reason string) error {
	p, err := cancelPlan(ctx, e.Service, c.plan.ID, reason)
	if err != nil {
		return err
	}
	c.plan, c.state = p, Cancelled
	c.err = fmt.Errorf("subplans: subplan %q is %w: %s", c.Name, ErrCancelled, p.ErrorMessage)
	return nil
}

// cancelPlan cancels a plan, even if it is changed meanwhile. One that is already cancelled stays
// as it is.
func cancelPlan(ctx context.Context, s *lifecycle.Service, id, reason string) (lifecycle.Plan, error) {
	for {
		p, err := s.Cancel(ctx, id, storable(reason))
		switch {
		case errors.Is(err, lifecycle.ErrConflict):
			continue
		case !errors.Is(err, lifecycle.ErrInvalidTransition):
			return p, err
		}
		if p, err := s.GetPlan(ctx, id); err != nil || p.State == lifecycle.StateCancelled {
			return p, err
		}
		return p, err
	}
}
