package lifecycle_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// A repeatable unit of work is run again if its connection is cut.
func TestPostgresRepeatableTransaction(t *testing.T) {
	ctx := context.Background()
	url := storetest.PostgresURL(t)
	s := open(t, lifecycle.Config{URL: url})
	p := newPlan(t, s)
	calls := 0
	err := lifecycle.NewUnitOfWork(storetest.Engines(t), url).RepeatableTransaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
		if err := r.Changesets.Start(ctx, p.ID, "first", p.CreatedAt); err != nil {
			return err
		}
		if calls++; calls < 3 {
			storetest.WithPostgres(t, url, func(conn *pgx.Conn) {
				_, err := conn.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
					WHERE datname = current_database() AND pid <> pg_backend_pid()`)
				check(t, err)
			})
		}
		_, err := r.Changesets.Record(ctx, p.ID, entry("a"))
		return err
	})
	check(t, err)
	all, err := s.ExecutionContext(p.ID).Changesets(ctx)
	if err != nil || calls != 3 || len(all) != 1 || len(all[0].Entries) != 1 {
		t.Errorf("got %+v, %v after %d calls, want one changeset with one entry after three", all, err, calls)
	}
}

// A unit of work that is not repeatable never runs twice.
func TestPostgresTransactionRunsOnce(t *testing.T) {
	ctx := context.Background()
	url := storetest.PostgresURL(t)
	engines := storetest.Engines(t)
	calls := 0
	err := lifecycle.NewUnitOfWork(engines, url).Transaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
		calls++
		storetest.WithPostgres(t, url, func(conn *pgx.Conn) {
			_, err := conn.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
				WHERE datname = current_database() AND pid <> pg_backend_pid()`)
			check(t, err)
		})
		_, err := r.Plans.List(ctx)
		return err
	})
	if !errors.Is(err, lifecycle.ErrUnavailable) || calls != 1 {
		t.Errorf("got %v after %d calls, want ErrUnavailable after one", err, calls)
	}
	mine := errors.New("mine")
	err = lifecycle.NewUnitOfWork(engines, url).Transaction(ctx, func(context.Context, lifecycle.Repositories) error { return mine })
	if !errors.Is(err, mine) {
		t.Errorf("got %v, want %v", err, mine)
	}
}
