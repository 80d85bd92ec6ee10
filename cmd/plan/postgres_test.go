package main

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/jacquard-go/jacquard/internal/postgres"
)

func TestPlanOnPostgres(t *testing.T) {
	ctx := context.Background()
	server, err := postgres.Open(ctx)
	if errors.Is(err, postgres.ErrMissing) {
		t.Skip("did not run: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	url, drop, err := server.NewDatabase(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(ctx, []string{url}, &out); err != nil || out.String() != told {
		t.Errorf("got %v\n%swant\n%s", err, out.String(), told)
	}
	if err := drop(ctx); err != nil {
		t.Error(err)
	}
}
