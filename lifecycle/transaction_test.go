package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// The file is in WAL mode, whoever opens it, so readers continue during a write.
func TestReadersGoOnDuringAWrite(t *testing.T) {
	ctx := context.Background()
	url := storetest.FileURL(t)
	engines := storetest.Engines(t)
	s := open(t, lifecycle.Config{URL: url, Engines: engines})
	p := newPlan(t, s)
	err := lifecycle.NewUnitOfWork(engines, url).Transaction(ctx, func(inside context.Context, r lifecycle.Repositories) error {
		next := p
		next.Version, next.State = 2, lifecycle.StateProcessing
		if _, swapped, err := r.Plans.Swap(inside, next, 1); err != nil || !swapped {
			return fmt.Errorf("not swapped: %w", err)
		}
		if got, err := s.GetPlan(ctx, p.ID); err != nil || got.Version != 1 {
			t.Errorf("got version %d, %v, want the state before the transaction", got.Version, err)
		}
		return nil
	})
	check(t, err)
	if got, err := s.GetPlan(ctx, p.ID); err != nil || got.Version != 2 {
		t.Errorf("got version %d, %v, want the state after it", got.Version, err)
	}
}

// N2 and the general promise of a transaction: after an error, a panic, or the end of
// the context nothing is left.
func TestTransactionRollsBack(t *testing.T) {
	boom := errors.New("boom")
	for _, store := range stores[1:] {
		t.Run(store.name, func(t *testing.T) {
			url, engines := store.url(t), storetest.Engines(t)
			s := open(t, lifecycle.Config{URL: url, Engines: engines})
			p := newPlan(t, s)
			work := lifecycle.NewUnitOfWork(engines, url)
			spoil := func(ctx context.Context, r lifecycle.Repositories) {
				check(t, r.Changesets.Start(ctx, p.ID, "c", time.Unix(0, 0)))
			}
			ctx, cancel := context.WithCancel(context.Background())
			err := work.Transaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
				spoil(ctx, r)
				return boom
			})
			if !errors.Is(err, boom) {
				t.Errorf("got %v, want boom", err)
			}
			func() {
				defer func() {
					if r := recover(); r != boom {
						t.Errorf("recovered %v, want boom", r)
					}
				}()
				_ = work.Transaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
					spoil(ctx, r)
					panic(boom)
				})
			}()
			err = work.Transaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
				spoil(ctx, r)
				cancel()
				return nil
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want context.Canceled", err)
			}
			if all, err := s.ExecutionContext(p.ID).Changesets(context.Background()); err != nil || len(all) != 0 {
				t.Errorf("got %v, %v, want nothing left behind", all, err)
			}
			newPlan(t, s) // nothing is locked
		})
	}
}

// A transaction within a transaction would wait for itself.
func TestNestedTransaction(t *testing.T) {
	for _, store := range stores[1:] {
		t.Run(store.name, func(t *testing.T) {
			url, engines := store.url(t), storetest.Engines(t)
			s := open(t, lifecycle.Config{URL: url, Engines: engines})
			newPlan(t, s)
			work := lifecycle.NewUnitOfWork(engines, url)
			err := work.Transaction(context.Background(), func(ctx context.Context, _ lifecycle.Repositories) error {
				_, err := s.ArchiveAction(ctx, "build")
				return err
			})
			if err == nil || !strings.Contains(err.Error(), "open already") {
				t.Errorf("got %v, want an error that a transaction is open", err)
			}
		})
	}
}

func TestTransactionWithoutAnEngine(t *testing.T) {
	never := func(context.Context, lifecycle.Repositories) error {
		t.Error("got a call of the function, want none")
		return nil
	}
	engines := storetest.Engines(t)
	err := lifecycle.NewUnitOfWork(engines, "mysql://host").Transaction(context.Background(), never)
	if !errors.Is(err, lifecycle.ErrUnsupportedURL) {
		t.Errorf("got %v, want ErrUnsupportedURL", err)
	}
	check(t, engines.Close())
	err = lifecycle.NewUnitOfWork(engines, "sqlite://").Transaction(context.Background(), never)
	if !errors.Is(err, lifecycle.ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
}

// Packages that use this one run statements on its engines. A failed write of theirs
// changes nothing.
func TestStatements(t *testing.T) {
	ctx := context.Background()
	for _, store := range stores[1:] {
		t.Run(store.name, func(t *testing.T) {
			url, engines := store.url(t), storetest.Engines(t)
			db := lifecycle.NewUnitOfWork(engines, url).Statements()
			count := func() (n int) {
				check(t, db.Read(ctx, func(ctx context.Context, s statements.Session) error {
					return s.Query(ctx, "SELECT count(*) FROM actions WHERE "+s.Now()+" > ?", []any{0}, func(row statements.Row) error { return row.Scan(&n) })
				}))
				return n
			}
			plan := newPlan(t, open(t, lifecycle.Config{URL: url, Engines: engines}))
			if plan.ID == "" || count() != 1 {
				t.Fatalf("got %d actions, want 1", count())
			}
			mine := errors.New("mine")
			err := db.Write(ctx, func(ctx context.Context, s statements.Session) error {
				if changed, err := s.Exec(ctx, "DELETE FROM plans WHERE version >= ?", 0); err != nil || changed != 1 {
					t.Errorf("got %d changed, %v, want 1", changed, err)
				}
				return mine
			})
			if !errors.Is(err, mine) || count() != 1 {
				t.Errorf("got %v and %d actions, want %v and 1", err, count(), mine)
			}
		})
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	db := lifecycle.NewUnitOfWork(storetest.Engines(t), "nowhere://").Statements()
	for _, err := range []error{db.Read(ended, nil), db.Write(ended, nil)} {
		if err == nil {
			t.Error("got no error for an impossible database, want one")
		}
	}
}
