package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/schema"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

func pathOf(url string) string { return strings.TrimPrefix(url, "sqlite:///") }

// beside returns the files of a database: its own, the log and the log's index.
func beside(url string) []string {
	return []string{pathOf(url), pathOf(url) + "-wal", pathOf(url) + "-shm"}
}

func move(t *testing.T, from, to string) {
	t.Helper()
	for i, name := range beside(from) {
		check(t, os.Rename(name, beside(to)[i]))
	}
}

// everyCallFails checks that every call of a service fails.
func everyCallFails(t *testing.T, s *lifecycle.Service, p lifecycle.Plan, changeset, url string, want error) {
	t.Helper()
	for name, call := range calls(s, p, changeset) {
		failsAs(t, name, url, call(context.Background()), want)
	}
}

// A service neither reads nor writes a file that was moved away, and does not
// create a new one. When the file is back, the service continues.
func TestSQLiteFileMoved(t *testing.T) {
	url, elsewhere := storetest.FileURL(t), storetest.FileURL(t)
	engines := storetest.Engines(t)
	s := open(t, lifecycle.Config{URL: url, Engines: engines})
	p, changeset := populated(t, s)
	before := state(t, s)

	move(t, url, elsewhere)
	everyCallFails(t, s, p, changeset, url, lifecycle.ErrUnavailable)
	if _, err := os.Stat(pathOf(url)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want no new file", err)
	}
	if got := state(t, open(t, lifecycle.Config{URL: elsewhere})); got != before {
		t.Errorf("got %s\nwant it unchanged: %s", got, before)
	}

	move(t, elsewhere, url)
	if got := state(t, s); got != before {
		t.Errorf("got %s\nwant it as before: %s", got, before)
	}
	check(t, ignore(s.StartStrategize(context.Background(), p.ID)))
	check(t, engines.Close())
}

// A database that replaces another one, such as an older copy, is used from then
// on by readers and writers, whatever is cached.
func TestSQLiteFileReplaced(t *testing.T) {
	ctx := context.Background()
	url, elsewhere, away := storetest.FileURL(t), storetest.FileURL(t), storetest.FileURL(t)
	s := open(t, lifecycle.Config{URL: url})
	p, _ := populated(t, s)
	other, err := lifecycle.Open(ctx, lifecycle.Config{URL: elsewhere})
	check(t, err)
	q, _ := populated(t, other)
	before := state(t, other)
	check(t, other.Close())

	check(t, ignore(s.GetPlan(ctx, p.ID))) // is cached then
	move(t, url, away)
	check(t, os.Rename(pathOf(elsewhere), pathOf(url)))
	if _, err := s.GetPlan(ctx, p.ID); !errors.Is(err, lifecycle.ErrNotFound) {
		t.Errorf("got %v, want the plan of the replaced file not to be found", err)
	}
	if got := state(t, s); got != before {
		t.Errorf("got %s\nwant the other database: %s", got, before)
	}
	check(t, ignore(s.StartStrategize(ctx, q.ID)))
	if got, err := open(t, lifecycle.Config{URL: url}).GetPlan(ctx, q.ID); err != nil || got.Version != 2 {
		t.Errorf("got version %d, %v, want what was written since", got.Version, err)
	}
}

// A database that replaces another may have an unknown schema or none. The first
// writer migrates it.
func TestSQLiteFileReplacedByAnotherSchema(t *testing.T) {
	ctx := context.Background()
	url := storetest.FileURL(t)
	s := open(t, lifecycle.Config{URL: url})
	p, changeset := populated(t, s)
	put := func(version int) {
		t.Helper()
		for _, name := range beside(url) {
			if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
		check(t, withSQL(url, func(db sqlDB) error {
			return ignore(db.Exec(fmt.Sprint("PRAGMA user_version = ", version)))
		}))
	}
	put(schema.Newest + 1)
	everyCallFails(t, s, p, changeset, url, lifecycle.ErrNewerSchema)
	check(t, os.Remove(pathOf(url)))
	everyCallFails(t, s, p, changeset, url, lifecycle.ErrUnavailable) // without a connection no call creates a file
	put(0)
	_, err := s.GetPlan(ctx, p.ID)
	failsAs(t, "get plan", url, err, lifecycle.ErrUnavailable)
	check(t, ignore(s.CreateAction(ctx, spec("build"))))
	newPlan(t, s)
	if all, err := s.ListPlans(ctx); err != nil || len(all) != 1 {
		t.Errorf("got %v, %v, want one plan in the new database", all, err)
	}
}

// A file that is moved away during a commit may have the commit.
func TestSQLiteFileMovedDuringACommit(t *testing.T) {
	ctx := context.Background()
	url, elsewhere := storetest.FileURL(t), storetest.FileURL(t)
	engines := storetest.Engines(t)
	s := open(t, lifecycle.Config{URL: url, Engines: engines})
	p := newPlan(t, s)
	err := lifecycle.NewUnitOfWork(engines, url).Transaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
		move(t, url, elsewhere)
		return r.Changesets.Start(ctx, p.ID, "lost?", p.CreatedAt)
	})
	failsAs(t, "transaction", url, err, lifecycle.ErrOutcomeUnknown)
	move(t, elsewhere, url)
	all, err := s.ExecutionContext(p.ID).Changesets(ctx)
	if err != nil || len(all) != 1 {
		t.Errorf("got %v, %v, want the changeset in the moved file", all, err)
	}
}

// If a file is deleted, the service returns errors. It neither creates an empty
// file nor continues with one that nobody else can see.
func TestSQLiteFileDeleted(t *testing.T) {
	url := storetest.FileURL(t)
	engines := storetest.Engines(t)
	s := open(t, lifecycle.Config{URL: url, Engines: engines})
	p, changeset := populated(t, s)
	for _, name := range beside(url) {
		check(t, os.Remove(name))
	}
	everyCallFails(t, s, p, changeset, url, lifecycle.ErrUnavailable)
	check(t, engines.Close())
	if _, err := os.Stat(pathOf(url)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want no new file", err)
	}
	newPlan(t, open(t, lifecycle.Config{URL: url})) // opening creates it
}
