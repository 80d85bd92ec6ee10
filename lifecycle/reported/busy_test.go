package reported_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/jacquard-go/jacquard/lifecycle/reported"
)

// lockedFile makes a SQLite file whose write lock is taken. insert tries to write to it on another connection, and release
// releases the lock.
func lockedFile(t *testing.T) (insert, release func() error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "plans.db")
	openTable(t, path)
	holder, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	holder.SetMaxOpenConns(1)
	writer, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = holder.Close(), writer.Close() })
	if _, err := holder.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	exec := func(db *sql.DB, statement string) func() error {
		return func() error { _, err := db.ExecContext(ctx, statement); return err }
	}
	return exec(writer, "INSERT INTO transitions VALUES ('p1', 'apply', 'queued')"), exec(holder, "COMMIT")
}

func TestALockedFileIsTriedAgain(t *testing.T) {
	insert, release := lockedFile(t)
	calls := 0
	err := reported.UntilFree(t.Context(), func() error {
		if calls++; calls == 3 {
			if err := release(); err != nil {
				t.Fatal(err)
			}
		}
		return insert()
	})
	if err != nil || calls != 3 {
		t.Errorf("got %v after %d calls, want success at the third", err, calls)
	}
}

func TestWaitingForALockedFileEndsWithTheContext(t *testing.T) {
	insert, _ := lockedFile(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := reported.UntilFree(ctx, func() error {
		defer cancel()
		return insert()
	})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "locked") {
		t.Errorf("got %v, want context canceled and what it waited for", err)
	}
}

func TestWaitingForALockedFileIsBounded(t *testing.T) {
	insert, _ := lockedFile(t)
	busy := insert()
	if busy == nil {
		t.Fatal("got an insert into a locked file, want it refused")
	}
	synctest.Test(t, func(t *testing.T) {
		err := reported.UntilFree(t.Context(), func() error { return busy })
		if !errors.Is(err, busy) || !strings.Contains(err.Error(), "after 5s") {
			t.Errorf("got %v, want the error of the last try after 5s", err)
		}
	})
}

func TestOtherErrorsAreNotTriedAgain(t *testing.T) {
	calls, broken := 0, errors.New("disk full")
	err := reported.UntilFree(t.Context(), func() error { calls++; return broken })
	if !errors.Is(err, broken) || calls != 1 {
		t.Errorf("got %v after %d calls, want %v after 1", err, calls, broken)
	}
}
