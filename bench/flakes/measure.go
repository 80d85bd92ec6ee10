package flakes

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/finding"
)

// A row holds the results for one flake.
type row struct {
	Name   string
	Before search
	After  search
	Plain  repeated // by go test
	Race   repeated // by go test -race
	Died   string   // why the other results are missing
	At     string   // the commit at which it was measured, and the limits
}

// A search is the result of jacquard test for the test in one version.
type search struct {
	Verdict, Reason      string
	Kind, Message, Cause string
	Strategy             string
	Schedule, Schedules  int
	Exhausted            bool
	Unexplored           string
	Blame                string  // whose bug it is, according to Jacquard
	Seconds              float64 // from its first schedule to its report, by the wall clock
	Processor            float64 // processor seconds of the whole search
}

// found reports whether the search found a failure.
func (s search) found() bool { return s.Verdict == "violated" }

// repeated is the result of running the test repeatedly with go test.
type repeated struct {
	Found     bool
	Runs      int
	Processor float64 // processor seconds that it took, or had
	Said      string  // how it failed
}

// measure runs one flake: Jacquard before the repair, go test with at least as much of
// the processor, and Jacquard after it.
func (o order) measure(ctx context.Context, b bench, f flake) row {
	r := row{Name: f.name}
	before, err := b.lay(ctx, f, f.before)
	if err != nil {
		return row{Name: f.name, Died: err.Error()}
	}
	after, err := b.lay(ctx, f, f.after)
	if err != nil {
		return row{Name: f.name, Died: err.Error()}
	}
	if r.Before, err = o.explore(ctx, b, before, f.test, o.schedules); err != nil {
		r.Died = err.Error()
		return r
	}
	most := o.schedules
	if r.Before.found() {
		most = max(10*r.Before.Schedule, o.least)
	}
	if r.After, err = o.explore(ctx, b, after, f.test, most); err != nil {
		r.Died = err.Error()
		return r
	}
	given := max(time.Duration(r.Before.Processor*float64(time.Second)), o.fair)
	if r.Plain, err = o.repeat(ctx, b, before, f.test, given); err == nil {
		r.Race, err = o.repeat(ctx, b, before, f.test, given, "-race")
	}
	if err != nil {
		r.Died = err.Error()
	}
	return r
}

// explore explores a test of a copy, once it is built.
func (o order) explore(ctx context.Context, b bench, c copied, test string, schedules int) (search, error) {
	args := func(more ...string) []string {
		return append([]string{"test", "-vet", "off", "-j", "1"}, append(more, c.pkg)...)
	}
	if _, err := b.run(ctx, c.folder, o.jacquard, args("-list", "^"+test+"$")...); err != nil {
		return search{}, err
	}
	cmd := exec.CommandContext(ctx, o.jacquard, args("-json", "-fresh", "-failfast", "-run", "^"+test+"$", "-total", o.total.String(), "-schedules", fmt.Sprint(schedules))...)
	cmd.Dir, cmd.Env = c.folder, b.environment()
	start := time.Now()
	out, err := cmd.Output()
	if cmd.ProcessState == nil {
		return search{}, err
	}
	s, told := told(unplaced(out, c.folder), test)
	if !told {
		return search{}, fmt.Errorf("jacquard test %s: %w: got no finding, want one: %s", test, cmp.Or(err, errSilent), out)
	}
	s.Seconds, s.Processor = time.Since(start).Seconds(), processor(cmd)
	return s, nil
}

// standard is the beginning of the paths of the standard library's files.
var standard = regexp.MustCompile(`/[\w./-]+/src/(runtime|testing|sync|time)/`)

// unplaced removes folders of this machine from a text.
func unplaced(text []byte, folder string) []byte {
	return standard.ReplaceAll(bytes.ReplaceAll(text, []byte(folder+"/"), nil), []byte("$1/"))
}

