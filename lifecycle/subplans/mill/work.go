package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/subplans"
)

// atWork is what a worker prints before it hangs.
const atWork = "at work\n"

// work takes the plan from its present position to the end.
func (m mill) work(ctx context.Context) error {
	claim, err := m.claim(ctx)
	if err != nil {
		return err
	}
	changes := m.service.ExecutionContext(m.plan).Under(claim)
	if _, err := changes.StartChangeset(ctx); err != nil {
		return err
	}
	results, err := m.execute(ctx, claim, changes)
	if err != nil {
		return err
	}
	for _, r := range results {
		fmt.Fprintf(m.out, "%s: %s, attempt %d\n", r.Name, r.State, r.Plan.Attempt)
	}
	complete := claim.Request(lifecycle.CommandCompleteExecute)
	complete.Progress = true
	if _, err := m.service.Transition(ctx, complete); err != nil {
		return err
	}
	_, err = changes.Apply(ctx, func(_ context.Context, c lifecycle.Change) error {
		fmt.Fprintf(m.out, "bring %d: %s %s\n", c.Number, c.Operation, c.Path)
		return nil
	})
	return err
}

// claim claims the plan for longer than the example takes, or, for the worker that will be killed,
// for the lease.
func (m mill) claim(ctx context.Context) (claim lifecycle.Claim, err error) {
	ttl := time.Hour
	if m.hang != "" {
		ttl = m.lease
	}
	err = whenFree(ctx, func() error {
		claim, err = m.service.Claim(ctx, m.plan, "a worker", ttl)
		return err
	})
	return claim, err
}

// execute runs the subplans. Each change of a subplan becomes a change of the plan.
func (m mill) execute(ctx context.Context, claim lifecycle.Claim, changes *lifecycle.ExecutionContext) (results []subplans.Result, err error) {
	cfg := subplans.Config{
		Service: m.service, Parent: claim, Lease: m.lease, Work: m.thread,
		Merge: func(ctx context.Context, _ lifecycle.Plan, c lifecycle.Change) error {
			_, err := changes.RecordChange(ctx, c.Entry)
			return err
		},
	}
	err = whenFree(ctx, func() error { // the first worker's claim to a subplan outlasts its claim to the plan
		results, err = subplans.Run(ctx, cfg, []subplans.Subplan{
			{Name: "spin", Action: "mill/spin"}, {Name: "dye", Action: "mill/dye"}, {Name: "weave", Action: "mill/weave"},
		})
		return err
	})
	return results, err
}

// thread works on one subplan.
func (m mill) thread(ctx context.Context, task subplans.Task) error {
	if task.Name == m.hang {
		fmt.Fprint(m.out, atWork)
		select {} // ignores its context
	}
	if _, err := task.Changes.StartChangeset(ctx); err != nil {
		return err
	}
	path := fmt.Sprintf("%s-%d.log", task.Name, task.Plan.Attempt)
	_, err := task.Changes.RecordChange(ctx, lifecycle.Entry{Operation: lifecycle.OperationCreate, Path: path})
	return err
}

// whenFree repeats do until no claim of another worker prevents it.
func whenFree(ctx context.Context, do func() error) error {
	for {
		err := do()
		if !errors.Is(err, lifecycle.ErrClaimed) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}
