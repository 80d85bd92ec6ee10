package databases_test

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

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// The server's error decides whether a call may be repeated, and which error its
// caller gets.
func TestPostgresErrors(t *testing.T) {
	answer := func(code string) error { return fmt.Errorf("exec: %w", &pgconn.PgError{Severity: "ERROR", Code: code}) }
	tests := []struct {
		err    error
		commit bool // whether it comes from a commit
		want   error
		again  bool
	}{
		{err: nil},
		{err: answer("40001"), want: faults.ErrBusy, again: true},
		{err: answer("40P01"), want: faults.ErrBusy, again: true},
		{err: answer("55P03"), want: faults.ErrBusy, again: true},
		{err: answer("57P01"), want: faults.ErrUnavailable, again: true},
		{err: answer("53300"), want: faults.ErrUnavailable, again: true},
		{err: answer("08006"), want: faults.ErrUnavailable, again: true},
		{err: answer("53100"), want: faults.ErrFull},
		{err: answer("25006"), want: faults.ErrReadOnly},
		{err: answer("XX001"), want: faults.ErrCorrupt},
		{err: answer("42P01")}, // undefined_table
		{err: answer("23505")}, // unique_violation
		{err: fmt.Errorf("read: %w", io.ErrUnexpectedEOF), want: faults.ErrUnavailable, again: true},
		{err: &net.OpError{Op: "read", Err: errors.New("reset")}, want: faults.ErrUnavailable, again: true},
		{err: fmt.Errorf("read: %w", context.Canceled), want: context.Canceled},
		{err: fmt.Errorf("read: %w", context.DeadlineExceeded), want: context.DeadlineExceeded},
		{err: puddle.ErrClosedPool, want: faults.ErrClosed},
		{commit: true, err: nil},
		{commit: true, err: io.ErrUnexpectedEOF, want: faults.ErrOutcomeUnknown},
		{commit: true, err: &pgconn.PgError{Severity: "FATAL", Code: "57P01"}, want: faults.ErrOutcomeUnknown},
		{commit: true, err: &pgconn.PgError{Severity: "FEHLER", SeverityUnlocalized: "ERROR", Code: "53100"}, want: faults.ErrFull},
		{commit: true, err: answer("40001"), want: faults.ErrBusy, again: true},
		{commit: true, err: pgx.ErrTxCommitRollback, want: pgx.ErrTxCommitRollback},
	}
	server := databases.URL{Server: "postgres://host/plans"}
	kinds := []error{faults.ErrBusy, faults.ErrUnavailable, faults.ErrFull, faults.ErrReadOnly, faults.ErrCorrupt,
		faults.ErrOutcomeUnknown, faults.ErrClosed}
	for _, test := range tests {
		got := server.Fault(test.err)
		if test.commit {
			got = server.CommitFault(test.err)
		}
		if (got == nil) != (test.err == nil) || test.want != nil && !errors.Is(got, test.want) {
			t.Errorf("%v: got %v, want %v", test.err, got, test.want)
		}
		for _, kind := range kinds {
			if errors.Is(got, kind) && kind != test.want {
				t.Errorf("%v: got %v, want %v and no other kind", test.err, got, test.want)
			}
		}
		if again := databases.Repeatable(got); again != test.again {
			t.Errorf("%v: got repeatable %v, want %v", test.err, again, test.again)
		}
		if twice := server.Fault(got); twice != got {
			t.Errorf("%v: got %v, want nothing twice in it", test.err, twice)
		}
	}
	if databases.Repeatable(io.ErrUnexpectedEOF) {
		t.Error("got a unit of work repeatable after an error of another origin, want it not")
	}
}