// told returns the last finding of a test in a stream of events, and whether there is one.
func told(stream []byte, test string) (s search, ok bool) {
	for line := range bytes.Lines(stream) {
		var e struct{ Action, Test, Key, Value, Output string }
		if json.Unmarshal(line, &e) != nil || e.Test != test {
			continue
		}
		switch {
		case e.Action == "attr" && e.Key == "jacquard":
			var f finding.Finding
			if json.Unmarshal([]byte(e.Value), &f) == nil {
				s = search{
					Verdict: f.Verdict, Reason: f.Reason, Kind: f.Kind, Message: f.Message, Cause: s.Cause, Strategy: f.Strategy,
					Schedule: f.Schedule, Schedules: f.Schedules, Exhausted: f.Exhausted, Unexplored: f.Unexplored, Blame: f.Blame,
				}
				ok = true
			}
		case e.Action == "output":
			s.Cause += e.Output
		case e.Action == "skip" || e.Action == "pass":
			if !ok {
				s, ok = search{Verdict: e.Action, Reason: s.Cause}, true
			}
		}
	}
	s.Cause = causeIn(s.Cause)
	return s, ok
}

// causes matches the cause in a report.
var causes = regexp.MustCompile(`(?s)\n\s*cause: (.*?)\n\s*\n`)

// causeIn returns the cause in a report, in one line.
func causeIn(report string) string {
	m := causes.FindStringSubmatch(report)
	if m == nil {
		return ""
	}
	return strings.Join(strings.Fields(m[1]), " ")
}

// processor returns the processor time of a command and its children, in seconds.
func processor(cmd *exec.Cmd) float64 {
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
}

// runs matches the lines that say that a test begins.
var runs = regexp.MustCompile(`(?m)^=== RUN   [^/\n]*$`)

// repeat runs a test repeatedly with go test, until it fails or has used its processor
// time. A test that waits has as much time by the clock as Jacquard has.
func (o order) repeat(ctx context.Context, b bench, c copied, test string, given time.Duration, flags ...string) (repeated, error) {
	binary := filepath.Join(c.folder, "plain"+strings.Join(flags, "")+".test")
	build := append([]string{"test", "-c", "-vet=off", "-o", binary}, append(flags, c.pkg)...)
	if _, err := b.run(ctx, c.folder, "go", build...); err != nil {
		return repeated{}, err
	}
	script := fmt.Sprintf(`ulimit -t %d; exec "$0" "$@"`, max(1, int(given.Round(time.Second)/time.Second)))
	cmd := exec.CommandContext(ctx, "sh", "-c", script, binary, "-test.v", "-test.failfast", "-test.count=1000000", "-test.run=^"+test+"$", "-test.timeout="+o.total.String())
	cmd.Dir, cmd.Env = filepath.Join(c.folder, strings.TrimPrefix(c.pkg, "./")), b.environment()
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		return repeated{}, err
	}
	r := repeated{Runs: len(runs.FindAll(out, -1)), Processor: processor(cmd)}
	r.Said = failure(string(out))
	r.Found = r.Said != ""
	return r, os.Remove(binary)
}

// hung matches the report of a time-out, with how long the running test had been under way.
var hung = regexp.MustCompile(`running tests:\n\t+\S+ \(((?:\d+m)?[\d.]+)s\)`)

// failure says how a test failed, according to its output; "" if it did not.
func failure(out string) string {
	if m := hung.FindStringSubmatch(out); m != nil {
		if d, err := time.ParseDuration(m[1] + "s"); err == nil && d >= 5*time.Second {
			return "hangs"
		}
		return ""
	}
	for _, sign := range []struct{ text, said string }{
		{"WARNING: DATA RACE", "data race"}, {"fatal error: all goroutines are asleep", "deadlock"}, {"panic: ", "panic"}, {"fatal error: ", "fatal error"}, {"--- FAIL", "fails"},
	} {
		if strings.Contains(out, sign.text) {
			return sign.said
		}
	}
	return ""
}
