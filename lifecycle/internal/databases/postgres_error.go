package databases

import (
	"cmp"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// postgresKind returns the kind of an error of the driver or the server, or nil if it has none.
// Every error that the server sends has rolled back the transaction.
func postgresKind(err error) error {
	var (
		answer  *pgconn.PgError
		connect *pgconn.ConnectError
		network net.Error
	)
	switch {
	case errors.As(err, &answer):
		return answerKind(answer.Code)
	case faults.EndedByContext(err):
		return nil // some of them are network errors too
	case errors.As(err, &connect), errors.As(err, &network),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), pgconn.SafeToRetry(err):
		return faults.ErrUnavailable
	}
	return nil
}

// answerKind returns the kind of a PostgreSQL error code (its documentation, appendix A).
func answerKind(code string) error {
	switch code {
	case "40001", // serialization_failure
		"40P01", // deadlock_detected
		"55P03": // lock_not_available
		return faults.ErrBusy
	case "53200", // out_of_memory
		"53300", // too_many_connections
		"57P01", // admin_shutdown, also pg_terminate_backend
		"57P02", // crash_shutdown
		"57P03", // cannot_connect_now
		"57P05", // idle_session_timeout
		"25P03", // idle_in_transaction_session_timeout
		"58030": // io_error
		return faults.ErrUnavailable
	case "53100": // disk_full
		return faults.ErrFull
	case "25006": // read_only_sql_transaction, as on a standby
		return faults.ErrReadOnly
	case "XX001", // data_corrupted
		"XX002": // index_corrupted
		return faults.ErrCorrupt
	}
	if strings.HasPrefix(code, "08") { // connection_exception
		return faults.ErrUnavailable
	}
	return nil
}

// Fault translates an error of the driver or the server into the error for the caller.
func (u URL) Fault(err error) error {
	var connect *pgconn.ConnectError
	switch {
	case errors.Is(err, puddle.ErrClosedPool):
		return EngineClosed()
	case errors.As(err, &connect) && faults.EndedByContext(err):
		// The driver's own connect time-out has ended, not the caller's context.
		return &faults.DatabaseError{URL: u.Redacted(), Kind: faults.ErrUnavailable, Err: errors.New(err.Error())}
	}
	return u.Failed(postgresKind(err), err)
}

// CommitFault is Fault for a commit. If the server has reported an error, the commit was rolled
// back; if its answer did not arrive, the outcome is unknown.
func (u URL) CommitFault(err error) error {
	var answer *pgconn.PgError
	told := errors.As(err, &answer) && cmp.Or(answer.SeverityUnlocalized, answer.Severity) == "ERROR"
	if err == nil || told || errors.Is(err, pgx.ErrTxCommitRollback) {
		return u.Fault(err)
	}
	return &faults.DatabaseError{URL: u.Redacted(), Kind: faults.ErrOutcomeUnknown, Err: err}
}

// Repeatable reports whether a call that failed with err has changed nothing and may succeed if
// repeated; only a DatabaseError counts, not an error of its user.
func Repeatable(err error) bool {
	var e *faults.DatabaseError
	return errors.As(err, &e) && (e.Kind == faults.ErrBusy || e.Kind == faults.ErrUnavailable)
}
