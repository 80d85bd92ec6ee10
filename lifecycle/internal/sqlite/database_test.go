package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
	"github.com/jacquard-go/jacquard/lifecycle/internal/sqlite"
	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wants(t testing.TB, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: got %v, want %v", what, err, want)
	}
}

// schema has one table of notes.
var schema = storetest.NotesSchema()

// config does not sync to the disk, and does not wait for locks.
var config = engine.Config{RelaxedDurability: true}

// inMemory is the URL of a database in memory.
var inMemory = databases.URL{Path: databases.InMemory}

func newFile(t testing.TB) databases.URL {
	t.Helper()
	u, err := databases.ParseURL(storetest.FileURL(t))
	check(t, err)
	return u
}

// open opens and migrates a database, which is closed with the test.
func open(t testing.TB, u databases.URL, cfg engine.Config) *sqlite.Database {
	t.Helper()
	d, err := sqlite.Open(context.Background(), u, cfg, schema)
	check(t, err)
	t.Cleanup(closing(d))
	version, err := d.Migrate(context.Background())
	check(t, err)
	if version != 0 && version != schema.Newest {
		t.Errorf("got version %d, want %d, or 0 for nothing to do", version, schema.Newest)
	}
	return d
}

// closing returns a function that closes a database unless the test has.
func closing(d *sqlite.Database) func() {
	return func() {
		if _, err := d.Latest(context.Background()); !errors.Is(err, faults.ErrClosed) {
			_ = d.Close()
		}
	}
}

// foreign returns a connection to a file as another program has one.
func foreign(t testing.TB, u databases.URL) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", u.Path)
	check(t, err)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { check(t, db.Close()) })
	return db
}

// insert returns a function for Write that inserts numbers.
func insert(numbers ...int) func(context.Context, engine.Session) error {
	return func(ctx context.Context, s engine.Session) error {
		for _, n := range numbers {
			if changed, err := s.Exec(ctx, "INSERT INTO notes VALUES (?)", n); err != nil || changed != 1 {
				return errors.Join(err, ctx.Err())
			}
		}
		return nil
	}
}

// Everybody sees what was written. The stamp changes exactly with a commit.
func TestReadAndWrite(t *testing.T) {
	ctx := context.Background()
	for name, u := range map[string]databases.URL{"in memory": inMemory, "file": newFile(t)} {
		t.Run(name, func(t *testing.T) {
			d := open(t, u, engine.Config{BusyTimeout: time.Hour})
			before, err := d.Latest(ctx)
			check(t, err)
			storetest.WantNotes(t, d, 0)
			if same, err := d.Latest(ctx); err != nil || same != before {
				t.Errorf("got stamp %v, %v after a read, want %v", same, err, before)
			}
			check(t, d.Write(ctx, insert(1, 2)))
			check(t, d.Statement(ctx, insert(3)))
			check(t, d.Alone(ctx, true, insert(4)))
			if after, err := d.Latest(ctx); err != nil || after == before {
				t.Errorf("got stamp %v, %v after a commit, want another", after, err)
			}
			storetest.WantNotes(t, d, 4)
			if version, err := d.Migrate(ctx); err != nil || version != 0 {
				t.Errorf("got version %d, %v, want nothing to do", version, err)
			}
			if n := d.Retries(); n != 0 {
				t.Errorf("got %d retries, want none", n)
			}
		})
	}
}

// The parts of a statement that depend on the database have the right values.
func TestDialect(t *testing.T) {
	ctx := context.Background()
	d := open(t, inMemory, config)
	var now int64
	yes, no := false, true
	check(t, d.Read(ctx, func(ctx context.Context, s engine.Session) error {
		holds := func(document string) string {
			return strings.NewReplacer("%s::", "", "'$.%s'", "'$.ready'", "%s", "'"+document+"'").Replace(s.Dialect().True)
		}
		query := "SELECT " + s.Now() + ", " + holds(`{"ready":true}`) + ", coalesce(" + holds(`{"steady":true}`) + ", false)"
		return s.Query(ctx, query, nil, func(row statements.Row) error { return row.Scan(&now, &yes, &no) })
	}))
	if now <= 0 || !yes || no {
		t.Errorf("got the time %d, %t for true and %t for false, want a time, true and false", now, yes, no)
	}
}

// A transaction that fails, panics or comes too late is rolled back.
func TestRollback(t *testing.T) {
	d := open(t, newFile(t), config)
	mine := errors.New("mine")
	wants(t, "fails", d.Write(context.Background(), func(ctx context.Context, s engine.Session) error {
		return errors.Join(insert(1)(ctx, s), mine)
	}), mine)
	func() {
		defer func() { _ = recover() }()
		_ = d.Write(context.Background(), func(ctx context.Context, s engine.Session) error {
			check(t, insert(1)(ctx, s))
			panic(mine)
		})
	}()
	ctx, cancel := context.WithCancel(context.Background())
	wants(t, "too late", d.Write(ctx, func(ctx context.Context, s engine.Session) error {
		check(t, insert(1)(ctx, s))
		cancel()
		return nil
	}), context.Canceled)
	wants(t, "not begun", d.Write(ctx, insert(1)), context.Canceled)
	storetest.WantNotes(t, d, 0)
}

// A call within a transaction would wait for it, so it is refused.
func TestNested(t *testing.T) {
	d := open(t, inMemory, config)
	check(t, d.Alone(context.Background(), false, func(ctx context.Context, s engine.Session) error {
		_, err := storetest.Notes(ctx, d)
		wants(t, "read", err, engine.ErrNested)
		wants(t, "write", d.Write(ctx, insert(1)), engine.ErrNested)
		return insert(2)(ctx, s)
	}))
	storetest.WantNotes(t, d, 1)
}

