package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
	"github.com/jacquard-go/jacquard/lifecycle/internal/sqlite"
	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// faulty opens a database on a new file, with fault injection that is not armed.
func faulty(t *testing.T, cfg engine.Config) (*sqlite.Database, *storetest.Faults, databases.URL) {
	t.Helper()
	u := newFile(t)
	f := storetest.NewFaults(t, u.String())
	d := sqlite.On(sql.OpenDB(f), u, cfg, schema)
	t.Cleanup(closing(d))
	return d, f, u
}

// Every driver step fails once. The call returns an error and has changed nothing,
// and the next one works.
func TestEveryFault(t *testing.T) {
	ctx := context.Background()
	latest := func(d *sqlite.Database) error { _, err := d.Latest(ctx); return err }
	for name, call := range map[string]func(*sqlite.Database) error{
		"read":      func(d *sqlite.Database) error { _, err := storetest.Notes(ctx, d); return err },
		"write":     func(d *sqlite.Database) error { return d.Write(ctx, insert(1)) },
		"statement": func(d *sqlite.Database) error { return d.Statement(ctx, insert(1)) },
		"latest":    latest,
	} {
		t.Run(name, func(t *testing.T) {
			for at, fired := 1, true; fired; at++ {
				d, f, _ := faulty(t, config)
				_, err := d.Migrate(ctx)
				check(t, err)
				f.Arm(at, storetest.ErrInjected)
				err = call(d)
				if fired, _ = f.Disarm(); !fired {
					check(t, err)
					break
				}
				wants(t, fmt.Sprint("step ", at), err, storetest.ErrInjected)
				storetest.WantNotes(t, d, 0)
				check(t, call(d))
			}
		})
	}
}

// A connection is closed if it may be in a transaction or its setup failed.
func TestFaultsThatLast(t *testing.T) {
	ctx := context.Background()
	d, f, u := faulty(t, config)
	f.Arm(2, storetest.ErrInjected)
	_, err := d.Migrate(ctx)
	wants(t, "set up", err, storetest.ErrInjected)
	f.Disarm()
	_, err = d.Migrate(ctx)
	check(t, err)
	check(t, d.Write(ctx, insert(1)))
	f.Arm(2, storetest.ErrInjected)
	f.KeepFailing()
	wants(t, "write", d.Write(ctx, insert(2)), storetest.ErrInjected)
	f.Disarm()
	check(t, os.Rename(u.Path, u.Path+".away"))
	wants(t, "another connection", d.Write(ctx, insert(2)), faults.ErrUnavailable)
	check(t, os.Rename(u.Path+".away", u.Path))
	storetest.WantNotes(t, d, 1)
	check(t, d.Write(ctx, insert(2)))
	storetest.WantNotes(t, d, 2)
}

// busy returns the driver's error for a locked database.
func busy(t *testing.T) error {
	t.Helper()
	u := newFile(t)
	holder, other := foreign(t, u), foreign(t, u)
	_, err := holder.Exec("BEGIN EXCLUSIVE")
	check(t, err)
	_, err = other.Exec("BEGIN EXCLUSIVE")
	if !databases.IsBusy(err) {
		t.Fatalf("got %v, want the driver's error for a locked database", err)
	}
	return err
}

// A statement is retried if the database is locked, but not after the first rows of
// its answer were returned.
func TestBusy(t *testing.T) {
	ctx := context.Background()
	d, f, _ := faulty(t, engine.Config{BusyTimeout: time.Hour})
	_, err := d.Migrate(ctx)
	check(t, err)
	check(t, d.Write(ctx, insert(1, 2)))
	locked := busy(t)
	f.Arm(1, locked)
	check(t, d.Write(ctx, insert(3)))
	if n := d.Retries(); n != 1 {
		t.Errorf("got %d retries, want one", n)
	}
	numbers := func(ctx context.Context, s engine.Session) error {
		return s.Query(ctx, "SELECT n FROM notes", nil, func(statements.Row) error { return nil })
	}
	check(t, d.Read(ctx, numbers)) // prepares it
	f.Arm(3, locked)               // after the query and a row
	wants(t, "after a row", d.Read(ctx, numbers), faults.ErrBusy)
	f.Disarm()
	wants(t, "a row that cannot be read", d.Read(ctx, func(ctx context.Context, s engine.Session) error {
		return s.Query(ctx, "SELECT n FROM notes", nil, func(statements.Row) error { return storetest.ErrInjected })
	}), faults.ErrCorrupt)
}

// A file that is not at its path is neither read nor written. What was committed to
// it meanwhile may be lost.
func TestFileGone(t *testing.T) {
	ctx := context.Background()
	u := newFile(t)
	d := open(t, u, config)
	check(t, d.Write(ctx, insert(1)))
	storetest.WantNotes(t, d, 1)
	away := u.Path + ".away"
	check(t, os.Rename(u.Path, away))
	_, err := storetest.Notes(ctx, d)
	wants(t, "read", err, faults.ErrUnavailable)
	_, err = d.Latest(ctx)
	wants(t, "latest", err, faults.ErrUnavailable)
	wants(t, "write", d.Write(ctx, insert(2)), faults.ErrUnavailable)
	check(t, os.Rename(away, u.Path))
	storetest.WantNotes(t, d, 1)
	wants(t, "commit", d.Write(ctx, func(ctx context.Context, s engine.Session) error {
		return errors.Join(insert(2)(ctx, s), os.Rename(u.Path, away))
	}), faults.ErrOutcomeUnknown)
	check(t, os.Rename(away, u.Path))
	storetest.WantNotes(t, d, 2)
}

// A file that replaces another must have the schema, or gets it from the first
// writer.
func TestFileReplaced(t *testing.T) {
	ctx := context.Background()
	u := newFile(t)
	d := open(t, u, config)
	check(t, d.Write(ctx, insert(1)))
	storetest.WantNotes(t, d, 1)
	put := func(version int) {
		t.Helper()
		fresh := newFile(t)
		_, err := foreign(t, fresh).Exec(fmt.Sprint("PRAGMA user_version = ", version))
		check(t, err)
		for _, end := range []string{"-wal", "-shm"} {
			if err := os.Remove(u.Path + end); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
		check(t, os.Rename(fresh.Path, u.Path))
	}
	put(int(schema.Newest) + 1)
	_, err := storetest.Notes(ctx, d)
	wants(t, "newer: read", err, faults.ErrNewerSchema)
	wants(t, "newer: write", d.Write(ctx, insert(1)), faults.ErrNewerSchema)
	put(0)
	_, err = storetest.Notes(ctx, d)
	wants(t, "none: read", err, faults.ErrUnavailable)
	check(t, d.Write(ctx, insert(1)))
	storetest.WantNotes(t, d, 1)
	check(t, os.Remove(u.Path))
	wants(t, "removed", d.Write(ctx, insert(1)), faults.ErrUnavailable)
	if _, err := os.Stat(u.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want no new file", err)
	}
}
