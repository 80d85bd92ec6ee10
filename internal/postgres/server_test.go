package postgres_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jacquard-go/jacquard/internal/postgres"
)

// A server that crashes, or is stopped, has the committed data after it is started
// again.
func TestStartsAgain(t *testing.T) {
	t.Setenv(postgres.DSN, "")
	ctx := t.Context()
	server, err := postgres.Open(ctx)
	if errors.Is(err, postgres.ErrMissing) {
		t.Skip("did not run: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if err := server.Exec(ctx, "CREATE TABLE kept (n int PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	for n, again := range []func(context.Context) error{server.Crash, server.Restart} {
		insert := "INSERT INTO kept VALUES (" + string(rune('1'+n)) + ")"
		if err := errors.Join(server.Exec(ctx, insert), again(ctx)); err != nil {
			t.Fatal(err)
		}
		if err := server.Exec(ctx, insert); err == nil {
			t.Errorf("%s: got no error the second time, want one: the row is there", insert)
		}
	}
}
