package lifecycle

import (
	"context"

	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
)

// session runs statements on one connection to a database, within a
// transaction or a turn that somebody else has begun. It is for one goroutine.
//
// Statements are written once for all databases, with a question mark for each
// argument; what cannot be said alike is in the dialect.
type session interface {
	// exec runs a statement that returns no rows and says how many it changed.
	exec(ctx context.Context, query string, args ...any) (changed int64, err error)
	// query runs a statement that changes nothing and gives each row to scan.
	query(ctx context.Context, query string, args []any, scan func(row) error) error
	// dialect is that of the database.
	dialect() dialect
}

// row is the current row of an answer.
type row = statements.Row

// dialect is the SQL in which databases differ.
type dialect struct {
	// reusable is a condition on a row of actions: its document says so.
	reusable string
	// lockPlan makes others that lock the same plan wait until the transaction
	// ends. Empty if a transaction has the database to itself.
	lockPlan string
	// toDelete and toRefer end a query for a row that is to be deleted, or that a
	// new row is to refer to, and lock it so that no transaction does the one while
	// another does the other. Empty if a transaction has the database to itself.
	toDelete, toRefer string
	// now is the time of the database, in microseconds since 1970.
	now string
}

// inUse is the context key that says that the caller is inside a transaction
// on a connection, or a database.
type inUse struct{ what any }
