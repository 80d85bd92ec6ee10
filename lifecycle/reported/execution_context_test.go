package reported_test

import (
	"errors"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/reported"
)

func TestInSequenceAChangeLandsInTheNewestActiveChangeset(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		store := reported.NewChangesetStore(counter("c"))
		c := v.execution("p1", store)
		record := func(path, want string) {
			t.Helper()
			if err := c.RecordChange(lifecycle.Entry{Operation: lifecycle.OperationModify, Path: path}); err != nil {
				t.Fatalf("record %s: %v", path, err)
			}
			for _, set := range store.List("p1") {
				for _, entry := range set.Entries {
					if entry.Path == path && set.ID != want {
						t.Errorf("%s landed in %s, want %s", path, set.ID, want)
					}
				}
			}
		}
		finish := func(id string) {
			t.Helper()
			if err := c.FinishChangeset(id); err != nil {
				t.Fatalf("finish %s: %v", id, err)
			}
		}
		if err := c.RecordChange(lifecycle.Entry{Path: "too-soon.go"}); !errors.Is(err, lifecycle.ErrNoActiveChangeset) {
			t.Errorf("record before any start: got %v, want no active changeset", err)
		}
		c1 := c.StartChangeset()
		record("one.go", c1)
		c2 := c.StartChangeset()
		record("two.go", c2)
		finish(c2)
		record("three.go", c1)
		finish(c1)
		if err := c.RecordChange(lifecycle.Entry{Path: "too-late.go"}); !errors.Is(err, lifecycle.ErrNoActiveChangeset) {
			t.Errorf("record after every finish: got %v, want no active changeset", err)
		}
		if err := c.FinishChangeset(c1); !errors.Is(err, lifecycle.ErrNoActiveChangeset) {
			t.Errorf("second finish: got %v, want no active changeset", err)
		}
		if got := store.List("p1"); len(got) != 2 || len(got[0].Entries) != 2 || len(got[1].Entries) != 1 {
			t.Errorf("store: got %+v; want 2 entries in c1 and 1 in c2", got)
		}
		if got := store.List("p2"); len(got) != 0 {
			t.Errorf("store for another plan: got %+v, want nothing", got)
		}
		if err := store.Record("c9", lifecycle.Entry{}); !errors.Is(err, lifecycle.ErrNotFound) {
			t.Errorf("record into no changeset: got %v, want not found", err)
		}
	})
}
