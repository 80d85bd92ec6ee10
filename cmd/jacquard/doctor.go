package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/internal/toolchain"
	"github.com/jacquard-go/jacquard/suite"
)

func doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "say whether goroutines can be controlled here, and what is missing",
		Long: `doctor checks what control needs: a supported Go release, a folder for what is built,
and a C compiler, which the race detector needs. Then it runs small tests whose verdict
is known. It does so in the current directory, because a module may choose its own Go
release.

The exit code is
  0  goroutines can be controlled, and data races are seen
  1  something is missing; doctor prints what to do about it`,
		Args: command.Arguments(0, 0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return examine(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
}

// examine prints a line for each check, up to the first failure that makes the others impossible.
func examine(ctx context.Context, out, errs io.Writer) error {
	d := doctor{out: out}
	version, err := toolchain.Check(ctx, toolchain.Request{NoRace: true})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	d.say("Go", version, err)
	folder, err := toolchain.CacheDir("")
	size, sized := toolchain.Size("")
	d.say("cache folder", fmt.Sprintf("%s, %.1f GB; what is not used for five days is removed", folder, float64(size)/1e9), errors.Join(err, sized))
	if d.ill {
		return errors.Join(d.err, command.ErrFailed)
	}
	_, missing := toolchain.Check(ctx, toolchain.Request{})
	d.say("C compiler", "for the race detector", missing)
	fmt.Fprintln(errs, "jacquard: running tests whose verdict is known…")
	found, err := canaries(ctx, filepath.Join(folder, "doctor"), version, missing != nil)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	d.say("control", found, err)
	if d.ill {
		return errors.Join(d.err, command.ErrFailed)
	}
	return d.err
}

// A doctor prints the results of checks.
type doctor struct {
	out io.Writer
	ill bool
	err error // of printing
}

func (d *doctor) say(what, how string, err error) {
	text := fmt.Sprintf("ok       %-14s %s\n", what, how)
	if err != nil {
		d.ill = true
		text = fmt.Sprintf("missing  %-14s %s\n", what, command.OneLine(err.Error()))
		if c := cure(err); c != "" {
			text += fmt.Sprintf("%24s%s\n", "", c)
		}
	}
	_, perr := io.WriteString(d.out, text)
	d.err = errors.Join(d.err, perr)
}

//go:embed testdata/doctor.txt
var canaryTests string

// canaryVerdicts are the tests, what each finds, and the text that its output must have.
var canaryVerdicts = []struct{ test, found, says string }{
	{"TestCounter", "", "--- PASS: TestCounter"},
	{"TestLockOrder", "a deadlock", "violated: deadlock"},
	{"TestLostUpdate", "a lost update", "n = 1, want 2"},
	{raceCanary, "a data race", "data race"},
}

// raceCanary is the test that needs the race detector.
const raceCanary = "TestRace"

// canaries runs tests with known verdicts, in a module of their own in dir, with a toolchain of
// that version, and returns what was found.
func canaries(ctx context.Context, dir, version string, norace bool) (string, error) {
	if err := canaryModule(dir, version); err != nil {
		return "", err
	}
	if err := os.Setenv("GOWORK", "off"); err != nil { // the module belongs to no workspace
		return "", err
	}
	skip := ""
	if norace {
		skip = "^" + raceCanary + "$"
	}
	var said bytes.Buffer
	cfg := suite.Config{Dir: dir, JSON: true, Out: &said, Fresh: true, NoRace: norace, Skip: skip, Schedules: 200}
	if _, err := suite.Run(ctx, cfg); err != nil {
		return "", err
	}
	got, err := verdictsOf(&said)
	if err != nil {
		return "", err
	}
	var found []string
	for _, c := range canaryVerdicts {
		switch {
		case norace && c.test == raceCanary:
		case !strings.Contains(got[c.test], c.says):
			return "", fmt.Errorf("%s: got %q, want one that says %q", c.test, got[c.test], c.says)
		case c.found != "":
			found = append(found, c.found)
		}
	}
	return "found " + strings.Join(found, ", ") + " in small tests, and nothing in one that is right", nil
}

// canaryModule writes the module of the tests. version begins with the toolchain's name for go.mod.
func canaryModule(dir, version string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("%w: %w", toolchain.ErrCache, err)
	}
	name, _, _ := strings.Cut(version, " ")
	for file, text := range map[string]string{"go.mod": "module canaries\n\ngo 1.25\n\ntoolchain " + name + "\n", "canaries_test.go": canaryTests} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			return fmt.Errorf("%w: %w", toolchain.ErrCache, err)
		}
	}
	return nil
}

// verdictsOf returns the output of each top-level test.
func verdictsOf(said io.Reader) (map[string]string, error) {
	text := make(map[string]string)
	for d := json.NewDecoder(said); ; {
		var e struct{ Test, Output string }
		if err := d.Decode(&e); errors.Is(err, io.EOF) {
			return text, nil
		} else if err != nil {
			return nil, err
		}
		text[e.Test] += e.Output
	}
}
