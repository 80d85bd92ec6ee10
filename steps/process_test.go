package steps_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/steps"
)

// cellEnv is the variable by which a process is asked to explore.
const cellEnv = "JACQUARD_EXPLORE_CELL"

func TestServe(t *testing.T) {
	outcome := steps.Outcome{Verdict: "violated", Kind: "check", Message: "two engines", Summary: "schedule 3"}
	for name, test := range map[string]struct {
		cell    string
		explore steps.ExploreFunc
		served  bool
		want    string
	}{
		"not asked":  {explore: unwanted(t)},
		"an outcome": {"R1/reported", always(outcome), true, `{"outcome":{"verdict":"violated","kind":"check","message":"two engines","summary":"schedule 3"}}`},
		"an error":   {"R1/reported", failing(errors.New("no disk")), true, `{"outcome":{"verdict":"","summary":""},"error":"no disk"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(cellEnv, test.cell)
			var out bytes.Buffer
			served, err := steps.Serve(t.Context(), test.explore, &out)
			if err != nil || served != test.served || strings.TrimSpace(out.String()) != test.want {
				t.Errorf("got %t, %v and\n%s\nwant %t and\n%s", served, err, out.String(), test.served, test.want)
			}
		})
	}
}

// TestProcesses starts this test program, which is not under control unless
// TestFeatures has rebuilt it.
func TestProcesses(t *testing.T) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		binary, child, cell string
		want                string
	}{
		"no control":   {binary, "", "R1/ours", "the process that explores: explore: this process is not under control"},
		"unknown cell": {binary, "", "R9/ours", `unknown race: got "R9/ours", want one of R1/reported`},
		"no answer":    {binary, "garble", "R1/ours", `answered "all is well\n"`},
		"a crash":      {binary, "die", "R1/ours", "panic: died of a race"},
		"no program":   {filepath.Join(t.TempDir(), "none"), "", "R1/ours", "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(childEnv, test.child)
			o, err := steps.Processes(test.binary)(t.Context(), test.cell)
			if err == nil || !strings.Contains(err.Error(), test.want) || o != (steps.Outcome{}) {
				t.Errorf("got %+v, %v, want an error with %q", o, err, test.want)
			}
		})
	}
}

// TestNoPlaceForReports: the race detector must have somewhere to write.
func TestNoPlaceForReports(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	if _, err := steps.Processes("never started")(t.Context(), "R1/ours"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want %v", err, fs.ErrNotExist)
	}
}

// TestProcessIsKilled: what hangs ends with its context.
func TestProcessIsKilled(t *testing.T) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(childEnv, "hang")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := steps.Processes(binary)(ctx, "R1/ours"); err == nil || ctx.Err() == nil {
		t.Errorf("got %v with context %v, want an error when its time is over", err, ctx.Err())
	}
}

// TestExploreRefuses: what it can do is shown by TestFeatures, in processes that
// end after one exploration.
func TestExploreRefuses(t *testing.T) {
	if _, err := steps.Explore(t.Context(), "R9/ours"); !errors.Is(err, races.ErrUnknown) {
		t.Errorf("unknown cell: got %v, want %v", err, races.ErrUnknown)
	}
	if _, err := steps.Explore(t.Context(), "R5/ours"); !errors.Is(err, explore.ErrNotControlled) {
		t.Errorf("no control: got %v, want %v", err, explore.ErrNotControlled)
	}
}

// always is an explorer that finds the same in every cell.
func always(o steps.Outcome) steps.ExploreFunc {
	return func(context.Context, string) (steps.Outcome, error) { return o, nil }
}

// failing is one that cannot explore.
func failing(err error) steps.ExploreFunc {
	return func(context.Context, string) (steps.Outcome, error) { return steps.Outcome{}, err }
}

// unwanted is one that must not be asked.
func unwanted(t *testing.T) steps.ExploreFunc {
	return func(_ context.Context, id string) (steps.Outcome, error) {
		t.Errorf("%s is explored", id)
		return steps.Outcome{}, errors.New("unwanted")
	}
}
