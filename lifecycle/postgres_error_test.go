package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// What the server says decides whether a call may be made again, and what its
// caller is told.
func TestPostgresErrors(t *testing.T) {
	answer := func(code string) error { return fmt.Errorf("exec: %w", &pgconn.PgError{Severity: "ERROR", Code: code}) }
	tests := []struct {
		err    error
		commit bool // whether it is a commit's
		want   error
		again  bool
	}{
		{err: nil},
		{err: answer("40001"), want: lifecycle.ErrBusy, again: true},
		{err: answer("40P01"), want: lifecycle.ErrBusy, again: true},
		{err: answer("55P03"), want: lifecycle.ErrBusy, again: true},
		{err: answer("57P01"), want: lifecycle.ErrUnavailable, again: true},
		{err: answer("53300"), want: lifecycle.ErrUnavailable, again: true},
		{err: answer("08006"), want: lifecycle.ErrUnavailable, again: true},
		{err: answer("53100"), want: lifecycle.ErrFull},
		{err: answer("25006"), want: lifecycle.ErrReadOnly},
		{err: answer("XX001"), want: lifecycle.ErrCorrupt},
		{err: answer("42P01")}, // undefined_table
		{err: answer("23505")}, // unique_violation
		{err: fmt.Errorf("read: %w", io.ErrUnexpectedEOF), want: lifecycle.ErrUnavailable, again: true},
		{err: &net.OpError{Op: "read", Err: errors.New("reset")}, want: lifecycle.ErrUnavailable, again: true},
		{err: fmt.Errorf("read: %w", context.Canceled), want: context.Canceled},
		{err: fmt.Errorf("read: %w", context.DeadlineExceeded), want: context.DeadlineExceeded},
		{err: puddle.ErrClosedPool, want: lifecycle.ErrClosed},
		{commit: true, err: nil},
		{commit: true, err: io.ErrUnexpectedEOF, want: lifecycle.ErrOutcomeUnknown},
		{commit: true, err: &pgconn.PgError{Severity: "FATAL", Code: "57P01"}, want: lifecycle.ErrOutcomeUnknown},
		{commit: true, err: &pgconn.PgError{Severity: "FEHLER", SeverityUnlocalized: "ERROR", Code: "53100"}, want: lifecycle.ErrFull},
		{commit: true, err: answer("40001"), want: lifecycle.ErrBusy, again: true},
		{commit: true, err: pgx.ErrTxCommitRollback, want: pgx.ErrTxCommitRollback},
	}
	kinds := []error{lifecycle.ErrBusy, lifecycle.ErrUnavailable, lifecycle.ErrFull, lifecycle.ErrReadOnly, lifecycle.ErrCorrupt,
		lifecycle.ErrOutcomeUnknown, lifecycle.ErrClosed}
	for _, test := range tests {
		got := lifecycle.Fault(test.err)
		if test.commit {
			got = lifecycle.CommitFault(test.err)
		}
		if (got == nil) != (test.err == nil) || test.want != nil && !errors.Is(got, test.want) {
			t.Errorf("%v: got %v, want %v", test.err, got, test.want)
		}
		for _, kind := range kinds {
			if errors.Is(got, kind) && kind != test.want {
				t.Errorf("%v: got %v, want %v and no other kind", test.err, got, test.want)
			}
		}
		if again := lifecycle.Repeatable(got); again != test.again {
			t.Errorf("%v: made again %v, want %v", test.err, again, test.again)
		}
		if twice := lifecycle.Fault(got); twice != got {
			t.Errorf("%v: got %v, want nothing said twice", test.err, twice)
		}
	}
	if lifecycle.Repeatable(io.ErrUnexpectedEOF) {
		t.Error("an error that is not the database's lets a unit of work run again")
	}
}

// A unit of work that may be is run again when its connection is cut.
func TestPostgresRepeatableTransaction(t *testing.T) {
	ctx := context.Background()
	url := storetest.PostgresURL(t)
	s := open(t, lifecycle.Config{URL: url})
	p := newPlan(t, s)
	calls := 0
	err := lifecycle.NewUnitOfWork(storetest.Engines(t), url).RepeatableTransaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
		if err := r.Changesets.Start(ctx, p.ID, "first", p.CreatedAt); err != nil {
			return err
		}
		if calls++; calls < 3 {
			withPostgres(t, url, func(conn *pgx.Conn) {
				_, err := conn.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
					WHERE datname = current_database() AND pid <> pg_backend_pid()`)
				check(t, err)
			})
		}
		_, err := r.Changesets.Record(ctx, p.ID, entry("a"))
		return err
	})
	check(t, err)
	all, err := s.ExecutionContext(p.ID).Changesets(ctx)
	if err != nil || calls != 3 || len(all) != 1 || len(all[0].Entries) != 1 {
		t.Errorf("got %+v, %v after %d calls, want one changeset with one entry after three", all, err, calls)
	}
}

// A unit of work is not run twice, whatever becomes of its connection.
func TestPostgresTransactionRunsOnce(t *testing.T) {
	ctx := context.Background()
	url := storetest.PostgresURL(t)
	engines := storetest.Engines(t)
	calls := 0
	err := lifecycle.NewUnitOfWork(engines, url).Transaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
		calls++
		withPostgres(t, url, func(conn *pgx.Conn) {
			_, err := conn.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
				WHERE datname = current_database() AND pid <> pg_backend_pid()`)
			check(t, err)
		})
		_, err := r.Plans.List(ctx)
		return err
	})
	if !errors.Is(err, lifecycle.ErrUnavailable) || calls != 1 {
		t.Errorf("got %v after %d calls, want ErrUnavailable after one", err, calls)
	}
	mine := errors.New("mine")
	err = lifecycle.NewUnitOfWork(engines, url).Transaction(ctx, func(context.Context, lifecycle.Repositories) error { return mine })
	if !errors.Is(err, mine) {
		t.Errorf("got %v, want %v", err, mine)
	}
}
