package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// What the server says decides whether a call may be made again, and what its
// caller is told.
func TestPostgresErrors(t *testing.T) {
	answer := func(code string) error { return fmt.Errorf("exec: %w", &pgconn.PgError{Severity: "ERROR", Code: code}) }
	tests := []struct {
		err       error
		again     bool
		want      error
		wantNever error
	}{
		{err: nil},
		{err: answer("40001"), again: true, want: lifecycle.ErrBusy},
		{err: answer("40P01"), again: true, want: lifecycle.ErrBusy},
		{err: answer("55P03"), again: true, want: lifecycle.ErrBusy},
		{err: answer("57P01"), again: true, want: lifecycle.ErrUnavailable},
		{err: answer("53300"), again: true, want: lifecycle.ErrUnavailable},
		{err: answer("08006"), again: true, want: lifecycle.ErrUnavailable},
		{err: answer("42P01"), wantNever: lifecycle.ErrUnavailable}, // undefined_table
		{err: answer("23505"), wantNever: lifecycle.ErrBusy},        // unique_violation
		{err: fmt.Errorf("read: %w", io.ErrUnexpectedEOF), again: true, want: lifecycle.ErrUnavailable},
		{err: fmt.Errorf("read: %w", context.Canceled), want: context.Canceled, wantNever: lifecycle.ErrUnavailable},
		{err: fmt.Errorf("read: %w", context.DeadlineExceeded), want: context.DeadlineExceeded, wantNever: lifecycle.ErrUnavailable},
		{err: puddle.ErrClosedPool, want: lifecycle.ErrClosed},
		{err: lifecycle.CommitError(io.ErrUnexpectedEOF), want: lifecycle.ErrOutcomeUnknown, wantNever: lifecycle.ErrUnavailable},
		{err: lifecycle.CommitError(&pgconn.PgError{Severity: "FATAL", Code: "57P01"}), want: lifecycle.ErrOutcomeUnknown, wantNever: lifecycle.ErrUnavailable},
		{err: lifecycle.CommitError(answer("40001")), again: true, want: lifecycle.ErrBusy, wantNever: lifecycle.ErrOutcomeUnknown},
		{err: lifecycle.CommitError(pgx.ErrTxCommitRollback), want: pgx.ErrTxCommitRollback, wantNever: lifecycle.ErrOutcomeUnknown},
	}
	for _, test := range tests {
		got := lifecycle.Classify(test.err)
		if (got == nil) != (test.err == nil) || test.want != nil && !errors.Is(got, test.want) || test.wantNever != nil && errors.Is(got, test.wantNever) {
			t.Errorf("%v: got %v, want %v and not %v", test.err, got, test.want, test.wantNever)
		}
		if again := test.err != nil && lifecycle.Repeatable(test.err); again != test.again {
			t.Errorf("%v: made again %v, want %v", test.err, again, test.again)
		}
	}
}

// A unit of work that may be is run again when its connection is cut.
func TestPostgresRepeatableTransaction(t *testing.T) {
	ctx := context.Background()
	url := postgresURL(t)
	s := open(t, lifecycle.Config{URL: url})
	p := newPlan(t, s)
	calls := 0
	err := lifecycle.NewUnitOfWork(newEngines(t), url).RepeatableTransaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
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
	url := postgresURL(t)
	engines := newEngines(t)
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
