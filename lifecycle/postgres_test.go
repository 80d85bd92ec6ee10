package lifecycle_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/schema"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// N1: any number of callers, in two sets of engines, migrate once.
func TestPostgresMigrationsRunOnce(t *testing.T) {
	ctx := context.Background()
	url := storetest.PostgresURL(t)
	all := []*lifecycle.Engines{storetest.Engines(t), storetest.Engines(t)}
	errs := make([]error, 10)
	together(len(errs), func(i int) {
		_, errs[i] = lifecycle.NewUnitOfWork(all[i%2], url).Engine(ctx)
	})
	check(t, errors.Join(errs...))
	storetest.WithPostgres(t, url, func(conn *pgx.Conn) {
		var applied int
		check(t, conn.QueryRow(ctx, "SELECT count(*) FROM goose_db_version WHERE version_id > 0").Scan(&applied))
		if applied != schema.Newest {
			t.Errorf("got %d migrations, want %d", applied, schema.Newest)
		}
	})
}

func TestPostgresNewerSchema(t *testing.T) {
	ctx := context.Background()
	url := storetest.PostgresURL(t)
	open(t, lifecycle.Config{URL: url})
	storetest.WithPostgres(t, url, func(conn *pgx.Conn) {
		_, err := conn.Exec(ctx, "INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, true)", schema.Newest+1)
		check(t, err)
	})
	_, err := lifecycle.Open(ctx, lifecycle.Config{URL: url})
	if !errors.Is(err, lifecycle.ErrNewerSchema) {
		t.Errorf("got %v, want ErrNewerSchema", err)
	}
}

// A wait for a lock of another caller ends with the context. A call that gave up
// has changed nothing.
func TestPostgresContextEndsAWait(t *testing.T) {
	ctx := context.Background()
	url := storetest.PostgresURL(t)
	s := open(t, lifecycle.Config{URL: url})
	p, changeset := populated(t, s)
	before := state(t, s)
	storetest.WithPostgres(t, url, func(conn *pgx.Conn) {
		tx, err := conn.Begin(ctx)
		check(t, err)
		_, err = tx.Exec(ctx, "LOCK TABLE plans, actions, changesets, changes, events IN ACCESS EXCLUSIVE MODE")
		check(t, err)
		for name, call := range calls(s, p, changeset) {
			short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
			if err := call(short); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: got %v, want the context's deadline", name, err)
			}
			cancel()
		}
		check(t, tx.Rollback(ctx))
	})
	if after := state(t, s); after != before {
		t.Errorf("got %s\nwant it unchanged: %s", after, before)
	}
}

// Closing does not wait for a lock that another connection has.
func TestPostgresCloseEndsAWait(t *testing.T) {
	ctx := context.Background()
	u, err := url.Parse(storetest.PostgresURL(t))
	check(t, err)
	query := u.Query()
	query.Set("connect_timeout", fmt.Sprint(patience.Seconds())) // connecting may take long, but not the wait
	u.RawQuery = query.Encode()
	url := u.String()
	engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{BusyTimeout: 50 * time.Millisecond})
	check(t, err)
	s := open(t, lifecycle.Config{URL: url, Engines: engines})
	p := newPlan(t, s)
	storetest.WithPostgres(t, url, func(conn *pgx.Conn) {
		tx, err := conn.Begin(ctx)
		check(t, err)
		_, err = tx.Exec(ctx, "LOCK TABLE plans IN ACCESS EXCLUSIVE MODE")
		check(t, err)
		began, ended := make(chan struct{}), make(chan error, 1)
		go func() {
			close(began)
			_, err := s.GetPlan(ctx, p.ID)
			ended <- err
		}()
		<-began
		check(t, engines.Close())
		if err := <-ended; !errors.Is(err, lifecycle.ErrClosed) {
			t.Errorf("got %v, want ErrClosed", err)
		}
		check(t, tx.Rollback(ctx))
	})
}

