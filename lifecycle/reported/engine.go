package reported

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"

	_ "modernc.org/sqlite" // registers the driver "sqlite"
)

// memoryURL is the in-memory URL of the reports: two callers that ask for it mean the same database.
const memoryURL = "sqlite:///:memory:"

// Engine stands for SQLAlchemy's Engine: one pool of connections to one database.
//
// With database/sql every connection to ":memory:" is a database of its own. The pool of an Engine therefore holds exactly one
// connection, so that here too one engine is one database and two engines are two.
//
// An Engine is safe for concurrent use: database/sql serialises its callers on the one connection.
type Engine struct {
	number int
	db     *sql.DB
}

// Number returns the number of this engine in its factory, counting from 1 in the order of creation.
func (e *Engine) Number() int { return e.number }

// NewestSchema is the version of the schema that Upgrade makes.
const NewestSchema = 1

// SchemaVersion returns the version of the schema: 0 before Upgrade, [NewestSchema] after it.
func (e *Engine) SchemaVersion(ctx context.Context) (int, error) {
	var version int
	if err := e.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, fmt.Errorf("read the schema version of engine #%d: %w", e.number, err)
	}
	return version, nil
}

// Upgrade runs the only migration, from version 0. Like most migrations it fails if it has been run before; the caller
// must know whether it has.
func (e *Engine) Upgrade(ctx context.Context) error {
	if _, err := e.db.ExecContext(ctx, "CREATE TABLE plans (id TEXT PRIMARY KEY); PRAGMA user_version = 1"); err != nil {
		return fmt.Errorf("migrate engine #%d: %w", e.number, err)
	}
	return nil
}

// CountPlans counts the rows of the plans table. On an engine that was never migrated it fails with "no such table: plans".
func (e *Engine) CountPlans(ctx context.Context) (int, error) {
	var n int
	if err := e.db.QueryRowContext(ctx, "SELECT count(*) FROM plans").Scan(&n); err != nil {
		return 0, fmt.Errorf("count plans on engine #%d: %w", e.number, err)
	}
	return n, nil
}

// EngineFactory stands for SQLAlchemy's create_engine. It records the engines that it made, so that a test can count them
// and close even the one that lost the race. The zero value is ready to use; it is safe for concurrent use, under a mutex
// that covers only its own list.
type EngineFactory struct {
	mu      sync.Mutex
	created []*Engine // written and read under mu
}

// Create makes a new engine for an in-memory URL, a different one at each call. Like create_engine it connects only when
// the engine is first used. Any other URL is an error: the report's cache is for in-memory databases only.
func (f *EngineFactory) Create(url string) (*Engine, error) {
	if !strings.HasPrefix(url, memoryURL) {
		return nil, fmt.Errorf("create engine: got %q, want an in-memory URL such as %q", url, memoryURL)
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, fmt.Errorf("create engine for %s: %w", url, err)
	}
	db.SetMaxOpenConns(1)
	f.mu.Lock()
	defer f.mu.Unlock()
	engine := &Engine{number: len(f.created) + 1, db: db}
	f.created = append(f.created, engine)
	return engine, nil
}

// Created returns how many engines were made.
func (f *EngineFactory) Created() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.created)
}

// Close closes every engine that was made and returns their errors, joined.
func (f *EngineFactory) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var errs []error
	for _, e := range f.created {
		errs = append(errs, e.db.Close())
	}
	return errors.Join(errs...)
}
