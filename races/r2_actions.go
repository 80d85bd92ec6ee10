package races

import (
	"context"
	"errors"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// Actions is the subject of R2: a service without actions.
type Actions interface {
	Create(ctx context.Context, spec lifecycle.ActionSpec) error
	// Description returns the description of the action of that name.
	Description(ctx context.Context, name string) (string, error)
	Close() error
}

func actionsRace() Race {
	return race(Race{
		ID:    "R2",
		Issue: 1281,
		Title: "two creates of one action",
		Must:  "exactly one create of a name succeeds, every other gets an \"already exists\" error, and the action is the winner's",
	}, actions,
		subject[Actions]{Reported, Violated, KindCheck, "both creates look the name up before either stores", reportedActions},
		subject[Actions]{Suggested, Violated, KindCheck, "look-up and store are each locked, and not together", suggestedActions},
		subject[Actions]{Ours, Holds, "", "to insert under a name is to check it: one compare-and-swap from absent", ourActions},
	)
}

func actions(t T, s Actions) error {
	ctx := t.Context()
	const name = "local/review"
	create := func(creator string) error {
		err := s.Create(ctx, actionSpec(name, creator))
		t.Logf("create %s: %s", name, result(err))
		return err
	}
	var errA, errB error
	t.Go("creator A", func() { errA = create("creator A") })
	t.Go("creator B", func() { errB = create("creator B") })
	t.Wait()
	winner, loser, lost := "creator A", "creator B", errB
	if errA != nil {
		winner, loser, lost = "creator B", "creator A", errA
	}
	got, err := s.Description(ctx, name)
	switch {
	case errA == nil && errB == nil:
		t.Errorf("both creates of %s succeeded and one action is lost: the service has %s's (get: %s)", name, got, result(err))
	case errA != nil && errB != nil:
		t.Errorf("no create of %s succeeded: creator A got %v; creator B got %v", name, errA, errB)
	case !errors.Is(lost, lifecycle.ErrAlreadyExists):
		t.Errorf("%s got %v, want an \"already exists\" error", loser, lost)
	case err != nil || got != winner:
		t.Errorf("%s created %s and the service has %q (get: %s)", winner, name, got, result(err))
	}
	return nil
}

// actionSpec describes a reusable action.
func actionSpec(name, description string) lifecycle.ActionSpec {
	return lifecycle.ActionSpec{
		Name:             name,
		Description:      description,
		DefinitionOfDone: "the change is reviewed",
		Actors:           lifecycle.Actors{Strategy: "strategist", Execution: "executor"},
		Reusable:         true,
	}
}
