package lifecycle_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/jacquard-go/jacquard/internal/postgres"
)

// server is the PostgreSQL server of this run, started by the first test that
// wants it.
var server = struct {
	sync.Mutex
	*postgres.Server
	err error
}{}

// suite stops the server when the tests have run.
type suite struct{ *testing.M }

func (s suite) Run() int {
	code := s.M.Run()
	server.Lock()
	defer server.Unlock()
	if server.Server != nil {
		_ = server.Close()
	}
	return code
}

// postgresServer returns the server. A test that needs it does not run if there
// is none, and says so.
func postgresServer(t testing.TB) *postgres.Server {
	t.Helper()
	server.Lock()
	defer server.Unlock()
	if server.Server == nil && server.err == nil {
		server.Server, server.err = postgres.Open(context.Background())
	}
	if errors.Is(server.err, postgres.ErrMissing) {
		t.Skip("did not run: ", server.err)
	}
	check(t, server.err)
	return server.Server
}

// ownPostgresServer returns the server if it is a throw-away one, which may be
// stopped.
func ownPostgresServer(t *testing.T) *postgres.Server {
	t.Helper()
	s := postgresServer(t)
	if !s.Own() {
		t.Skip("did not run: the server is not this run's own, and stays up")
	}
	return s
}

// postgresURL returns the URL of an empty database.
func postgresURL(t testing.TB) string {
	t.Helper()
	s := postgresServer(t)
	url, drop, err := s.NewDatabase(context.Background())
	check(t, err)
	t.Cleanup(func() { check(t, drop(context.Background())) })
	return url
}
