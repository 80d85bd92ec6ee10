package races

import (
	"context"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// Recorders is the subject of N7: one SQLite file with one plan in it, without a changeset, and two instances that record
// the plan's changes.
type Recorders interface {
	A() Recorder
	B() Recorder
	Close() error
}

// Recorder is one instance of the service. Its methods are about the one plan.
type Recorder interface {
	// Start starts a changeset and returns its identifier.
	Start(ctx context.Context) (string, error)
	// Record records a change of path in the changeset that was started last.
	Record(ctx context.Context, path string) error
	// List returns the plan's changesets.
	List(ctx context.Context) ([]lifecycle.Changeset, error)
}

func changesetPlanRace() Race {
	return race(Race{
		ID:    "N7",
		Issue: 7731,
		Title: "a changeset that only its instance knows",
		Must:  "once the start of a changeset has returned, every instance knows it, and the plan that it belongs to",
	}, changesetPlan,
		subject[Recorders]{Reported, Violated, KindCheck, "which plan a changeset belongs to is kept in the memory of the instance that started it", reportedRecorders},
		subject[Recorders]{Ours, Holds, "", "a changeset is a row with its plan, from its start on", ourRecorders},
	)
}

func changesetPlan(t T, s Recorders) error {
	ctx := t.Context()
	started := make(chan struct{})
	var id string
	var startErr, recordErr error
	var seen []lifecycle.Changeset
	t.Go("instance A starts", func() {
		defer close(started)
		id, startErr = s.A().Start(ctx)
		t.Logf("start changeset %s: %s", id, result(startErr))
	})
	t.Go("instance B records", func() {
		recorderSees(t, s.B()) // before, while or after the changeset is started; a cached list must not outlive that
		<-started
		seen = recorderSees(t, s.B())
		recordErr = s.B().Record(ctx, changedPath)
		t.Logf("record %s: %s", changedPath, result(recordErr))
	})
	t.Wait()
	if startErr != nil {
		t.Fatalf("instance A got error %v, want none", startErr)
	}
	in := holders(recorderSees(t, s.A()))
	switch {
	case !lists(seen, id):
		t.Errorf("instance A's start of changeset %s had returned, and instance B knows of %d changesets of the plan; it records: %s", id, len(seen), result(recordErr))
	case recordErr != nil:
		t.Errorf("instance B recorded a change after the start of %s had returned: got error %v, want none", id, recordErr)
	case len(in) != 1 || in[0] != id:
		t.Errorf("instance B recorded a change, and to instance A it is in %q, want %s", in, id)
	}
	return nil
}

// recorderSees returns an instance's list of changesets. Listing must not fail.
func recorderSees(t T, r Recorder) []lifecycle.Changeset {
	list, err := r.List(t.Context())
	t.Logf("list %d changesets: %s", len(list), result(err))
	if err != nil {
		t.Errorf("list the changesets: got error %v, want none", err)
	}
	return list
}
