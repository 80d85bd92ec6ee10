package asreported

import (
	"context"
	"maps"
	"sync"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// SubplanExecution executes the subplans of a plan by a pool of workers. Of #9081 it has how the failure of a subplan is written down,
// and of #7582 how an execution ends that fails fast.
type SubplanExecution struct {
	plan    *lifecycle.Plan
	workers int
}

// NewSubplanExecution returns an execution of the subplans of plan by a number of workers.
func NewSubplanExecution(plan *lifecycle.Plan, workers int) *SubplanExecution {
	return &SubplanExecution{plan: plan, workers: workers}
}

// Fail writes down that a subplan has failed (#9081): it copies the plan's details, adds to the copy, and writes that back.
func (e *SubplanExecution) Fail(id, message string) {
	details := maps.Clone(e.plan.ErrorDetails)
	if details == nil {
		details = make(map[string]string)
	}
	details[id] = message
	e.plan.ErrorDetails = details
}

// SubplanStatus is what an execution says of a subplan.
type SubplanStatus struct {
	ID       string
	Complete bool
	Merged   bool
}

// FailFast executes subplans until one fails (#7582): then the workers are told to stop, and take no more. In the end what has not
// failed is called complete, and the results that there are, are merged.
func (e *SubplanExecution) FailFast(ctx context.Context, ids []string, work func(ctx context.Context, id string) error) []SubplanStatus {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var (
		mu              sync.Mutex
		queue           = ids
		results, errors = make(map[string]bool), make(map[string]error)
		pool            sync.WaitGroup
	)
	take := func() (id string, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if len(queue) == 0 || ctx.Err() != nil {
			return "", false
		}
		id, queue = queue[0], queue[1:]
		return id, true
	}
	for range e.workers {
		pool.Go(func() {
			for id, ok := take(); ok; id, ok = take() {
				err := work(ctx, id)
				mu.Lock()
				if err != nil {
					errors[id] = err
					stop()
				} else {
					results[id] = true
				}
				mu.Unlock()
			}
		})
	}
	pool.Wait()
	var all []SubplanStatus
	for _, id := range ids {
		all = append(all, SubplanStatus{ID: id, Complete: errors[id] == nil, Merged: results[id]})
	}
	return all
}
