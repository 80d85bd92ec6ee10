package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
)

// Database is the database of an engine: SQLite or PostgreSQL. It is safe for concurrent use. The
// functions must use the context that they are given.
type Database interface {
	// Read runs f, which must not change anything; each of its statements sees the latest committed
	// state. f may be run again from its beginning.
	Read(ctx context.Context, f func(context.Context, Session) error) error
	// Statement runs f, which makes all its changes in one statement. f may be run again from its
	// beginning.
	Statement(ctx context.Context, f func(context.Context, Session) error) error
	// Write runs f in a transaction. f may be run again from its beginning, after its changes were
	// rolled back.
	Write(ctx context.Context, f func(context.Context, Session) error) error
	// Alone runs f in a transaction that overlaps no other writing one. It runs f at most once, or,
	// if again is set, possibly again from its beginning.
	Alone(ctx context.Context, again bool, f func(context.Context, Session) error) error
	// Migrate brings the schema up to date, once, and returns the version to which this call has
	// migrated it; 0 if there was nothing to do.
	Migrate(ctx context.Context) (version int64, err error)
	// Retries returns how often an operation was tried again.
	Retries() uint64
	// Close is called once, possibly while calls are under way.
	Close() error
}

// Session runs statements on one connection to a database, within a transaction or turn that its
// creator has begun. It must be used by one goroutine only.
//
// Statements are written once for all databases, with a question mark for each argument; [Dialect]
// holds the parts that differ.
type Session interface {
	statements.Session
	// Dialect is that of the database.
	Dialect() Dialect
}

// Dialect is the SQL that differs between databases.
type Dialect struct {
	// Now is the time of the database, in microseconds since 1970.
	Now string
	// True is a format for a condition on a row: the field of a JSON column is true.
	True string
	// Lock is appended to a SELECT so that others that lock the same rows, or write them, wait
	// until the transaction ends. It is empty if transactions have the database to themselves.
	Lock string
	// ToDelete and ToRefer are appended to a SELECT of a row that is to be deleted, or that a new
	// row will refer to, so that one transaction cannot do the first while another does the second.
	// Empty if transactions have the database to themselves.
	ToDelete, ToRefer string
}

// Schema describes the schema that a database is migrated to.
type Schema struct {
	Files  fs.FS // the migrations, in Folder
	Folder string
	Newest int64 // the number of the newest migration
}

// Current reports whether a schema of this version is current. A newer one is an error.
func (s Schema) Current(version int64) (bool, error) {
	if version > s.Newest {
		return false, fmt.Errorf("it is at version %d, this program knows %d", version, s.Newest)
	}
	return version == s.Newest, nil
}

// Migrations returns the files of the migrations.
func (s Schema) Migrations() (fs.FS, error) { return fs.Sub(s.Files, s.Folder) }

// ErrNested is returned for a transaction inside another one, which would wait for itself.
var ErrNested = errors.New("lifecycle: a transaction is open already; use its repositories")

// FirstPause and LongestPause bound the pause before a database that is locked or unreachable is
// tried again: it doubles from the first to the second.
const (
	FirstPause   = time.Millisecond
	LongestPause = 32 * time.Millisecond
)
