package lifecycle_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/schema"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// sqlDB is a connection to a database that bypasses the package.
type sqlDB = *sql.DB

// withSQL opens the database of a URL without the package.
func withSQL(url string, f func(sqlDB) error) error {
	db, err := sql.Open("sqlite", strings.TrimPrefix(url, "sqlite:///"))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	return errors.Join(f(db), db.Close())
}

func TestEngineURLs(t *testing.T) {
	ctx := context.Background()
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	check(t, err)
	engines := storetest.Engines(t)
	same := [][]string{
		{"sqlite:///:memory:", "sqlite://", "SQLite:///:memory:"},
		{"sqlite:///plans.db", "sqlite:///./x/../plans.db", "sqlite:///" + here + "/plans.db"},
		{"sqlite:///with space #1 100% ü.db"},
		{"sqlite:///file:odd.db"},
	}
	seen := make(map[*lifecycle.Engine]string)
	for _, urls := range same {
		first, err := engines.Engine(ctx, urls[0])
		check(t, err)
		if other, ok := seen[first]; ok {
			t.Errorf("got one engine for %s and %s, want two", urls[0], other)
		}
		seen[first] = urls[0]
		check(t, first.Migrate(ctx))
		for _, url := range append(urls, first.URL()) {
			if got, err := engines.Engine(ctx, url); err != nil || got != first {
				t.Errorf("%s: got another engine or %v, want the one of %s", url, err, urls[0])
			}
		}
	}
	for _, name := range []string{"plans.db", "with space #1 100% ü.db", "file:odd.db"} {
		if _, err := os.Stat(name); err != nil {
			t.Errorf("got %v, want a database file", err)
		}
	}
}

// The error of a caller that leaves before the engine is there names the database, without its password.
func TestLeavingAnEngine(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := storetest.Engines(t).Engine(ctx, "postgres://user:secret@host/plans")
	if !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "@host/plans") {
		t.Errorf("got %v, want the context's error, with the database's name and no password", err)
	}
}

func TestBadURLs(t *testing.T) {
	engines := storetest.Engines(t)
	tests := map[string]error{
		"":                       lifecycle.ErrUnsupportedURL,
		"plans.db":               lifecycle.ErrUnsupportedURL,
		"mysql://host/db":        lifecycle.ErrUnsupportedURL,
		"postgres":               lifecycle.ErrUnsupportedURL,
		"postgres:host/db":       lifecycle.ErrUnsupportedURL,
		"sqlite:/plans.db":       lifecycle.ErrUnsupportedURL,
		"sqlite://host/plans.db": lifecycle.ErrInvalid,
		"sqlite:///":             lifecycle.ErrInvalid,
		"sqlite:///plans/":       lifecycle.ErrInvalid,
		"sqlite:///plans.db?a=b": lifecycle.ErrInvalid,
		"sqlite:///a\x00b":       lifecycle.ErrInvalid,
		"sqlite:///:memory:?a=b": lifecycle.ErrInvalid,

		"postgres://host:port/db":                  lifecycle.ErrInvalid,
		"postgres://host/db?sslmode=perhaps":       lifecycle.ErrInvalid,
		"postgres://host/db?pool_max_conns=no":     lifecycle.ErrInvalid,
		"postgresql://user:secret@[::1/db":         lifecycle.ErrInvalid,
		"postgres://host/db\x00":                   lifecycle.ErrInvalid,
		"postgres://host/" + "%zz?password=secret": lifecycle.ErrInvalid,
	}
	for url, want := range tests {
		if _, err := engines.Engine(context.Background(), url); !errors.Is(err, want) {
			t.Errorf("%q: got %v, want %v", url, err, want)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: got %v, want no password", url, err)
		}
		_, err := lifecycle.Migrate(context.Background(), engines, url)
		if !errors.Is(err, want) {
			t.Errorf("%q: got %v, want %v", url, err, want)
		}
		if url == "" {
			continue
		}
		if _, err := lifecycle.Open(context.Background(), lifecycle.Config{URL: url}); !errors.Is(err, want) {
			t.Errorf("%q: got %v, want %v", url, err, want)
		}
	}
}

