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

// beside returns what SQLite keeps of a database: the file, the log and its
// index.
func beside(url string) []string {
	return []string{pathOf(url), pathOf(url) + "-wal", pathOf(url) + "-shm"}
}

// move moves a database.
func move(t *testing.T, from, to string) {
	t.Helper()
	for i, name := range beside(from) {
		check(t, os.Rename(name, beside(to)[i]))
	}
}

// everyCallFails checks that no call of a service is answered.
func everyCallFails(t *testing.T, s *lifecycle.Service, p lifecycle.Plan, changeset, url string, want error) {
	t.Helper()
	for name, call := range calls(s, p, changeset) {
		failsAs(t, name, url, call(context.Background()), want)
	}
}

// A file that has been moved is not written to, nor read from, by those who
// know it by its old name, and not made anew. When it is back they go on.
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

// A database that is replaced, say by a copy from before, is the database from
// then on, for its readers and its writers: no cache knows better.
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

	check(t, ignore(s.GetPlan(ctx, p.ID))) // cached
	move(t, url, away)
	check(t, os.Rename(pathOf(elsewhere), pathOf(url)))
	if _, err := s.GetPlan(ctx, p.ID); !errors.Is(err, lifecycle.ErrNotFound) {
		t.Errorf("got %v, want the plan of the file before to be unknown", err)
	}
	if got := state(t, s); got != before {
		t.Errorf("got %s\nwant the other database: %s", got, before)
	}
	check(t, ignore(s.StartStrategize(ctx, q.ID)))
	if got, err := open(t, lifecycle.Config{URL: url}).GetPlan(ctx, q.ID); err != nil || got.Version != 2 {
		t.Errorf("got version %d, %v, want what was written since", got.Version, err)
	}
}

// What takes the place of a database may have a schema that this program does
// not know, or none: whoever writes first brings it up to date.
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
	everyCallFails(t, s, p, changeset, url, lifecycle.ErrUnavailable) // without a connection none makes a file
	put(0)
	_, err := s.GetPlan(ctx, p.ID)
	failsAs(t, "get plan", url, err, lifecycle.ErrUnavailable)
	check(t, ignore(s.CreateAction(ctx, spec("build"))))
	newPlan(t, s)
	if all, err := s.ListPlans(ctx); err != nil || len(all) != 1 {
		t.Errorf("got %v, %v, want one plan in the new database", all, err)
	}
}

// A file that goes away during a commit may have taken it along.
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
		t.Errorf("got %v, %v, want the changeset that was moved with its file", all, err)
	}
}

// A file that is deleted is gone: the service says so, and neither makes an
// empty one nor goes on with what nobody else can see.
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
	newPlan(t, open(t, lifecycle.Config{URL: url})) // whoever opens it makes it
}
