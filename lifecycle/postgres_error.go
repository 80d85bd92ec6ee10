package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"
)

// What the server's error codes mean here (PostgreSQL documentation, appendix
// A). With all of them the transaction was rolled back.
var (
	lockCodes = []string{
		"40001", // serialization_failure
		"40P01", // deadlock_detected
		"55P03", // lock_not_available
	}
	downCodes = []string{
		"53300", // too_many_connections
		"57P01", // admin_shutdown, also pg_terminate_backend
		"57P02", // crash_shutdown
		"57P03", // cannot_connect_now
	}
)

// isLocked reports whether err says that another transaction was in the way.
func isLocked(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && slices.Contains(lockCodes, e.Code)
}

// isDown reports whether err says that the server cannot be reached, or does
// not work at the moment.
func isDown(err error) bool {
	var (
		answer  *pgconn.PgError
		connect *pgconn.ConnectError
		network net.Error
	)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), isPoolClosed(err):
		return false
	case errors.As(err, &answer):
		return slices.Contains(downCodes, answer.Code) || strings.HasPrefix(answer.Code, "08") // connection_exception
	case errors.As(err, &connect), errors.As(err, &network):
		return true
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err)
}

func isPoolClosed(err error) bool { return errors.Is(err, puddle.ErrClosedPool) }

// repeatable reports whether a call that failed so has changed nothing and may
// go better if it is made again.
func repeatable(err error) bool {
	return !errors.Is(err, ErrOutcomeUnknown) && (isLocked(err) || isDown(err))
}

// classify adds this package's kind to the server's error.
func classify(err error) error {
	switch {
	case err == nil || errors.Is(err, ErrOutcomeUnknown):
		return err
	case isPoolClosed(err):
		return errEngineClosed()
	case isLocked(err):
		return fmt.Errorf("%w: %w", ErrBusy, err)
	case isDown(err):
		return fmt.Errorf("lifecycle: %w: %w", ErrUnavailable, err)
	}
	return err
}

// commitError is the error of a commit. If the server has said that it rolled
// back, that is what happened; if its answer did not arrive, nobody knows.
func commitError(err error) error {
	var answer *pgconn.PgError
	if errors.Is(err, pgx.ErrTxCommitRollback) || errors.As(err, &answer) && answer.Severity == "ERROR" {
		return fmt.Errorf("lifecycle: commit: %w", err)
	}
	return fmt.Errorf("lifecycle: commit: %w: %w", ErrOutcomeUnknown, err)
}
