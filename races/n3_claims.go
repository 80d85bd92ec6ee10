package races

import (
	"context"
	"errors"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// Workers is the subject of N3: one SQLite file with one plan in it, at execute/queued, and two workers, each with an
// instance of the service.
type Workers interface {
	A() Worker
	B() Worker
	Close() error
}

// Worker executes the one plan.
type Worker interface {
	// Execute does work as the execution of the plan if this worker gets the plan, and moves the plan to execute/complete, or to
	// execute/errored if work fails. It returns an error if the worker did not get the plan, or the result could not be stored.
	Execute(ctx context.Context, work func() error) error
	// Resume moves the plan from execute/errored to execute/queued.
	Resume(ctx context.Context) error
	// Position returns the plan's position.
	Position(ctx context.Context) (lifecycle.Position, error)
}

func ready() lifecycle.Position   { return at(lifecycle.PhaseExecute, lifecycle.StateQueued) }
func errored() lifecycle.Position { return at(lifecycle.PhaseExecute, lifecycle.StateErrored) }

// errWork is the error of the work of N3 the first time.
var errWork = errors.New("the loom is jammed")

func claimsRace() Race {
	return race(Race{
		ID:    "N3",
		Issue: 7989,
		Title: "the work of one plan is done twice",
		Must:  "a worker claims a plan before it works on it: the others get an error that says so, and the claim ends with the work however that ends",
	}, claims,
		subject[Workers]{Reported, Violated, KindCheck, "the guard reads, and nothing is written before the work is done", reportedWorkers},
		subject[Workers]{Suggested, Violated, KindCheck, "under #7424 the guard reads the database, and still nothing is written before the work is done", suggestedWorkers},
		subject[Workers]{Ours, Holds, "", "the start of a phase is a compare-and-swap, and so a claim", ourWorkers},
	)
}

func claims(t T, s Workers) error {
	ctx := t.Context()
	var didA, didB bool
	var errA, errB error
	execute := func(w Worker, did *bool) error {
		err := w.Execute(ctx, func() error {
			*did = true
			t.Logf("do the plan's work, and fail")
			return errWork
		})
		t.Logf("execute the plan: %s", result(err))
		return err
	}
	t.Go("worker A", func() { errA = execute(s.A(), &didA) })
	t.Go("worker B", func() { errB = execute(s.B(), &didB) })
	t.Wait()
	lost := errors.Join(errA, errB)
	switch {
	case didA && didB:
		t.Fatalf("both workers did the work of one plan: worker A got %v; worker B got %v", errA, errB)
	case !didA && !didB:
		t.Fatalf("no worker did the work of the plan: worker A got %v; worker B got %v", errA, errB)
	case didA && errA != nil || didB && errB != nil:
		t.Fatalf("worker A got %v; worker B got %v; want an error for the one that did not work only", errA, errB)
	case !claimed(lost):
		t.Fatalf("the worker that did not work got %v, want an error that names a state that its rival took the plan to", lost)
	}
	return release(t, s)
}

// release does the work once more: the claim has ended with the failed work.
func release(t T, s Workers) error {
	ctx := t.Context()
	at, err := s.A().Position(ctx)
	if err != nil || at != errored() {
		t.Fatalf("the work failed, and the plan is at %s, %v; want %s", at, err, errored())
	}
	if err := s.A().Resume(ctx); err != nil {
		t.Fatalf("resume after a failure: got %v, want none", err)
	}
	again := false
	if err := s.A().Execute(ctx, func() error { again = true; return nil }); err != nil || !again {
		t.Fatalf("execute again after a failure: worked: %t, error %v; want work and none", again, err)
	}
	if at, err := s.A().Position(ctx); err != nil || at != executed() {
		t.Errorf("the work was done, and the plan is at %s, %v; want %s", at, err, executed())
	}
	return nil
}

// claimed reports whether err names the state in which the worker that got the plan has left it.
func claimed(err error) bool {
	var conflict *lifecycle.ConflictError
	var early *lifecycle.NotReadyError
	var at lifecycle.Position
	switch {
	case errors.As(err, &conflict):
		at = conflict.Current
	case errors.As(err, &early):
		at = early.Current
	}
	return at.Phase == lifecycle.PhaseExecute && (at.State == lifecycle.StateProcessing || at.State == lifecycle.StateErrored)
}
