package guest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard"
	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/toolchain"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// patience limits a run of a package's tests, and buildTime a build, which may have to
// compile the standard library first. Both are long because the machine may be busy.
const (
	patience  = 5 * time.Minute
	buildTime = 15 * time.Minute
)

// built builds, once, the test binary of the package in testdata/tests. Its module does not
// import this one.
var built = sync.OnceValues(func() (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), buildTime)
	defer cancel()
	return toolchain.Build(ctx, toolchain.Request{Dir: filepath.Join("testdata", "tests"), Test: true, Guest: jacquard.Source()})
})

// temps creates the folder in which start puts the folders for temporary files, so that
// their paths are the same in every process. TestMain removes it.
var temps = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "guest") })

// temporary sets TMPDIR to a folder that is removed when the test ends. It first creates
// what all tests share, because that must outlive the test.
func temporary(t *testing.T) {
	t.Helper()
	_, built := built()
	_, temps := temps()
	if err := errors.Join(built, temps); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
}

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := temps(); err == nil {
		_ = os.RemoveAll(dir) // an error does not matter for temporary files
	}
	os.Exit(code)
}

// boundary matches the marks between the outputs of tests; see protocol.Boundary.
var boundary = regexp.MustCompile(`\x00jacquard:\S*\n`)

// A run is the result of running a test binary.
type run struct {
	events []protocol.Event
	output string
	code   int
}

// start runs the test binary with the request and the flags.
func start(t *testing.T, q protocol.Request, flags ...string) run {
	t.Helper()
	binary, err := built()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	q.Events = filepath.Join(dir, "events")
	if q.Mode != protocol.Discover {
		dir, err := temps()
		if err != nil {
			t.Fatal(err)
		}
		q.Temp = filepath.Join(dir, "1")
	}
	q.Seed = max(q.Seed, 1)
	if err := q.Write(filepath.Join(dir, "request")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, flags...)
	cmd.Dir = filepath.Join("testdata", "tests")
	cmd.Env = append(executable.Env(os.Environ(), dir), protocol.RequestVar+"="+filepath.Join(dir, "request"))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("%v\n%s", errors.Join(err, ctx.Err()), out.String())
	}
	return run{readEvents(t, q.Events), boundary.ReplaceAllString(out.String(), ""), cmd.ProcessState.ExitCode()}
}

func readEvents(t *testing.T, path string) (all []protocol.Event) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var e protocol.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all = append(all, e)
	}
	return all
}

// last returns the last event of a test.
func (r run) last(t *testing.T, test string) (last protocol.Event) {
	t.Helper()
	for _, e := range r.events {
		if e.Test == test && !e.Begin && !e.Alive && !e.Pause && !e.Found {
			last = e
		}
	}
	if last.Test == "" {
		t.Fatalf("got no last event of %s, want one in %+v\n%s", test, r.events, r.output)
	}
	return last
}

// of returns the final event of a test.
func (r run) of(t *testing.T, test string) protocol.Event {
	t.Helper()
	for _, e := range r.events {
		if e.Test == test && !e.Begin && !e.Alive && !e.Found {
			return e
		}
	}
	t.Fatalf("got no final event of %s, want one in %+v\n%s", test, r.events, r.output)
	return protocol.Event{}
}

// only returns the flag that selects one test.
func only(test string) string { return "-test.run=^" + test + "$" }

// explored explores one test and returns its final event and the run.
func explored(t *testing.T, test string, schedules int) (protocol.Event, run) {
	t.Helper()
	r := start(t, protocol.Request{Mode: protocol.Explore, Schedules: schedules}, only(test))
	return r.of(t, test), r
}
