package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/jacquard-go/jacquard/internal/overlay"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// Run runs the tests of packages, one package after the other, and prints what
// comes of them as go test does. It reports whether all went well.
//
// The error says why tests could not be run at all: ErrConfig, what go list
// says, the errors of package toolchain other than that of one package that
// does not build, or the cause of ctx's end.
func Run(ctx context.Context, cfg Config) (ok bool, err error) {
	var all tally
	return each(ctx, cfg, func(ctx context.Context, c Config, p program, out io.Writer, temp string) (bool, error) {
		r := &run{program: p, cfg: c, temp: temp}
		if err := r.test(ctx, out); err != nil {
			return false, fmt.Errorf("%s: %w", p.ImportPath, err)
		}
		all.add(r.tally())
		return r.ok(), nil
	}, all.closing)
}

// A task is what is done with the test binary of a package. It reports whether
// that went well. What it prints goes to out, its files into the folder temp. The
// error is one that concerns all packages.
type task func(ctx context.Context, cfg Config, p program, out io.Writer, temp string) (ok bool, err error)

// A closing is what is printed when there are no more packages with tests, of which
// some have failed.
type closing func(packages, failed int) string

// nothing is the closing of a task that has said all.
func nothing(int, int) string { return "" }

// each does the task with one package after the other, and says of those that
// have no test binary why.
func each(ctx context.Context, cfg Config, do task, last closing) (ok bool, err error) {
	if cfg, err = cfg.withDefaults(); err != nil {
		return false, err
	}
	pkgs, err := list(ctx, cfg)
	if err != nil {
		return false, err
	}
	temp, err := os.MkdirTemp("", "jacquard-test-")
	if err != nil {
		return false, fmt.Errorf("no folder for temporary files (TMPDIR): %w", err)
	}
	defer os.RemoveAll(temp)
	ctx, cancel := context.WithCancel(ctx)
	programs := cfg.builds(ctx, pkgs)
	defer func() {
		cancel()
		for range programs { // until the builder has noticed
		}
	}()
	packages, failed := 0, 0
	for p := range programs {
		good, err := cfg.one(ctx, p, temp, do)
		if err != nil {
			return false, err
		}
		if p.binary != "" || !good {
			packages++
		}
		if !good {
			failed++
		}
		if failed > 0 && cfg.FailFast {
			break
		}
	}
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	text := last(packages, failed)
	if failed > 0 {
		text += "FAIL\n"
	}
	if !cfg.JSON {
		_, err = io.WriteString(cfg.Out, text)
	}
	return failed == 0, err
}

// one does the task with one package.
func (c Config) one(ctx context.Context, p program, temp string, do task) (ok bool, err error) {
	out, err := c.output(ctx, p.ImportPath)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	switch {
	case p.err != nil:
		return false, c.notBuilt(out, p)
	case p.binary == "":
		_, err := fmt.Fprintf(out, "?   \t%s\t[no test files]\n", p.ImportPath)
		return true, err
	}
	return do(ctx, c, p, out, temp)
}

// notBuilt prints why there is no test binary. What has nothing to do with the
// package is returned.
func (c Config) notBuilt(out io.Writer, p program) error {
	var broken *toolchain.BuildError
	said, why := p.err.Error(), "setup failed"
	if errors.As(p.err, &broken) {
		said, why = failLine.ReplaceAllString(broken.Output, ""), "build failed"
		if said != broken.Output {
			why = "setup failed"
		}
	}
	for _, general := range []error{toolchain.ErrNoGo, toolchain.ErrNoCompiler, toolchain.ErrCache, toolchain.ErrNoRace, overlay.ErrUnsupported, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(p.err, general) {
			return p.err
		}
	}
	if !strings.HasPrefix(said, "#") {
		said = "# " + p.ImportPath + "\n" + said
	}
	said = strings.TrimRight(said, "\n") + "\n"
	var err error
	if c.JSON {
		err = c.tellBuild(p.ImportPath, said)
	} else {
		_, err = io.WriteString(c.Errs, said)
	}
	_, wrote := fmt.Fprintf(out, "FAIL\t%s [%s]\n", p.ImportPath, why)
	return errors.Join(err, wrote)
}

// failLine is what go test says where it cannot even begin to build.
var failLine = regexp.MustCompile(`(?m)^FAIL(\t.*\[setup failed\])?\n`)

// tellBuild writes what the compiler said as go test -json does.
func (c Config) tellBuild(pkg, said string) error {
	type event struct{ ImportPath, Action, Output string }
	e := json.NewEncoder(c.Out)
	for line := range strings.Lines(said) {
		if err := e.Encode(event{pkg, "build-output", line}); err != nil {
			return err
		}
	}
	return e.Encode(struct{ ImportPath, Action string }{pkg, "build-fail"})
}
