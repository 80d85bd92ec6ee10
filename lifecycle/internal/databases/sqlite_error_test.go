package databases_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// ask runs statements on a connection of its own to a file, and returns the error
// of the first that fails.
func ask(t *testing.T, path string, statements ...string) error {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			return err
		}
	}
	return nil
}

// Errors of SQLite have a kind that a caller can act on.
func TestSQLiteErrors(t *testing.T) {
	path := func() string { return filepath.Join(t.TempDir(), "plans.db") }
	locked, garbage := path(), path()
	if err := ask(t, locked, "CREATE TABLE t (a)", "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(garbage, make([]byte, 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		got  error
		want error
	}{
		{"locked", ask(t, locked, "BEGIN IMMEDIATE"), faults.ErrBusy},
		{"full", ask(t, path(), "PRAGMA max_page_count = 2", "CREATE TABLE t (a)", "CREATE TABLE u (a)"), faults.ErrFull},
		{"read-only", ask(t, path(), "PRAGMA query_only = 1", "CREATE TABLE t (a)"), faults.ErrReadOnly},
		{"no database", ask(t, garbage, "CREATE TABLE t (a)"), faults.ErrCorrupt},
		{"no folder", ask(t, filepath.Join(path(), "plans.db"), "CREATE TABLE t (a)"), faults.ErrUnavailable},
		{"syntax", ask(t, path(), "nonsense"), nil},
		{"not the driver's", errors.New("other"), nil},
	} {
		if test.got == nil {
			t.Errorf("%s: got no error from SQLite, want one", test.name)
		}
		if kind := databases.SQLiteKind(test.got); kind != test.want {
			t.Errorf("%s: got kind %v of %v, want %v", test.name, kind, test.got, test.want)
		}
		if busy := databases.IsBusy(test.got); busy != (test.want == faults.ErrBusy) {
			t.Errorf("%s: got busy %v", test.name, busy)
		}
	}
}
