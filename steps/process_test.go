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
	"github.com/jacquard-go/jacquard/steps"
)

// scriptEnv is the variable that makes a process run a script.
const scriptEnv = "JACQUARD_STEPS_SCRIPT"

func TestServe(t *testing.T) {
	outcome := steps.Outcome{Verdict: "violated", Kind: "check", Message: "two engines", Summary: "schedule 3"}
	for name, test := range map[string]struct {
		script  string
		explore steps.RunFunc
		served  bool
		want    string
	}{
		"not asked":  {explore: unwanted(t)},
		"an outcome": {`{"name":"trial"}`, always(outcome), true, `{"outcome":{"verdict":"violated","kind":"check","message":"two engines","summary":"schedule 3"}}`},
		"an error":   {`{"name":"trial"}`, failing(errors.New("no disk")), true, `{"outcome":{"verdict":"","summary":""},"error":"no disk"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(scriptEnv, test.script)
			var out bytes.Buffer
			served, err := steps.Serve(t.Context(), test.explore, &out)
			if err != nil || served != test.served || strings.TrimSpace(out.String()) != test.want {
				t.Errorf("got %t, %v and\n%s\nwant %t and\n%s", served, err, out.String(), test.served, test.want)
			}
		})
	}
}

// TestProcesses starts this test binary, which is not under control unless TestFeatures has
// rebuilt it.
func TestProcesses(t *testing.T) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		binary, child string
		script        steps.Script
		want          string
	}{
		"no control": {binary, "", fine(), "the process that runs it: explore: this process is not under control"},
		"nonsense":   {binary, "", steps.Script{}, "the scenario makes no sense: nobody is there"},
		"no answer":  {binary, "garble", fine(), `answered "all is well\n"`},
		"a crash":    {binary, "die", fine(), "panic: died of a race"},
		"no program": {filepath.Join(t.TempDir(), "none"), "", fine(), "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(childEnv, test.child)
			o, err := steps.Processes(test.binary)(t.Context(), test.script)
			if err == nil || !strings.Contains(err.Error(), test.want) || o != (steps.Outcome{}) {
				t.Errorf("got %+v, %v, want an error with %q", o, err, test.want)
			}
		})
	}
}

// TestNoPlaceForReports: nothing starts without a folder for the race detector's reports.
func TestNoPlaceForReports(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	if _, err := steps.Processes("never started")(t.Context(), fine()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want %v", err, fs.ErrNotExist)
	}
}

// TestProcessIsKilled: a process that hangs is killed when its context ends.
func TestProcessIsKilled(t *testing.T) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(childEnv, "hang")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := steps.Processes(binary)(ctx, fine()); err == nil || ctx.Err() == nil {
		t.Errorf("got %v with context %v, want an error when its time is over", err, ctx.Err())
	}
}

// fine is a script that can be run.
func fine() steps.Script {
	return steps.Script{Name: "trial", Lines: []steps.Line{
		{Kind: "Given", Text: "a plan service in memory"}, {Kind: "When", Text: "two callers make a plan"}, {Kind: "Then", Text: "two more plans are there"},
	}}
}

// TestRunRefuses: Run needs a process under control. TestFeatures tests Run in such
// processes.
func TestRunRefuses(t *testing.T) {
	if _, err := steps.Run(t.Context(), fine()); !errors.Is(err, explore.ErrNotControlled) {
		t.Errorf("no control: got %v, want %v", err, explore.ErrNotControlled)
	}
}

// always returns a RunFunc with the same outcome for every scenario.
func always(o steps.Outcome) steps.RunFunc {
	return func(context.Context, steps.Script) (steps.Outcome, error) { return o, nil }
}

// failing returns a RunFunc that always fails.
func failing(err error) steps.RunFunc {
	return func(context.Context, steps.Script) (steps.Outcome, error) { return steps.Outcome{}, err }
}

// unwanted returns a RunFunc that must not be called.
func unwanted(t *testing.T) steps.RunFunc {
	return func(_ context.Context, s steps.Script) (steps.Outcome, error) {
		t.Errorf("got a run of %q, want none", s.Name)
		return steps.Outcome{}, errors.New("unwanted")
	}
}
