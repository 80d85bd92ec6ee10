package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
)

// Database is what an engine drives: SQLite or PostgreSQL. It is safe for any
// number of goroutines. The functions must use the context that they are given.
type Database interface {
	// Read runs f, which changes nothing; each of its statements sees the
	// latest committed state. f may be run again from its beginning.
	Read(ctx context.Context, f func(context.Context, Session) error) error
	// Statement runs f, which changes what it changes in one statement.
	// f may be run again from its beginning.
	Statement(ctx context.Context, f func(context.Context, Session) error) error
	// Write runs f in a transaction. f may be run again from its beginning,
	// after what it did was rolled back.
	Write(ctx context.Context, f func(context.Context, Session) error) error
	// Alone runs f in a transaction that no other one that writes overlaps:
	// at most once, or again from its beginning if it may be.
	Alone(ctx context.Context, again bool, f func(context.Context, Session) error) error
	// Migrate brings the schema up to date, once, and returns the version to which
	// this call has brought it; 0 if there was nothing to do.
	Migrate(ctx context.Context) (version int64, err error)
	// Retries is how often something was tried again.
	Retries() uint64
	// Close is called once, and calls may be under way.
	Close() error
}

// Session runs statements on one connection to a database, within a transaction
// or a turn that somebody else has begun. It is for one goroutine.
//
// Statements are written once for all databases, with a question mark for each
// argument; what cannot be said alike is in the dialect.
type Session interface {
	statements.Session
	// Dialect is that of the database.
	Dialect() Dialect
}

// Dialect is the SQL in which databases differ.
type Dialect struct {
	// Now is the time of the database, in microseconds since 1970.
	Now string
	// True is a condition on a row, as a format: the JSON in a column has true
	// in a field.
	True string
	// Lock is put behind a SELECT to make others that lock the same rows, or
	// write them, wait until the transaction ends. Empty if a transaction has the
	// database to itself.
	Lock string
	// ToDelete and ToRefer are put behind a SELECT of a row that is to be deleted,
	// or that a new row is to refer to, so that no transaction does the one while
	// another does the other. Empty if a transaction has the database to itself.
	ToDelete, ToRefer string
}

// Schema is what a database is migrated to.
type Schema struct {
	Files  fs.FS // the migrations, in Folder
	Folder string
	Newest int64 // the number of the newest migration
}

// Current says whether a schema of this version is current.
func (s Schema) Current(version int64) (bool, error) {
	if version > s.Newest {
		return false, fmt.Errorf("it is at version %d, this program knows %d", version, s.Newest)
	}
	return version == s.Newest, nil
}

// Migrations returns the files of the migrations.
func (s Schema) Migrations() (fs.FS, error) { return fs.Sub(s.Files, s.Folder) }

// ErrNested is what a transaction gets that would wait for itself.
var ErrNested = errors.New("lifecycle: a transaction is open already; use its repositories")

// FirstPause and LongestPause bound the pause before a database that is locked, or
// cannot be reached, is tried again: it doubles from the one to the other.
const (
	FirstPause   = time.Millisecond
	LongestPause = 32 * time.Millisecond
)
