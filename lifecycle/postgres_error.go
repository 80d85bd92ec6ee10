package lifecycle

import (
	"cmp"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"
)

// postgresKind returns the kind of an error of the driver's or the server's, or
// nil if it has none. Every error that the server sends has rolled back the
// transaction.
func postgresKind(err error) error {
	var (
		answer  *pgconn.PgError
		connect *pgconn.ConnectError
		network net.Error
	)
	switch {
	case errors.As(err, &answer):
		return answerKind(answer.Code)
	case endedByContext(err):
		return nil // some of them are network errors too
	case errors.As(err, &connect), errors.As(err, &network),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), pgconn.SafeToRetry(err):
		return ErrUnavailable
	}
	return nil
}

// answerKind returns the kind of a code of PostgreSQL's (its documentation,
// appendix A).
func answerKind(code string) error {
	switch code {
	case "40001", // serialization_failure
		"40P01", // deadlock_detected
		"55P03": // lock_not_available
		return ErrBusy
	case "53200", // out_of_memory
		"53300", // too_many_connections
		"57P01", // admin_shutdown, also pg_terminate_backend
		"57P02", // crash_shutdown
		"57P03", // cannot_connect_now
		"57P05", // idle_session_timeout
		"25P03", // idle_in_transaction_session_timeout
		"58030": // io_error
		return ErrUnavailable
	case "53100": // disk_full
		return ErrFull
	case "25006": // read_only_sql_transaction, as on a standby
		return ErrReadOnly
	case "XX001", // data_corrupted
		"XX002": // index_corrupted
		return ErrCorrupt
	}
	if strings.HasPrefix(code, "08") { // connection_exception
		return ErrUnavailable
	}
	return nil
}

// fault says of an error of the driver's or the server's what it means for the
// caller.
func (u databaseURL) fault(err error) error {
	var connect *pgconn.ConnectError
	switch {
	case errors.Is(err, puddle.ErrClosedPool):
		return errEngineClosed()
	case errors.As(err, &connect) && endedByContext(err):
		// The context is the driver's own, for its time limit.
		return &DatabaseError{u.redacted(), ErrUnavailable, errors.New(err.Error())}
	}
	return u.failed(postgresKind(err), err)
}

// commitFault is fault for a commit. If the server has said that it rolled
// back, that is what happened; if its answer did not arrive, nobody knows.
func (u databaseURL) commitFault(err error) error {
	var answer *pgconn.PgError
	told := errors.As(err, &answer) && cmp.Or(answer.SeverityUnlocalized, answer.Severity) == "ERROR"
	if err == nil || told || errors.Is(err, pgx.ErrTxCommitRollback) {
		return u.fault(err)
	}
	return &DatabaseError{u.redacted(), ErrOutcomeUnknown, err}
}

// repeatable reports whether a call that failed so has changed nothing and may
// go better if it is made again: the database says so, not whoever uses it.
func repeatable(err error) bool {
	var e *DatabaseError
	return errors.As(err, &e) && (e.Kind == ErrBusy || e.Kind == ErrUnavailable)
}
