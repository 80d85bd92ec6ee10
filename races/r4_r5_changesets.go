package races

import (
	"context"
	"errors"
	"slices"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// Changesets is the subject of R4 and R5: the execution context of one plan, which has one open changeset.
type Changesets interface {
	// First returns the identifier of the changeset that was open from the start.
	First() string
	// Start starts a changeset and returns its identifier.
	Start(ctx context.Context) (string, error)
	// Record records a change of path.
	Record(ctx context.Context, path string) error
	// Finish finishes a changeset.
	Finish(ctx context.Context, id string) error
	// List returns the plan's changesets in the store.
	List(ctx context.Context) ([]lifecycle.Changeset, error)
	Close() error
}

// changedPath is the path that the recorders change.
const changedPath = "loom/weft.go"

func staleChangesetRace() Race {
	return race(Race{
		ID:    "R4",
		Issue: 7120,
		Title: "a change in a stale changeset",
		Must:  "once a new changeset is visible to anyone (its start has returned, or the store lists it), nothing more lands in an older one",
	}, staleChangeset,
		subject[Changesets]{Reported, Violated, KindCheck, "the store has the new changeset before the list does", reportedChangesets},
		subject[Changesets]{Suggested, Violated, KindCheck, "the lock covers neither the store's start nor the store's record", suggestedChangesets},
		subject[Changesets]{Ours, Holds, "", "the open changeset is found and written to in one step, which excludes starting another", ourChangesets},
	)
}

func staleChangeset(t T, s Changesets) error {
	ctx := t.Context()
	var started string
	var startErr, recordErr error
	var atStart, atRecord []lifecycle.Changeset
	t.Go("creator", func() {
		started, startErr = s.Start(ctx)
		t.Logf("start changeset %s: %s", started, result(startErr))
		atStart = changesets(t, s)
	})
	t.Go("recorder", func() {
		atRecord = changesets(t, s)
		recordErr = s.Record(ctx, changedPath)
		t.Logf("record %s: %s", changedPath, result(recordErr))
	})
	t.Wait()
	if startErr != nil || recordErr != nil {
		t.Fatalf("creator: got error %v; recorder: got error %v; want none", startErr, recordErr)
	}
	in := holders(changesets(t, s))
	switch {
	case len(in) != 1 || in[0] != s.First() && in[0] != started:
		t.Errorf("one change was recorded and it is in %q, want one of %s and %s", in, s.First(), started)
	case in[0] == started:
	case len(holders(atStart)) == 0:
		t.Errorf("the change landed in changeset %s after the start of %s had returned", in[0], started)
	case lists(atRecord, started):
		t.Errorf("the change landed in changeset %s although the store listed %s before it was recorded", in[0], started)
	}
	return nil
}

func emptyChangesetsRace() Race {
	return race(Race{
		ID:    "R5",
		Issue: 7120,
		Title: "the last changeset of an emptied list",
		Must:  "to record without an active changeset is a clear \"no active changeset\" error, never a panic",
	}, emptyChangesets,
		subject[Changesets]{Reported, Violated, KindPanic, "the list is emptied between the guard and the index", reportedChangesets},
		subject[Changesets]{Suggested, Holds, "", "guard and index are under one lock", suggestedChangesets},
		subject[Changesets]{Ours, Holds, "", "there is no list: whether a changeset is open is decided in the step that writes to it", ourChangesets},
	)
}

func emptyChangesets(t T, s Changesets) error {
	ctx := t.Context()
	var recordErr, finishErr error
	t.Go("recorder", func() {
		recordErr = s.Record(ctx, changedPath)
		t.Logf("record %s: %s", changedPath, result(recordErr))
	})
	t.Go("finisher", func() {
		finishErr = s.Finish(ctx, s.First())
		t.Logf("finish changeset %s: %s", s.First(), result(finishErr))
	})
	t.Wait()
	in := holders(changesets(t, s))
	switch {
	case finishErr != nil:
		t.Errorf("finisher: got error %v, want none", finishErr)
	case recordErr == nil && !slices.Equal(in, []string{s.First()}):
		t.Errorf("the change was recorded and it is in %q, want %s", in, s.First())
	case recordErr != nil && !errors.Is(recordErr, lifecycle.ErrNoActiveChangeset):
		t.Errorf("recorder: got error %v, want none or \"no active changeset\"", recordErr)
	case recordErr != nil && len(in) != 0:
		t.Errorf("the change was refused (%v) and it is in %q", recordErr, in)
	}
	return nil
}

func changesets(t T, s Changesets) []lifecycle.Changeset {
	t.Helper()
	list, err := s.List(t.Context())
	if err != nil {
		t.Errorf("list the changesets: %v", err)
	}
	return list
}

// holders returns the identifiers of the changesets of the entries for changedPath.
func holders(list []lifecycle.Changeset) []string {
	var ids []string
	for _, c := range list {
		for _, e := range c.Entries {
			if e.Path == changedPath {
				ids = append(ids, c.ID)
			}
		}
	}
	return ids
}

func lists(list []lifecycle.Changeset, id string) bool {
	return slices.ContainsFunc(list, func(c lifecycle.Changeset) bool { return c.ID == id })
}
