package lifecycle_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// lockDatabase takes a write lock on a database file from outside the package.
func lockDatabase(t *testing.T, url string) (unlock func()) {
	t.Helper()
	locked, release, done := make(chan error), make(chan struct{}), make(chan error)
	go func() {
		done <- withSQL(url, func(db sqlDB) error {
			_, err := db.Exec("BEGIN IMMEDIATE")
			locked <- err
			<-release
			_, err2 := db.Exec("ROLLBACK")
			return errors.Join(err, err2)
		})
	}()
	check(t, <-locked)
	return func() {
		close(release)
		check(t, <-done)
	}
}

func TestBusyTimeout(t *testing.T) {
	ctx := context.Background()
	url := storetest.FileURL(t)
	for _, timeout := range []time.Duration{-1, 20 * time.Millisecond} {
		engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{BusyTimeout: timeout, RelaxedDurability: true})
		check(t, err)
		s := open(t, lifecycle.Config{URL: url, Engines: engines})
		p := newPlan(t, s)
		unlock := lockDatabase(t, url)
		if _, err := s.StartStrategize(ctx, p.ID); !errors.Is(err, lifecycle.ErrBusy) {
			t.Errorf("got %v, want ErrBusy", err)
		}
		if _, err := s.UseAction(ctx, "build", lifecycle.UseOptions{}); !errors.Is(err, lifecycle.ErrBusy) {
			t.Errorf("got %v, want ErrBusy", err)
		}
		if got, err := s.GetPlan(ctx, p.ID); err != nil || got.Version != 1 {
			t.Errorf("got version %d, %v, want reads to go on", got.Version, err)
		}
		unlock()
		if _, err := s.StartStrategize(ctx, p.ID); err != nil {
			t.Errorf("got %v, want the transition now", err)
		}
		check(t, engines.Close())
	}
}

// A wait for another process's lock ends with the context or when the database is
// closed. Then nothing is changed.
func TestWaitForALockEnds(t *testing.T) {
	url := storetest.FileURL(t)
	engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{BusyTimeout: time.Hour})
	check(t, err)
	s := open(t, lifecycle.Config{URL: url, Engines: engines})
	p := newPlan(t, s)
	unlock := lockDatabase(t, url)

	// until calls with ever more time, until the context has ended that wait.
	until := func(wait string) {
		t.Helper()
		for d := 10 * time.Millisecond; ; d *= 2 {
			ctx, cancel := context.WithTimeout(context.Background(), d)
			_, err := s.StartStrategize(ctx, p.ID)
			if cancel(); !errors.Is(err, context.DeadlineExceeded) || d > time.Hour {
				t.Fatalf("got %v, want the context to end the %s", err, wait)
			}
			if strings.Contains(err.Error(), wait) {
				return
			}
		}
	}
	until("wait for a lock")
	failed := make(chan error)
	go func() { _, err := s.StartStrategize(context.Background(), p.ID); failed <- err }()
	until("wait for sqlite") // the other call has its turn
	check(t, engines.Close())
	if err := <-failed; !errors.Is(err, lifecycle.ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
	unlock()
	if got, err := open(t, lifecycle.Config{URL: url}).GetPlan(context.Background(), p.ID); err != nil || got.Version != 1 {
		t.Errorf("got version %d, %v, want it unchanged", got.Version, err)
	}
}

// A caller waits for its turn only until its context ends.
func TestWaitForATurnEnds(t *testing.T) {
	for _, store := range stores[1:] {
		t.Run(store.name, func(t *testing.T) {
			url, engines := store.url(t), storetest.Engines(t)
			s := open(t, lifecycle.Config{URL: url, Engines: engines})
			p := newPlan(t, s)
			work := lifecycle.NewUnitOfWork(engines, url)
			err := work.Transaction(context.Background(), func(context.Context, lifecycle.Repositories) error {
				ctx, cancel := context.WithCancel(context.Background())
				failed := make(chan error)
				go func() { _, err := s.ExecutionContext(p.ID).StartChangeset(ctx); failed <- err }()
				cancel()
				if err := <-failed; !errors.Is(err, context.Canceled) {
					t.Errorf("got %v, want context.Canceled", err)
				}
				return nil
			})
			check(t, err)
		})
	}
}
