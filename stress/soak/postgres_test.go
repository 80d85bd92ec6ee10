package soak_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jacquard-go/jacquard/internal/postgres"
)

// A short soak of a PostgreSQL database is clean and tries everything. Its server crashes too, if the tests started it.
func TestPostgres(t *testing.T) {
	ctx := t.Context()
	server, err := postgres.Open(ctx)
	if errors.Is(err, postgres.ErrMissing) {
		t.Skip("did not run: ", err)
	}
	check(t, err)
	t.Cleanup(func() { server.Close() })
	cfg := config(t, worker)
	if server.Own() {
		cfg.Relaxed, cfg.Restart = false, server.Crash
	}
	soaked(t, cfg, func() string {
		url, drop, err := server.NewDatabase(ctx)
		check(t, err)
		t.Cleanup(func() { check(t, drop(context.WithoutCancel(ctx))) })
		return url
	})
}
