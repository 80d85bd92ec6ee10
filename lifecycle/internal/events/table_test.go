package events_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/events"
	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// faulty is a database that fails one statement.
type faulty struct {
	engine.Database
	at int // which one, counted down; 0 means none
}

func (f *faulty) Read(ctx context.Context, do func(context.Context, engine.Session) error) error {
	return f.Database.Read(ctx, func(ctx context.Context, s engine.Session) error { return do(ctx, faultySession{s, f}) })
}

func (f *faulty) Write(ctx context.Context, do func(context.Context, engine.Session) error) error {
	return f.Database.Write(ctx, func(ctx context.Context, s engine.Session) error { return do(ctx, faultySession{s, f}) })
}

func (f *faulty) step() error {
	if f.at--; f.at == 0 {
		return storetest.ErrInjected
	}
	return nil
}

type faultySession struct {
	engine.Session
	faulty *faulty
}

func (s faultySession) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	if err := s.faulty.step(); err != nil {
		return 0, err
	}
	return s.Session.Exec(ctx, query, args...)
}

func (s faultySession) Query(ctx context.Context, query string, args []any, scan func(statements.Row) error) error {
	if err := s.faulty.step(); err != nil {
		return err
	}
	return s.Session.Query(ctx, query, args, scan)
}

// onTables runs a test on a database of each kind with n events. Their positions are
// not assigned yet if the database assigns them later.
func onTables(t *testing.T, n int, test func(t *testing.T, f *faulty, table events.Table)) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		if url == "" {
			return // memory has no table
		}
		ctx := context.Background()
		e, err := storetest.Engines(t).Engine(ctx, url)
		check(t, err)
		check(t, e.Migrate(ctx))
		check(t, engine.On(e).Write(ctx, func(ctx context.Context, s engine.Session) error {
			for range n {
				_, err := s.Exec(ctx, `INSERT INTO events (plan_id, version, phase, state, archived, deleted, at)
					VALUES ('a', 1, 'strategize', 'queued', 0, 0, 0)`)
				if err != nil {
					return err
				}
			}
			return nil
		}))
		f := &faulty{Database: engine.On(e)}
		test(t, f, events.Table{Database: f})
	})
}

// If a statement fails, its call returns an error and the next finds no change.
func TestTableFaults(t *testing.T) {
	ctx := context.Background()
	onTables(t, 2, func(t *testing.T, f *faulty, table events.Table) {
		for name, call := range map[string]func() error{
			"after": func() error { _, err := table.After(ctx, 0, 10); return err },
			"last":  func() error { _, err := table.Last(ctx); return err },
			"prune": func() error { _, err := table.Prune(ctx, time.Now().Add(-time.Hour)); return err },
		} {
			f.at = 1
			if err := call(); !errors.Is(err, storetest.ErrInjected) {
				t.Errorf("%s: got %v, want the fault", name, err)
			}
		}
		for at := 2; ; at++ {
			f.at = at
			n, err := table.Prune(ctx, time.Now().Add(time.Hour))
			if err == nil {
				if n != 2 {
					t.Errorf("got %d pruned, want 2", n)
				}
				break
			}
			if n != 0 || !errors.Is(err, storetest.ErrInjected) {
				t.Errorf("statement %d: got %d pruned, %v, want the fault", at, n, err)
			}
			f.at = 0
			if last, err := table.Last(ctx); err != nil || last != 2 {
				t.Errorf("statement %d: got %d, %v, want 2", at, last, err)
			}
		}
	})
}

// Events without positions, because assigning them fails, are not missed later.
func TestTableNumbersLater(t *testing.T) {
	ctx := context.Background()
	onTables(t, 300, func(t *testing.T, f *faulty, table events.Table) {
		for at := 1; at < 4; at++ {
			f.at = at
			all, err := table.After(ctx, 0, 1000)
			f.at = 0
			switch {
			case err == nil && len(all) > 0 && all[0].Cursor == 1:
			case !errors.Is(err, storetest.ErrInjected):
				t.Errorf("statement %d: got %d events, %v, want the fault or events", at, len(all), err)
			}
		}
		var got events.Cursor
		for {
			page, err := table.After(ctx, got, 100)
			check(t, err)
			if len(page) == 0 {
				break
			}
			for _, e := range page {
				if got++; e.Cursor != got {
					t.Errorf("got %+v, want cursor %d", e, got)
				}
			}
		}
		if got != 300 {
			t.Errorf("got %d events, want 300", got)
		}
		if last, err := table.Last(ctx); err != nil || last != 300 {
			t.Errorf("got %d, %v, want 300", last, err)
		}
	})
}
