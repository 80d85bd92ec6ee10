package postgres_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
	"github.com/jacquard-go/jacquard/lifecycle/internal/postgres"
	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// notes is a schema with one table.
var notes = storetest.NotesSchema()

var config = engine.Config{BusyTimeout: patience, RelaxedDurability: true, Logger: slog.New(slog.DiscardHandler)}

func wants(t testing.TB, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: got %v, want %v", what, err, want)
	}
}

// open opens and migrates a database, which is closed with the test.
func open(t testing.TB, url string, cfg engine.Config) *postgres.Database {
	t.Helper()
	ctx := context.Background()
	u, err := databases.ParseURL(url)
	check(t, err)
	d, err := postgres.Open(ctx, u, cfg, notes)
	check(t, err)
	t.Cleanup(func() {
		if _, err := storetest.Notes(ctx, d); !errors.Is(err, faults.ErrClosed) {
			check(t, d.Close())
		}
	})
	_, err = d.Migrate(ctx)
	check(t, err)
	return d
}

func insert(ctx context.Context, s engine.Session) error {
	_, err := s.Exec(ctx, "INSERT INTO notes VALUES (?)", 1)
	return err
}

// cut cuts all other connections to a database.
func cut(t testing.TB, url string) {
	t.Helper()
	storetest.WithPostgres(t, url, func(conn *pgx.Conn) {
		_, err := conn.Exec(context.Background(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		check(t, err)
	})
}

func TestReadAndWrite(t *testing.T) {
	ctx := context.Background()
	d := open(t, storetest.PostgresURL(t), config)
	check(t, d.Write(ctx, insert))
	check(t, d.Statement(ctx, insert))
	check(t, d.Alone(ctx, true, insert))
	check(t, d.Alone(ctx, false, insert))
	storetest.WantNotes(t, d, 4)
	if version, err := d.Migrate(ctx); err != nil || version != 0 {
		t.Errorf("got version %d, %v, want nothing to do", version, err)
	}
	if n := d.Retries(); n != 0 {
		t.Errorf("got %d retries, want none", n)
	}
}

// The parts of a statement that depend on the database have the right values.
func TestDialect(t *testing.T) {
	ctx := context.Background()
	d := open(t, storetest.PostgresURL(t), config)
	var now int64
	yes, no := false, true
	check(t, d.Write(ctx, func(ctx context.Context, s engine.Session) error {
		holds := func(document string) string {
			return strings.NewReplacer("'%s'", "'ready'", "%s", "'"+document+"'").Replace(s.Dialect().True)
		}
		query := "SELECT " + s.Now() + ", " + holds(`{"ready":true}`) + ", " + holds(`{"steady":true}`)
		err := s.Query(ctx, query, nil, func(row statements.Row) error { return row.Scan(&now, &yes, &no) })
		return errors.Join(err, s.Query(ctx, "SELECT n FROM notes"+s.Dialect().Lock, nil, nil))
	}))
	if now <= 0 || !yes || no {
		t.Errorf("got the time %d, %t for true and %t for false, want a time, true and false", now, yes, no)
	}
}

// A failed or late transaction is rolled back. A wrong statement returns an error.
func TestRollback(t *testing.T) {
	d := open(t, storetest.PostgresURL(t), config)
	mine := errors.New("mine")
	failing := func(ctx context.Context, s engine.Session) error { return errors.Join(insert(ctx, s), mine) }
	wants(t, "write", d.Write(context.Background(), failing), mine)
	wants(t, "alone", d.Alone(context.Background(), false, failing), mine)
	ctx, cancel := context.WithCancel(context.Background())
	wants(t, "too late", d.Write(ctx, func(ctx context.Context, s engine.Session) error {
		defer cancel()
		return insert(ctx, s)
	}), context.Canceled)
	wants(t, "not begun", d.Write(ctx, insert), context.Canceled)
	check(t, d.Read(context.Background(), func(ctx context.Context, s engine.Session) error {
		if err := s.Query(ctx, "SELECT nothing", nil, nil); err == nil {
			t.Error("got no error for a missing column, want one")
		}
		_, err := s.Exec(ctx, "INSERT INTO notes VALUES (?)", 1)
		wants(t, "row", s.Query(ctx, "SELECT n FROM notes", nil, func(statements.Row) error { return mine }), faults.ErrCorrupt)
		return err
	}))
	storetest.WantNotes(t, d, 1)
}

// A call within a transaction might wait for it, so it is refused.
func TestNested(t *testing.T) {
	d := open(t, storetest.PostgresURL(t), config)
	check(t, d.Alone(context.Background(), false, func(ctx context.Context, _ engine.Session) error {
		_, err := storetest.Notes(ctx, d)
		wants(t, "read", err, engine.ErrNested)
		wants(t, "write", d.Write(ctx, insert), engine.ErrNested)
		wants(t, "alone", d.Alone(ctx, true, insert), engine.ErrNested)
		return nil
	}))
}

// A call is repeated after its connection was cut, if it may be.
func TestConnectionCut(t *testing.T) {
	ctx := context.Background()
	url := storetest.PostgresURL(t)
	d := open(t, url, config)
	calls := 0
	cutOff := func(ctx context.Context, s engine.Session) error {
		if calls++; calls%3 != 0 {
			cut(t, url)
		}
		return insert(ctx, s)
	}
	check(t, d.Alone(ctx, true, cutOff))
	check(t, d.Write(ctx, cutOff))
	if calls != 6 || d.Retries() < 4 {
		t.Errorf("got %d calls and %d retries, want 6, and 4 at least", calls, d.Retries())
	}
	wants(t, "once", d.Alone(ctx, false, cutOff), faults.ErrUnavailable)
	storetest.WantNotes(t, d, 2)
	ctx, cancel := context.WithCancel(ctx)
	wants(t, "given up", d.Write(ctx, func(ctx context.Context, s engine.Session) error {
		cut(t, url)
		err := insert(ctx, s)
		cancel()
		return err
	}), context.Canceled)
	ctx = context.Background()
	impatient := open(t, url, engine.Config{Logger: config.Logger})
	wants(t, "without patience", impatient.Write(ctx, func(ctx context.Context, s engine.Session) error {
		cut(t, url)
		return insert(ctx, s)
	}), faults.ErrUnavailable)
}

// Close waits for running calls as long as a call may wait, and then ends them.
func TestClose(t *testing.T) {
	ctx := context.Background()
	url := storetest.PostgresURL(t)
	cfg := config
	cfg.BusyTimeout = 20 * time.Millisecond
	u, err := databases.ParseURL(url + "&connect_timeout=600") // connecting may take long, but not the wait
	check(t, err)
	d, err := postgres.Open(ctx, u, cfg, notes)
	check(t, err)
	_, err = d.Migrate(ctx)
	check(t, err)
	began, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- d.Write(ctx, func(ctx context.Context, s engine.Session) error {
			close(began)
			_, err := s.Exec(ctx, "SELECT pg_sleep(3600)")
			return err
		})
	}()
	<-began
	check(t, d.Close())
	wants(t, "under way", <-ended, faults.ErrClosed)
	wants(t, "later", d.Write(ctx, insert), faults.ErrClosed)
	wants(t, "later alone", d.Alone(ctx, false, insert), faults.ErrClosed)
}

// Of several callers that migrate one does it. One that knows only an older schema
// gets an error.
func TestMigrate(t *testing.T) {
	ctx := context.Background()
	url := storetest.PostgresURL(t)
	u, err := databases.ParseURL(url)
	check(t, err)
	d, err := postgres.Open(ctx, u, config, notes)
	check(t, err)
	versions := make(chan int64, 5)
	for range cap(versions) {
		go func() {
			version, err := d.Migrate(ctx)
			if err != nil {
				t.Error(err)
			}
			versions <- version
		}()
	}
	ran := 0
	for range cap(versions) {
		if <-versions != 0 {
			ran++
		}
	}
	if ran != 1 {
		t.Errorf("got %d that migrated, want one", ran)
	}
	check(t, d.Close())

	old, err := postgres.Open(ctx, u, config, engine.Schema{})
	check(t, err)
	_, err = old.Migrate(ctx)
	wants(t, "older program", err, faults.ErrNewerSchema)
	check(t, old.Close())

	other := storetest.PostgresURL(t)
	storetest.WithPostgres(t, other, func(conn *pgx.Conn) {
		_, err := conn.Exec(ctx, "CREATE TABLE goose_db_version (somebody TEXT)")
		check(t, err)
		u, err := databases.ParseURL(other)
		check(t, err)
		d, err := postgres.Open(ctx, u, config, notes)
		check(t, err)
		if version, err := d.Migrate(ctx); err == nil || version != 0 {
			t.Errorf("got version %d, %v, want an error for a table that is somebody else's", version, err)
		}
		check(t, d.Close())
		_, err = conn.Exec(ctx, "DROP TABLE goose_db_version")
		check(t, err)
	})
	for _, folder := range []string{"../notes", "nowhere"} {
		bad := notes
		bad.Folder = folder
		u, err := databases.ParseURL(other)
		check(t, err)
		d, err := postgres.Open(ctx, u, config, bad)
		check(t, err)
		if version, err := d.Migrate(ctx); err == nil || version != 0 {
			t.Errorf("%s: got version %d, %v, want an error", folder, version, err)
		}
		check(t, d.Close())
	}
}

// A migration that another process is making is waited for until the context ends.
// Afterwards it is found done.
func TestMigrationHeldUp(t *testing.T) {
	url := storetest.PostgresURL(t)
	u, err := databases.ParseURL(url)
	check(t, err)
	d, err := postgres.Open(context.Background(), u, config, notes)
	check(t, err)
	defer func() { check(t, d.Close()) }()
	storetest.WithPostgres(t, url, func(conn *pgx.Conn) {
		_, err := conn.Exec(context.Background(),
			"SELECT pg_advisory_lock(1784767827, hashtext('jacquard migration ' || current_schema()))")
		check(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		errs := make(chan error, 2)
		for range cap(errs) { // one waits for the other process, and one for the first
			go func() { _, err := d.Migrate(ctx); errs <- err }()
		}
		await := func(want int) {
			for waiting := 0; waiting != want; {
				check(t, conn.QueryRow(context.Background(), `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
					AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`).Scan(&waiting))
			}
		}
		await(1)
		cancel()
		for range cap(errs) {
			wants(t, "held up", <-errs, context.Canceled)
		}
		await(0)
		other, err := postgres.Open(context.Background(), u, config, notes)
		check(t, err)
		defer func() { check(t, other.Close()) }()
		versions := make(chan int64, 2)
		for _, d := range []*postgres.Database{d, other} {
			go func() {
				version, err := d.Migrate(context.Background())
				if err != nil {
					t.Error(err)
				}
				versions <- version
			}()
		}
		await(2)
		_, err = conn.Exec(context.Background(), "SELECT pg_advisory_unlock_all()")
		check(t, err)
		if a, b := <-versions, <-versions; a+b != notes.Newest {
			t.Errorf("got versions %d and %d, want %d from one and 0 from the other", a, b, notes.Newest)
		}
	})
}

// An absent server is unavailable. A URL that the driver refuses is an error.
func TestCannotOpen(t *testing.T) {
	ctx := context.Background()
	_, err := postgres.Open(ctx, databases.URL{Server: "postgres://jacquard@127.0.0.1:1/none"}, engine.Config{}, notes)
	wants(t, "no server", err, faults.ErrUnavailable)
	if _, err := postgres.Open(ctx, databases.URL{Server: "postgres://127.0.0.1:none"}, config, notes); err == nil {
		t.Error("got no error for an invalid port, want one")
	}
}