func TestInMemoryDatabasesOfTwoEngines(t *testing.T) {
	ctx := context.Background()
	const url = "sqlite:///:memory:"
	a, b := open(t, lifecycle.Config{URL: url}), open(t, lifecycle.Config{URL: url})
	newPlan(t, a)
	if all, err := b.ListPlans(ctx); err != nil || len(all) != 0 {
		t.Errorf("got %v, %v, want nothing of the other", all, err)
	}
}

// A failed creation is not remembered.
func TestFailedEngineIsNotRemembered(t *testing.T) {
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "later")
	engines := storetest.Engines(t)
	url := "sqlite:///" + filepath.Join(dir, "plans.db")
	if _, err := engines.Engine(ctx, url); err == nil {
		t.Fatal("got an engine in a missing directory, want an error")
	}
	check(t, os.Mkdir(dir, 0o755))
	if _, err := engines.Engine(ctx, url); err != nil {
		t.Errorf("got %v, want an engine now", err)
	}
}

func TestFileThatIsNoDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plans.db")
	check(t, os.WriteFile(path, bytes.Repeat([]byte("not a database. "), 100), 0o644))
	_, err := lifecycle.Open(context.Background(), lifecycle.Config{URL: "sqlite:///" + path})
	if err == nil || !strings.Contains(err.Error(), "not a database") || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v, want it to say that %s is not a database", err, path)
	}
}

func TestNewerSchema(t *testing.T) {
	url := storetest.FileURL(t)
	check(t, open(t, lifecycle.Config{URL: url}).Close())
	check(t, withSQL(url, func(db sqlDB) error {
		_, err := db.Exec(fmt.Sprint("PRAGMA user_version = ", schema.Newest+1))
		return err
	}))
	_, err := lifecycle.Open(context.Background(), lifecycle.Config{URL: url, Engines: storetest.Engines(t)})
	if !errors.Is(err, lifecycle.ErrNewerSchema) {
		t.Errorf("got %v, want ErrNewerSchema", err)
	}
}

func TestSchemaVersionIsTheNewestMigration(t *testing.T) {
	dirs, err := fs.ReadDir(schema.Migrations, "migrations")
	check(t, err)
	for _, dir := range dirs {
		files, err := fs.ReadDir(schema.Migrations, "migrations/"+dir.Name())
		check(t, err)
		for i, file := range files {
			number := regexp.MustCompile(`^\d{5}`).FindString(file.Name())
			if n, err := strconv.Atoi(number); err != nil || n != i+1 {
				t.Errorf("got migration %s/%s, want it numbered %05d", dir.Name(), file.Name(), i+1)
			}
		}
		if len(files) != schema.Newest {
			t.Errorf("%s: got %d migrations, want %d", dir.Name(), len(files), schema.Newest)
		}
	}
}

func TestEnginesClose(t *testing.T) {
	ctx := context.Background()
	var log bytes.Buffer
	engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	check(t, err)
	one, two := storetest.FileURL(t), storetest.FileURL(t)
	s := open(t, lifecycle.Config{URL: one, Engines: engines})
	p := newPlan(t, s)
	engine, err := engines.Engine(ctx, two)
	check(t, err)
	check(t, engines.Close())
	closed := regexp.MustCompile(`closed.*url=(\S+)`).FindAllStringSubmatch(log.String(), -1)
	if len(closed) != 2 || closed[0][1] != two || closed[1][1] != one {
		t.Errorf("got %q, want the younger engine closed before the older", closed)
	}
	_, get := s.GetPlan(ctx, p.ID)
	_, use := s.UseAction(ctx, "build", lifecycle.UseOptions{})
	_, again := engines.Engine(ctx, one)
	for i, err := range []error{get, use, again, engines.Close(), engine.Migrate(ctx)} {
		if !errors.Is(err, lifecycle.ErrClosed) {
			t.Errorf("%d: got %v, want ErrClosed", i, err)
		}
	}
	check(t, engine.Close()) // a second time
}
