package races

import (
	"errors"

	"github.com/jacquard-go/jacquard/lifecycle"
)

func doubleApplyRace() Race {
	return race(Race{
		ID:    "R7",
		Issue: 7424,
		Title: "a plan applied twice",
		Must:  "of any number of instances exactly one wins a transition; the others get an error that names the state they lost to",
	}, doubleApply,
		subject[Shared]{Reported, Violated, KindCheck, "each instance checks and moves its own copy of the plan", reportedShared(executed())},
		subject[Shared]{Suggested, Violated, KindCheck, "the plan is read from the database, but still checked before it is written", suggestedShared(executed())},
		subject[Shared]{Ours, Holds, "", "the transition is one compare-and-swap on the plan's version in the database", ourShared(executedPlan)},
	)
}

func doubleApply(t T, s Shared) error {
	ctx := t.Context()
	for _, instance := range []Instance{s.A(), s.B()} { // both have the plan in their caches
		if _, err := instance.Position(ctx); err != nil {
			return err
		}
	}
	apply := func(instance Instance) error {
		err := instance.Apply(ctx)
		t.Logf("move the plan from %s to %s: %s", executed(), applying(), result(err))
		return err
	}
	var errA, errB error
	t.Go("instance A applies", func() { errA = apply(s.A()) })
	t.Go("instance B applies", func() { errB = apply(s.B()) })
	t.Wait()
	moves, err := s.Moves(ctx)
	if err != nil {
		t.Fatalf("count the plan's moves: %v", err)
	}
	switch {
	case errA == nil && errB == nil:
		t.Errorf("the plan was applied twice: both instances moved it from %s to %s; moves in the database: %d", executed(), applying(), moves)
	case errA != nil && errB != nil:
		t.Errorf("the plan was not applied: instance A got %v; instance B got %v", errA, errB)
	case !isRefusal(errors.Join(errA, errB)):
		t.Errorf("the loser got %v, want an error that names the state it lost to", errors.Join(errA, errB))
	case moves != 1:
		t.Errorf("one instance applied the plan; moves in the database: %d", moves)
	}
	return nil
}

// isRefusal reports whether err names the state to which the other instance has moved the plan.
func isRefusal(err error) bool {
	var conflict *lifecycle.ConflictError
	var invalid *lifecycle.InvalidTransitionError
	switch {
	case errors.As(err, &conflict):
		return conflict.Current == applying()
	case errors.As(err, &invalid):
		return invalid.Current == applying()
	default:
		return false
	}
}
