// Package statements defines how the packages below lifecycle run their own statements on its
// engines: on the same connections, with the same waiting for locks, the same transactions and the
// same errors. It holds no code.
package statements

import "context"

// Database is a database with its schema up to date. It is safe for concurrent use. The functions
// must use the context that they are given. They may be run again from their beginning, after their
// changes were rolled back.
type Database interface {
	// Read runs f, which must not change anything; each of its statements sees the latest committed
	// state.
	Read(ctx context.Context, f func(context.Context, Session) error) error
	// Write runs f in a transaction. No other transaction can change a row that a statement of f
	// has changed, or conflicted with, before f's ends.
	Write(ctx context.Context, f func(context.Context, Session) error) error
}

// Session is one connection, within a transaction or a turn. It must be used by one goroutine only.
// Statements have a question mark for each argument.
type Session interface {
	// Exec runs a statement that returns no rows, and returns how many it changed.
	Exec(ctx context.Context, query string, args ...any) (changed int64, err error)
	// Query runs a statement that changes nothing and passes each row to scan.
	Query(ctx context.Context, query string, args []any, scan func(Row) error) error
	// Now is an expression for the time of the database, in microseconds since 1970.
	Now() string
}

// Row is the current row of a result.
type Row interface{ Scan(dest ...any) error }
