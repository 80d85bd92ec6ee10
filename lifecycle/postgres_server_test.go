package lifecycle_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/internal/postgres"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// ownPostgresServer returns the server if it is a throw-away one, which may be
// stopped.
func ownPostgresServer(t *testing.T) *postgres.Server {
	t.Helper()
	s := storetest.Server(t)
	if !s.Own() {
		t.Skip("did not run: the server is not this run's own, and stays up")
	}
	return s
}
