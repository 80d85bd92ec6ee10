package soak

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/subplans"
	"github.com/jacquard-go/jacquard/stress/soak/passing"
)

// The actions of the plans that have subplans, and of the subplans. Only executors work on these plans, and some of their
// transitions are not recorded, so only the checks of claims and of subplans cover them.
const (
	parentAction  = "soak/parent"
	subplanAction = "soak/subplan"
)

// ofFamily reports whether action is one of these, or one of package passing, which is also judged separately.
func ofFamily(action lifecycle.Name) bool {
	return action.Namespace == passing.Namespace || action.String() == parentAction || action.String() == subplanAction
}

// subplanList returns the subplans of every parent. Their changes are merged in this order.
func subplanList() []subplans.Subplan {
	return []subplans.Subplan{
		{Name: "spin", Action: subplanAction}, {Name: "dye", Action: subplanAction},
		{Name: "weave", Action: subplanAction, After: []string{"spin", "dye"}},
	}
}

// familyLease is the lease of claims to parents and subplans, which are renewed. It expires while a process is frozen.
const familyLease = 3 * lease

// executor claims plans with subplans and executes these. Its process may be killed meanwhile, or frozen until another
// one has taken over. It is not safe for concurrent use.
type executor struct {
	worker    *worker
	goroutine int
	rng       *rand.Rand
}

func newExecutor(w *worker, goroutine int, rng *rand.Rand) *executor {
	return &executor{w, goroutine, rng}
}

// run makes calls until ctx ends.
func (e *executor) run(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := e.act(); err != nil {
			return err
		}
		timer := time.NewTimer(time.Duration(e.rng.Int64N(int64(lease))))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
	return nil
}

// act makes a parent, or claims one and executes its subplans. In one case of eight it does not release the claim.
func (e *executor) act() error {
	id, ok := e.worker.knowledge.parent(e.rng)
	if !ok {
		_, err := e.worker.do(e.goroutine, call{Kind: MakeParent})
		return err
	}
	claimed, err := e.worker.do(e.goroutine, call{Kind: ClaimPlan, Subject: id, Lease: int64(familyLease)})
	if err != nil || claimed.Outcome != OK {
		return err
	}
	t := token{id, claimed.Holder, claimed.Fence}
	if _, err := e.worker.do(e.goroutine, t.call(RunSubplans)); err != nil || e.rng.IntN(8) == 0 {
		return err
	}
	_, err = e.worker.do(e.goroutine, t.call(EndClaim))
	return err
}

// errInside is the error of a run of subplans in which a call has failed.
var errInside = errors.New("soak: a call within it has failed")

// runSubplans executes the subplans of a parent under a claim, which it renews.
func (w *worker) runSubplans(ctx context.Context, goroutine int, c call) answer {
	inside := func(c call) error {
		a, err := w.do(goroutine, c)
		switch {
		case err != nil:
			return fmt.Errorf("%w: %w", errInside, err) // the next call outside meets the same error
		case a.Outcome != OK:
			return fmt.Errorf("%w: %s: %s", errInside, c.Kind, a.Outcome)
		}
		return nil
	}
	stop := renewing(func() error {
		r := token{c.Subject, c.Holder, c.Fence}.call(RenewClaim)
		r.Lease = int64(familyLease)
		return inside(r)
	})
	err := w.offices.execute(ctx, c, inside)
	stop()
	var incomplete *subplans.Error
	switch {
	case err == nil:
		return answer{Number: c.Number, Outcome: OK}
	case errors.Is(err, errInside), errors.As(err, &incomplete):
		return answer{Number: c.Number, Outcome: BrokenOff}
	}
	return failed(c.Number, err)
}

// renewing calls renew regularly, until it fails or stop is called. stop waits for a renewal that has begun.
func renewing(renew func() error) (stop func()) {
	ended := make(chan struct{})
	var one sync.WaitGroup
	one.Go(func() {
		tick := time.NewTicker(familyLease / 3)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
			}
			if renew() != nil {
				return
			}
		}
	})
	return func() {
		close(ended)
		one.Wait()
	}
}

