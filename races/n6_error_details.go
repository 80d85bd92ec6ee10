package races

import (
	"context"
	"slices"
)

// Failures is the subject of N6: one plan that is being executed, whose parts fail.
type Failures interface {
	// Fail adds to the plan's error details that a part has failed.
	Fail(ctx context.Context, part string) error
	// Failed returns the parts that have failed according to the plan's error details, sorted.
	Failed(ctx context.Context) ([]string, error)
	Close() error
}

func errorDetailsRace() Race {
	return race(Race{
		ID:    "N6",
		Issue: 9081,
		Title: "a failure that another one overwrites",
		Must:  "every part whose failure was noted is among the error details of the plan",
	}, errorDetails,
		subject[Failures]{Reported, Violated, KindCheck, "each copies the details, adds to its copy and writes that back", reportedFailures},
		subject[Failures]{Ours, Holds, "", "what adds to the details replaces the very version of the plan that it has read, or reads again", ourFailures},
	)
}

func errorDetails(t T, s Failures) error {
	ctx := t.Context()
	fail := func(part string) func() {
		return func() {
			err := s.Fail(ctx, part)
			t.Logf("note that %s has failed: %s", part, result(err))
			if err != nil {
				t.Errorf("note that %s has failed: got error %v, want none", part, err)
			}
		}
	}
	t.Go("worker A", fail("spin"))
	t.Go("worker B", fail("weave"))
	t.Wait()
	if failed, err := s.Failed(ctx); err != nil || !slices.Equal(failed, []string{"spin", "weave"}) {
		t.Errorf("spin and weave have failed, and the plan's error details tell of %q, %v", failed, err)
	}
	return nil
}
