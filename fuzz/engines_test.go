package fuzz_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/jacquard-go/jacquard/fuzz"
	"github.com/jacquard-go/jacquard/lifecycle"
)

// FuzzEngines gets engines in all ways and spellings, and closes them.
func FuzzEngines(f *testing.F) {
	addInputs(f, 16)
	f.Fuzz(func(t *testing.T, input []byte) {
		r := newRoom(t)
		tape := fuzz.NewTape(input)
		for n := 0; n < 12 && tape.More(); n++ {
			if tape.Seldom() {
				r.close()
			} else {
				r.ask(fuzz.Pick(tape, r.urls()...), tape.Below(3))
			}
		}
		r.close()
	})
}

// room is a set of engines, with what the test knows of it.
type room struct {
	*testing.T
	dir     string
	engines *lifecycle.Engines
	opened  int                          // engines, according to the log
	got     map[string]*lifecycle.Engine // by database
	closed  bool
}

func newRoom(t *testing.T) *room {
	r := &room{T: t, dir: filepath.ToSlash(t.TempDir()), got: make(map[string]*lifecycle.Engine)}
	engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{RelaxedDurability: true, Logger: slog.New(logged{r})})
	if err != nil {
		t.Fatal(err)
	}
	r.engines = engines
	return r
}

// A url is a database URL with the database that it names, or the error if it names none.
type url struct {
	text, database string
	err            error
}

// errAny stands for an error that this package does not define.
var errAny = errors.New("any error")

func (r *room) urls() []url {
	return []url{
		{"sqlite:///:memory:", "memory", nil}, {"sqlite://", "memory", nil}, {"SQLite:///:memory:", "memory", nil},
		{"sqlite:///" + r.dir + "/a.db", "a", nil}, {"sqlite:///" + r.dir + "/./a.db", "a", nil},
		{"sqlite:///" + r.dir + "//a.db", "a", nil}, {"sqlite:///" + r.dir + "/c/../a.db", "a", nil},
		{"sqlite:///" + r.dir + "/b c%20.db", "b", nil}, {"sqlite:///" + r.dir + "/#b.db", "#b", nil},
		{"sqlite:///" + r.dir + "/missing/a.db", "", errAny}, {"sqlite:///" + r.dir + "/", "", lifecycle.ErrInvalid},
		{"sqlite:///" + r.dir + "/a.db?mode=ro", "", lifecycle.ErrInvalid}, {"sqlite://host/a.db", "", lifecycle.ErrInvalid},
		{"sqlite:///a\x00.db", "", lifecycle.ErrInvalid}, {"sqlite:///a\xff.db", "", lifecycle.ErrInvalid}, {"sqlite:///", "", lifecycle.ErrInvalid},
		{"", "", lifecycle.ErrUnsupportedURL}, {"sqlite:/a.db", "", lifecycle.ErrUnsupportedURL},
		{"mysql://host/plans", "", lifecycle.ErrUnsupportedURL}, {":memory:", "", lifecycle.ErrUnsupportedURL},
	}
}

// ask gets the engine of a URL directly, for migrations or for a unit of work: the same one, created once.
func (r *room) ask(u url, way int) {
	r.Helper()
	ctx := context.Background()
	var engine *lifecycle.Engine
	var err error
	switch way {
	case 0:
		engine, err = r.engines.Engine(ctx, u.text)
	case 1:
		engine, err = lifecycle.Migrate(ctx, r.engines, u.text)
	default:
		work := lifecycle.NewUnitOfWork(r.engines, u.text)
		err = work.Transaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
			_, err := r.Plans.List(ctx) // it fails without a schema
			return err
		})
		if err == nil {
			engine, err = work.Engine(ctx)
		}
	}
	want := u.err
	if want == nil && r.closed || errors.Is(want, errAny) && r.closed {
		want = lifecycle.ErrClosed
	}
	r.judge(u, engine, err, want)
}

// judge compares the engine with the earlier one for the same database, or the error with the expected one.
func (r *room) judge(u url, engine *lifecycle.Engine, err, want error) {
	r.Helper()
	switch {
	case want != nil && (err == nil || !errors.Is(err, want) && !errors.Is(want, errAny)):
		r.Fatalf("%q: got error %v, want %v", u.text, err, want)
	case want != nil:
	case err != nil:
		r.Fatalf("%q: got error %v, want none", u.text, err)
	case r.got[u.database] == nil:
		r.got[u.database] = engine
	case r.got[u.database] != engine:
		r.Fatalf("%q: got an engine of %s, want the earlier one of %s", u.text, engine.URL(), r.got[u.database].URL())
	}
	if r.opened != len(r.got) {
		r.Fatalf("after %q: got %d engines opened, want one for each of %d databases", u.text, r.opened, len(r.got))
	}
}

func (r *room) close() {
	r.Helper()
	err := r.engines.Close()
	if r.closed != errors.Is(err, lifecycle.ErrClosed) || !r.closed && err != nil {
		r.Fatalf("close engines, closed before %v: got error %v", r.closed, err)
	}
	r.closed = true
}

// logged counts the engines that the log says were opened.
type logged struct{ *room }

func (logged) Enabled(context.Context, slog.Level) bool { return true }
func (l logged) WithAttrs([]slog.Attr) slog.Handler     { return l }
func (l logged) WithGroup(string) slog.Handler          { return l }

func (l logged) Handle(_ context.Context, record slog.Record) error {
	if record.Message == "database engine opened" {
		l.opened++
	}
	return nil
}