// retried waits until a call was retried.
func retried(d *sqlite.Database) {
	for d.Retries() == 0 {
		runtime.Gosched()
	}
}

// A context ends a wait for a turn or for a lock of another process, and a long
// answer between its rows.
func TestContextEndsWaits(t *testing.T) {
	u := newFile(t)
	d := open(t, u, engine.Config{BusyTimeout: time.Hour, RelaxedDurability: true})
	check(t, d.Write(context.Background(), insert(make([]int, 200)...)))
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	check(t, d.Write(context.Background(), func(context.Context, engine.Session) error {
		wants(t, "turn", d.Write(ctx, insert(1)), context.DeadlineExceeded)
		return nil
	}))
	db := foreign(t, u)
	_, err := db.Exec("BEGIN IMMEDIATE")
	check(t, err)
	ctx, cancel = context.WithCancel(context.Background())
	go func() {
		retried(d)
		cancel()
	}()
	wants(t, "lock", d.Write(ctx, insert(1)), context.Canceled)
	_, err = db.Exec("ROLLBACK")
	check(t, err)
	ctx, cancel = context.WithCancel(context.Background())
	wants(t, "rows", d.Read(ctx, func(ctx context.Context, s engine.Session) error {
		return s.Query(ctx, "SELECT n FROM notes", nil, func(statements.Row) error { cancel(); return nil })
	}), context.Canceled)
	storetest.WantNotes(t, d, 200)
}

// A lock of another process is waited for until the patience ends or the database
// is closed.
func TestLockedByAnother(t *testing.T) {
	ctx := context.Background()
	u := newFile(t)
	d := open(t, u, engine.Config{BusyTimeout: 3 * time.Millisecond})
	db := foreign(t, u)
	_, err := db.Exec("BEGIN IMMEDIATE")
	check(t, err)
	wants(t, "busy", d.Write(ctx, insert(1)), faults.ErrBusy)
	patient := open(t, u, engine.Config{BusyTimeout: time.Hour})
	ended := make(chan error, 1)
	go func() { ended <- patient.Write(ctx, insert(1)) }()
	retried(patient)
	check(t, patient.Close())
	wants(t, "closed meanwhile", <-ended, faults.ErrClosed)
	_, err = db.Exec("COMMIT")
	check(t, err)
	check(t, d.Write(ctx, insert(1)))
	storetest.WantNotes(t, d, 1)
}

// After Close nothing is answered, not even what is cached.
func TestClosed(t *testing.T) {
	ctx := context.Background()
	for name, u := range map[string]databases.URL{"in memory": inMemory, "file": newFile(t)} {
		d, err := sqlite.Open(ctx, u, config, schema)
		check(t, err)
		_, err = d.Migrate(ctx)
		check(t, err)
		check(t, d.Write(ctx, insert(1)))
		before, err := d.Latest(ctx)
		check(t, err)
		check(t, d.Close())
		_, err = storetest.Notes(ctx, d)
		wants(t, name+": read", err, faults.ErrClosed)
		wants(t, name+": write", d.Write(ctx, insert(1)), faults.ErrClosed)
		if after, err := d.Latest(ctx); after == before || err != nil && !errors.Is(err, faults.ErrClosed) {
			t.Errorf("%s: got stamp %v, %v, want another than %v", name, after, err, before)
		}
	}
}

// The error of opening says why.
func TestCannotOpen(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	for want, path := range map[string]string{"its mode is d": dir, "no such file": dir + "/missing/notes.db"} {
		_, err := sqlite.Open(ctx, databases.URL{Path: path}, config, schema)
		if wants(t, path, err, faults.ErrUnavailable); !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to say %q", err, want)
		}
	}
	text := newFile(t)
	check(t, os.WriteFile(text.Path, []byte(strings.Repeat("no database. ", 1000)), 0o644))
	_, err := sqlite.Open(ctx, text, config, schema)
	wants(t, "text", err, faults.ErrCorrupt)
}

// Of several callers that migrate at once one does it.
func TestMigrateTogether(t *testing.T) {
	ctx := context.Background()
	d, err := sqlite.Open(ctx, inMemory, config, schema)
	check(t, err)
	t.Cleanup(closing(d))
	versions := make(chan int64, 10)
	check(t, d.Statement(ctx, func(context.Context, engine.Session) error {
		for range cap(versions) {
			began := make(chan struct{})
			go func() {
				close(began)
				version, err := d.Migrate(ctx)
				if err != nil {
					t.Error(err)
				}
				versions <- version
			}()
			<-began
		}
		return nil
	}))
	sum := int64(0)
	for range cap(versions) {
		sum += <-versions
	}
	if sum != schema.Newest {
		t.Errorf("got versions that sum up to %d, want %d from one and 0 from the others", sum, schema.Newest)
	}
}

// Missing or wrong migrations leave nothing behind.
func TestCannotMigrate(t *testing.T) {
	ctx := context.Background()
	wrong := fstest.MapFS{"wrong/00001_wrong.sql": {Data: []byte("-- +goose Up\nCREATE TABLE;\n")}}
	for _, folder := range []string{"../notes", "nowhere", "wrong"} {
		bad := engine.Schema{Folder: folder, Newest: 1, Files: wrong}
		d, err := sqlite.Open(ctx, inMemory, config, bad)
		check(t, err)
		if version, err := d.Migrate(ctx); err == nil || version != 0 {
			t.Errorf("%s: got version %d, %v, want an error", folder, version, err)
		}
		check(t, d.Close())
	}
}
