// Package statements is how the packages beneath lifecycle run statements of
// their own on its engines: on the same connections, with the same waiting for
// locks, the same transactions and the same errors. It holds no code.
package statements

import "context"

// Database is a database with its schema up to date. It is safe for any number
// of goroutines. The functions must use the context that they are given, and may
// be run again from their beginning, after what they did was rolled back.
type Database interface {
	// Read runs f, which changes nothing; each of its statements sees the latest
	// committed state.
	Read(ctx context.Context, f func(context.Context, Session) error) error
	// Write runs f in a transaction. What a statement of it has changed, or has
	// found in its way, nobody else changes before the end.
	Write(ctx context.Context, f func(context.Context, Session) error) error
}

// Session is one connection, within a transaction or a turn. It is for one
// goroutine. Statements have a question mark for each argument.
type Session interface {
	// Exec runs a statement that returns no rows and says how many it changed.
	Exec(ctx context.Context, query string, args ...any) (changed int64, err error)
	// Query runs a statement that changes nothing and gives each row to scan.
	Query(ctx context.Context, query string, args []any, scan func(Row) error) error
	// Now is an expression for the time of the database, in microseconds since 1970.
	Now() string
}

// Row is the current row of an answer.
type Row interface{ Scan(dest ...any) error }
