// Package storetest runs the tests of lifecycle, and of the packages below it, on every kind of
// store: in memory, on SQLite in memory and in a file, and on PostgreSQL. It is for tests only.
package storetest

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"github.com/jacquard-go/jacquard/internal/postgres"
	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/schema"
)

// server is the PostgreSQL server of this run, started by the first test that needs it.
var server struct {
	sync.Mutex
	*postgres.Server
	err error
}

// Main runs the tests of a package, stops the server and checks for leaked goroutines.
func Main(m *testing.M) { goleak.VerifyTestMain(suite{m}) }

type suite struct{ *testing.M }

// Run implements goleak.TestingM.
func (s suite) Run() int {
	code := s.M.Run()
	server.Lock()
	defer server.Unlock()
	if server.Server != nil {
		_ = server.Close()
	}
	return code
}

// EachURL runs a test with the URL of a new store of each kind; the URL is empty for memory.
func EachURL(t *testing.T, test func(t *testing.T, url string)) {
	for _, store := range []struct {
		name string
		url  func(testing.TB) string
	}{
		{"memory", func(testing.TB) string { return "" }},
		{"sqlite in memory", func(testing.TB) string { return "sqlite:///:memory:" }},
		{"sqlite file", FileURL},
		{"postgres", PostgresURL},
	} {
		t.Run(store.name, func(t *testing.T) { test(t, store.url(t)) })
	}
}

// FileURL returns the URL of a database file that does not exist yet.
func FileURL(t testing.TB) string {
	return "sqlite:///" + filepath.Join(t.TempDir(), "lifecycle.db")
}

// patience is a time-out far beyond what a busy machine needs.
const patience = 10 * time.Minute

// Engines returns engines that are closed with the test and do not sync to the disk.
func Engines(t testing.TB) *engine.Engines {
	t.Helper()
	engines, err := engine.New(engine.Config{BusyTimeout: patience, RelaxedDurability: true}, schema.Open)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engines.Close() })
	return engines
}

// Server returns the PostgreSQL server. It skips the test if there is none.
func Server(t testing.TB) *postgres.Server {
	t.Helper()
	server.Lock()
	defer server.Unlock()
	if server.Server == nil && server.err == nil {
		server.Server, server.err = postgres.Open(context.Background())
	}
	if errors.Is(server.err, postgres.ErrMissing) {
		t.Skip("did not run: ", server.err)
	}
	if server.err != nil {
		t.Fatal(server.err)
	}
	return server.Server
}

// OwnServer returns the PostgreSQL server if this run has started it, so that the test may stop it.
func OwnServer(t testing.TB) *postgres.Server {
	t.Helper()
	s := Server(t)
	if !s.Own() {
		t.Skip("did not run: the server is not this run's own, and stays up")
	}
	return s
}

// WithPostgres runs f on a new connection.
func WithPostgres(t testing.TB, url string, f func(*pgx.Conn)) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	f(conn)
}

// PostgresURL returns the URL of an empty database.
func PostgresURL(t testing.TB) string {
	t.Helper()
	url, drop, err := Server(t).NewDatabase(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := drop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return url
}