// begun returns the transitions of a parent up to the execution of its subplans.
func begun() []lifecycle.Transition {
	strategize, execute := lifecycle.PhaseStrategize, lifecycle.PhaseExecute
	return []lifecycle.Transition{
		{From: lifecycle.Position{Phase: strategize, State: lifecycle.StateQueued}, Command: lifecycle.CommandStartStrategize},
		{From: lifecycle.Position{Phase: strategize, State: lifecycle.StateProcessing}, Command: lifecycle.CommandCompleteStrategize},
		{From: lifecycle.Position{Phase: strategize, State: lifecycle.StateComplete}, Command: lifecycle.CommandExecutePlan},
		{From: lifecycle.Position{Phase: execute, State: lifecycle.StateQueued}, Command: lifecycle.CommandStartExecute},
	}
}

// execute takes a parent from its position to the end of its execution. The work on its subplans and the merges are calls
// of their own.
func (o offices) execute(ctx context.Context, c call, inside func(call) error) error {
	claim := lifecycle.Claim{PlanID: c.Subject, Holder: c.Holder, Fence: c.Fence}
	p, err := o.whole.GetPlan(ctx, c.Subject)
	for _, t := range begun() {
		if err == nil && p.Position() == t.From {
			p, err = o.whole.Transition(ctx, claim.Request(t.Command))
		}
	}
	if err != nil || p.Position() == executed() {
		return err
	}
	if p.ChangesetID == "" {
		if _, err := o.whole.ExecutionContext(p.ID).Under(claim).StartChangeset(ctx); err != nil {
			return err
		}
	}
	_, err = o.run(ctx, subplans.Config{
		Service: o.whole, Parent: claim, Mode: subplans.ByDependencies, MaxParallel: 2, Retries: 1000, Lease: familyLease,
		Work: func(_ context.Context, t subplans.Task) error {
			return inside(call{Kind: DoSubplan, Subject: t.Plan.ID, Fence: t.Plan.Claim.Fence, Holder: t.Plan.Claim.Holder})
		},
		Merge: func(_ context.Context, _ lifecycle.Plan, change lifecycle.Change) error {
			return inside(call{Kind: MergeChange, Subject: c.Subject, Fence: c.Fence, Holder: c.Holder, Change: change.Path})
		},
	}, subplanList())
	if err != nil {
		return err
	}
	_, err = o.whole.Transition(ctx, claim.Request(lifecycle.CommandCompleteExecute))
	return err
}

// executed returns the position of a parent whose subplans are done and merged.
func executed() lifecycle.Position {
	return lifecycle.Position{Phase: lifecycle.PhaseExecute, State: lifecycle.StateComplete}
}

// performSubplan makes a parent, or performs one of the calls within the execution of subplans.
func (o offices) performSubplan(ctx context.Context, c call, label string, a *answer) (err error) {
	if c.Kind == MakeParent {
		return o.makeParent(ctx, label, a)
	}
	changes := o.whole.ExecutionContext(c.Subject).Under(lifecycle.Claim{PlanID: c.Subject, Holder: c.Holder, Fence: c.Fence})
	if c.Kind == MergeChange {
		_, err = changes.RecordChange(ctx, lifecycle.Entry{Operation: lifecycle.OperationMove, Path: label, MovedFrom: c.Change})
		return err
	}
	if _, err := changes.StartChangeset(ctx); err != nil {
		return err
	}
	time.Sleep(familyLease / 20) // time in which the process may be killed or frozen
	a.Fence, a.Holder = c.Fence, label
	_, err = changes.RecordChange(ctx, lifecycle.Entry{Operation: lifecycle.OperationModify, Path: label})
	return err
}

func (o offices) makeParent(ctx context.Context, label string, a *answer) error {
	for _, name := range []string{parentAction, subplanAction} {
		_, err := o.whole.CreateAction(ctx, lifecycle.ActionSpec{
			Name: name, Reusable: true, Actors: lifecycle.Actors{Strategy: "strategist", Execution: "executor"},
		})
		if err != nil && !errors.Is(err, lifecycle.ErrAlreadyExists) {
			return err
		}
	}
	p, err := o.whole.UseAction(ctx, parentAction, lifecycle.UseOptions{Description: label})
	a.ID = p.ID
	return err
}
