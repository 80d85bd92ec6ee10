package engine_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

var errBroken = errors.New("broken")

// fake is a database that only counts calls.
type fake struct {
	engine.Database
	closed  atomic.Int64
	version atomic.Int64 // the next call migrates to this one
	broken  error
}

func (f *fake) Migrate(context.Context) (int64, error) { return f.version.Swap(0), f.broken }
func (f *fake) Close() error                           { f.closed.Add(1); return f.broken }

// opener returns an opener that opens fakes and counts them.
func opener(opened *atomic.Int64, broken error) engine.Opener {
	return func(_ context.Context, u databases.URL, cfg engine.Config) (engine.Database, error) {
		if opened.Add(1) == 1 && strings.HasSuffix(u.Path, "late.db") {
			return nil, errBroken
		}
		f := &fake{broken: broken}
		f.version.Store(3)
		return f, nil
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wants(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: got %v, want %v", what, err, want)
	}
}

// R1: each URL has one engine, however it is spelt. A failure is not remembered.
func TestEngines(t *testing.T) {
	ctx := context.Background()
	var opened atomic.Int64
	var log bytes.Buffer
	engines, err := engine.New(engine.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}, opener(&opened, nil))
	check(t, err)
	_, err = engines.Engine(ctx, "sqlite:////late.db")
	wants(t, "first", err, errBroken)
	got := make([]*engine.Engine, 10)
	var done sync.WaitGroup
	for i := range got {
		done.Go(func() {
			e, err := engine.Migrated(ctx, engines, []string{"sqlite:////late.db", "sqlite:////x/../late.db"}[i%2])
			if err != nil {
				t.Error(err)
			}
			got[i] = e
		})
	}
	done.Wait()
	for _, e := range got {
		if e != got[0] || e.URL() != "sqlite:////late.db" {
			t.Errorf("got engine %p of %s, want %p of one URL", e, e.URL(), got[0])
		}
	}
	if n := opened.Load(); n != 2 {
		t.Errorf("got it opened %d times, want once more after the failure", n)
	}
	for _, want := range []string{"database engine opened", "database schema migrated", "version=3"} {
		if strings.Count(log.String(), want) != 1 {
			t.Errorf("got the log\n%s\nwant %q once", &log, want)
		}
	}
	check(t, engines.Close())
	check(t, got[0].Close())
	if n := engine.On(got[0]).(*fake).closed.Load(); n != 1 {
		t.Errorf("got it closed %d times, want once", n)
	}
	_, err = engines.Engine(ctx, "sqlite:////late.db")
	wants(t, "closed", err, faults.ErrClosed)
	wants(t, "closed twice", engines.Close(), faults.ErrClosed)
}

func TestBadInput(t *testing.T) {
	ctx := context.Background()
	var opened atomic.Int64
	engines, err := engine.New(engine.Config{BusyTimeout: -time.Second}, opener(&opened, nil))
	check(t, err)
	_, err = engine.Migrated(ctx, nil, "sqlite://")
	wants(t, "no engines", err, faults.ErrInvalid)
	var missing context.Context
	_, err = engines.Engine(missing, "sqlite://")
	wants(t, "no context", err, faults.ErrInvalid)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err = engines.Engine(ended, "postgres://u:secret@h/d"); !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v, want the context's error without the password", err)
	}
	_, err = engines.Engine(ctx, "mysql://")
	wants(t, "another database", err, faults.ErrUnsupportedURL)
	if opened.Load() != 0 {
		t.Error("got an opened database, want none")
	}
}

// An error of a database names the database.
func TestBroken(t *testing.T) {
	var opened atomic.Int64
	engines, err := engine.New(engine.Config{}, opener(&opened, errBroken))
	check(t, err)
	e, err := engine.Migrated(context.Background(), engines, "sqlite://")
	wants(t, "migrate", err, errBroken)
	for what, err := range map[string]error{"migrate": err, "close": e.Close()} {
		var failure *faults.DatabaseError
		if !errors.As(err, &failure) || failure.URL != "sqlite:///:memory:" {
			t.Errorf("%s: got %v, want it to name the database", what, err)
		}
	}
	process := engine.NewProcess(opener(&opened, errBroken))
	_, _, err = process.Migrated(context.Background(), nil, "sqlite://", engine.Config{})
	wants(t, "process", err, errBroken)
	if n := process.Len(); n != 0 {
		t.Errorf("got %d engines left over, want none", n)
	}
}

// The engines of a process exist from their first user to their last.
func TestProcess(t *testing.T) {
	ctx := context.Background()
	var opened atomic.Int64
	process := engine.NewProcess(opener(&opened, nil))
	_, _, err := process.Migrated(ctx, nil, "mysql://", engine.Config{})
	wants(t, "another database", err, faults.ErrUnsupportedURL)
	a, closeA, err := process.Migrated(ctx, nil, "sqlite://", engine.Config{})
	check(t, err)
	b, closeB, err := process.Migrated(ctx, nil, "sqlite:///:memory:", engine.Config{})
	check(t, err)
	own, err := engine.New(engine.Config{}, opener(&opened, nil))
	check(t, err)
	c, closeC, err := process.Migrated(ctx, own, "sqlite://", engine.Config{})
	check(t, err)
	if a != b || a == c || process.Len() != 1 {
		t.Errorf("got engines %p, %p and %p and %d of the process, want the first two to be its one", a, b, c, process.Len())
	}
	check(t, errors.Join(closeA(), closeC()))
	if n := engine.On(b).(*fake).closed.Load(); n != 0 {
		t.Error("got the engine closed while it had a user, want it open")
	}
	check(t, closeB())
	if n := engine.On(b).(*fake).closed.Load(); n != 1 || process.Len() != 0 {
		t.Errorf("got it closed %d times and %d engines left over, want once and none", n, process.Len())
	}
	if engine.On(c).(*fake).closed.Load() != 0 {
		t.Error("got another set's engine closed with the process's, want it open")
	}
	check(t, own.Close())
}

func TestSchema(t *testing.T) {
	s := engine.Schema{Files: fstest.MapFS{"a/b.sql": {}}, Folder: "a", Newest: 2}
	for version, want := range map[int64]bool{0: false, 1: false, 2: true} {
		if got, err := s.Current(version); err != nil || got != want {
			t.Errorf("version %d: got %t, %v, want %t", version, got, err, want)
		}
	}
	if _, err := s.Current(3); err == nil || !strings.Contains(err.Error(), "at version 3, this program knows 2") {
		t.Errorf("got %v, want it to name both versions", err)
	}
	files, err := s.Migrations()
	check(t, err)
	check(t, fstest.TestFS(files, "b.sql"))
}