// What a unit of work reads is still there when it commits, because nobody else
// writes meanwhile.
func TestPostgresTransactionIsAlone(t *testing.T) {
	ctx := context.Background()
	url := storetest.PostgresURL(t)
	engines := storetest.Engines(t)
	s := open(t, lifecycle.Config{URL: url, Engines: engines})
	p := newPlan(t, s)
	started := make(chan error, 1)
	err := lifecycle.NewUnitOfWork(engines, url).Transaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
		found, err := r.Plans.Get(ctx, p.ID)
		check(t, err)
		go func() {
			_, err := s.StartStrategize(context.Background(), p.ID)
			started <- err
		}()
		waitForLock(t, url)
		next := found
		next.Version++
		next.Description = "by the unit of work"
		_, swapped, err := r.Plans.Swap(ctx, next, found.Version)
		if !swapped {
			t.Error("got a write of another caller during the transaction, want none")
		}
		return err
	})
	check(t, err)
	if err := <-started; !errors.Is(err, lifecycle.ErrConflict) {
		t.Errorf("got %v, want a conflict with the unit of work", err)
	}
}

// waitForLock returns when a connection to the database waits for an advisory lock.
func waitForLock(t *testing.T, url string) {
	t.Helper()
	ctx := context.Background()
	storetest.WithPostgres(t, url, func(conn *pgx.Conn) {
		for waiting := 0; waiting == 0; {
			check(t, conn.QueryRow(ctx, `SELECT count(*) FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database
				WHERE l.locktype = 'advisory' AND NOT l.granted AND d.datname = current_database()`).Scan(&waiting))
		}
	})
}

func TestPostgresNestedTransaction(t *testing.T) {
	ctx := context.Background()
	url := storetest.PostgresURL(t)
	engines := storetest.Engines(t)
	s := open(t, lifecycle.Config{URL: url, Engines: engines})
	work := lifecycle.NewUnitOfWork(engines, url)
	calls := 0
	err := work.Transaction(ctx, func(ctx context.Context, _ lifecycle.Repositories) error {
		calls++
		_, err := s.ListPlans(ctx)
		if err == nil {
			t.Error("got a read inside a transaction that bypassed it, want an error")
		}
		return work.Transaction(ctx, func(context.Context, lifecycle.Repositories) error { return nil })
	})
	if err == nil || !strings.Contains(err.Error(), "open already") || calls != 1 {
		t.Errorf("got %v after %d calls, want an error after one", err, calls)
	}
}

