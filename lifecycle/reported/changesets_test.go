package reported_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/reported"
	"github.com/jacquard-go/jacquard/lifecycle/reported/asreported"
)

func openChanges(t *testing.T, path string) *reported.ChangeTable {
	t.Helper()
	table, err := reported.OpenChangeTable(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := table.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return table
}

// The bug: the changes are in the file, but the changesets only in the memory of the instance that started them.
func TestAChangesetIsKnownToItsInstanceAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "changes.db")
	a := asreported.NewPersistedChangesets(openChanges(t, path), counter("c"))
	table := openChanges(t, path)
	b := asreported.NewPersistedChangesets(table, counter("d"))
	entry := lifecycle.Entry{Operation: lifecycle.OperationModify, Path: "weft.go"}
	if err := a.Record(t.Context(), "p1", entry); !errors.Is(err, lifecycle.ErrNoActiveChangeset) {
		t.Errorf("record before any start: got %v, want no active changeset", err)
	}
	a.Start("p2")
	a.Start("p1")
	if err := a.Record(t.Context(), "p1", entry); err != nil {
		t.Fatal(err)
	}
	if all, err := a.List(t.Context(), "p1"); err != nil || len(all) != 1 || all[0].ID != "c2" || len(all[0].Entries) != 1 || all[0].Entries[0] != entry {
		t.Errorf("got %+v, %v; want c2 with its change", all, err)
	}
	if all, err := b.List(t.Context(), "p1"); err != nil || len(all) != 0 {
		t.Errorf("the other instance: got %+v, %v; want none", all, err)
	}
	if entries, err := table.List(t.Context(), "c2"); err != nil || len(entries) != 1 {
		t.Errorf("the other table: got %+v, %v; want the change", entries, err)
	}
}

func TestOpenChangeTableFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "changes.db")
	if table, err := reported.OpenChangeTable(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v, %v; want an error that names %s", table, err, path)
	}
}

func TestInSequenceTwoEnginesShareAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plans.db")
	for i, id := range []string{"p1", "p2"} {
		file, err := asreported.OpenPlanFile(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := file.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		})
		if err := file.Insert(t.Context(), id); err != nil {
			t.Errorf("insert %s: %v", id, err)
		}
		if err := file.Insert(t.Context(), id); err == nil {
			t.Errorf("insert %s again: got no error, want one", id)
		}
		if n, err := file.Count(t.Context()); n != i+1 || err != nil {
			t.Errorf("count: got %d, %v; want %d", n, err, i+1)
		}
	}
	if file, err := asreported.OpenPlanFile(t.Context(), filepath.Join(t.TempDir(), "missing", "plans.db")); err == nil {
		t.Errorf("got %v, want an error where no file can be", file)
	}
}