// Connections are cut at random while eight goroutines work. Nothing acknowledged
// is lost, nothing happens twice, and a failed call has changed nothing unless its
// answer was lost.
func TestPostgresConnectionsCut(t *testing.T) {
	ctx := context.Background()
	address := storetest.PostgresURL(t)
	s := open(t, lifecycle.Config{URL: address})
	c := s.ExecutionContext(newPlan(t, s).ID)
	_, err := c.StartChangeset(ctx)
	check(t, err)

	const goroutines, each = 8, 25
	answers := make(chan struct{}, goroutines*each) // constant cuts would let no call get an answer
	var cuts int
	var cutter sync.WaitGroup
	cutter.Go(func() {
		storetest.WithPostgres(t, address, func(conn *pgx.Conn) {
			for n := 1; ; n++ {
				if _, more := <-answers; !more {
					return
				} else if n%3 > 0 {
					continue
				}
				var cut int
				check(t, conn.QueryRow(ctx, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
					WHERE datname = current_database() AND pid <> pg_backend_pid()`).Scan(&cut))
				cuts += cut
			}
		})
	})
	var mu sync.Mutex
	acknowledged, open := map[string]bool{}, map[string]bool{}
	together(goroutines, func(i int) {
		for k := range each {
			path := fmt.Sprint(i, "/", k)
			_, err := c.RecordChange(ctx, entry(path))
			mu.Lock()
			switch {
			case err == nil:
				acknowledged[path] = true
			case errors.Is(err, lifecycle.ErrOutcomeUnknown):
				open[path] = true
			case !errors.Is(err, lifecycle.ErrUnavailable):
				t.Errorf("got %v, want ErrUnavailable or ErrOutcomeUnknown", err)
			}
			mu.Unlock()
			answers <- struct{}{}
		}
	})
	close(answers)
	cutter.Wait()
	all, err := c.Changesets(ctx)
	check(t, err)
	found := map[string]int{}
	for _, path := range paths(all[0]) {
		found[path]++
		if !acknowledged[path] && !open[path] || found[path] > 1 {
			t.Errorf("got %s %d times; acknowledged %v, unknown %v", path, found[path], acknowledged[path], open[path])
		}
	}
	for path := range acknowledged {
		if found[path] != 1 {
			t.Errorf("got no %s, which was acknowledged", path)
		}
	}
	t.Logf("%d connections cut; %d acknowledged, %d unknown", cuts, len(acknowledged), len(open))
}

// Calls fail while the server is away, and work again when it is back, on the same
// service.
func TestPostgresRestart(t *testing.T) {
	ctx := context.Background()
	server := storetest.OwnServer(t)
	engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{BusyTimeout: -1})
	check(t, err)
	t.Cleanup(func() { _ = engines.Close() })
	s := open(t, lifecycle.Config{URL: storetest.PostgresURL(t), Engines: engines})
	p, changeset := populated(t, s)
	before := state(t, s)
	check(t, server.Stop())
	for name, call := range calls(s, p, changeset) {
		if err := call(ctx); !errors.Is(err, lifecycle.ErrUnavailable) {
			t.Errorf("%s: got %v, want ErrUnavailable", name, err)
		}
	}
	check(t, server.Start(ctx))
	if after := state(t, s); after != before {
		t.Errorf("got %s\nwant it as before: %s", after, before)
	}
	_, err = s.StartStrategize(ctx, p.ID)
	check(t, err)
}

// A password is never shown.
func TestPostgresPasswordIsNotShown(t *testing.T) {
	ctx := context.Background()
	var log bytes.Buffer
	u, err := url.Parse(storetest.PostgresURL(t))
	check(t, err)
	u.User = url.UserPassword(u.User.Username(), "secret")
	engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{BusyTimeout: -1, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	check(t, err)
	_, err = lifecycle.Migrate(ctx, engines, u.String())
	check(t, err)
	u.Path = "/missing"
	for _, bad := range []string{u.String(), "postgres://u:secret@127.0.0.1:1/db", "postgres://u@127.0.0.1:1/db?password=secret"} {
		_, err := engines.Engine(ctx, bad)
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("got %v, want an error without the password", err)
		}
	}
	check(t, engines.Close())
	if strings.Contains(log.String(), "secret") || !strings.Contains(log.String(), "postgres://") {
		t.Errorf("got %s\nwant the URL without the password", log.String())
	}
}

// All spellings of a URL give one engine.
func TestPostgresURLs(t *testing.T) {
	ctx := context.Background()
	engines := storetest.Engines(t)
	u, err := url.Parse(storetest.PostgresURL(t))
	check(t, err)
	first, err := engines.Engine(ctx, u.String())
	check(t, err)
	u.Scheme = "postgresql"
	second, err := engines.Engine(ctx, u.String())
	check(t, err)
	u.Scheme = "POSTGRES"
	third, err := engines.Engine(ctx, u.String())
	check(t, err)
	if first != second || first != third {
		t.Errorf("got three engines %p, %p, %p, want one", first, second, third)
	}
}

// A context that ends before the commit, or before the call, changes nothing.
func TestPostgresContextEndsBeforeCommit(t *testing.T) {
	url := storetest.PostgresURL(t)
	engines := storetest.Engines(t)
	s := open(t, lifecycle.Config{URL: url, Engines: engines})
	p := newPlan(t, s)
	before := state(t, s)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	work := lifecycle.NewUnitOfWork(engines, url)
	for range 2 {
		err := work.Transaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
			defer cancel()
			return r.Changesets.Start(ctx, p.ID, "never", p.CreatedAt)
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
	}
	if after := state(t, s); after != before {
		t.Errorf("got %s\nwant it unchanged: %s", after, before)
	}
}

// A call that waits for an absent server ends with its context or its engine.
func TestPostgresWaitForServerEnds(t *testing.T) {
	server := storetest.OwnServer(t)
	engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{BusyTimeout: time.Hour})
	check(t, err)
	s := open(t, lifecycle.Config{URL: storetest.PostgresURL(t), Engines: engines})
	p := newPlan(t, s)
	check(t, server.Stop())
	short, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := s.GetPlan(short, p.ID); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the context's deadline", err)
	}
	ended := make(chan error, 1)
	retries := s.Stats().Retries
	go func() {
		_, err := s.GetPlan(context.Background(), p.ID)
		ended <- err
	}()
	for s.Stats().Retries == retries {
		runtime.Gosched()
	}
	check(t, engines.Close())
	if err := <-ended; !errors.Is(err, lifecycle.ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
	check(t, server.Start(context.Background()))
}
