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

// A closing makes what is printed in the end, of how many packages with tests there
// were and how many of them have failed.
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
	why := ""
	if p.err != nil {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		if why, err = c.notBuilt(p); err != nil {
			return false, err
		}
	}
	out, err := c.output(ctx, p.ImportPath) // from here on a converter may write, too
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	switch {
	case p.err != nil:
		_, err := fmt.Fprintf(out, "FAIL\t%s [%s]\n", p.ImportPath, why)
		return false, err
	case p.binary == "":
		_, err := fmt.Fprintf(out, "?   \t%s\t[no test files]\n", p.ImportPath)
		return true, err
	}
	return do(ctx, c, p, out, temp)
}

// notBuilt prints what is known of why there is no test binary, and returns it in
// the two words of go test. What has nothing to do with the package is the error.
func (c Config) notBuilt(p program) (why string, err error) {
	for _, general := range []error{toolchain.ErrNoGo, toolchain.ErrNoCompiler, toolchain.ErrCache, toolchain.ErrNoRace, overlay.ErrUnsupported, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(p.err, general) {
			return "", p.err
		}
	}
	var broken *toolchain.BuildError
	said, why := p.err.Error(), "setup failed"
	if errors.As(p.err, &broken) {
		said, why = failLine.ReplaceAllString(broken.Output, ""), "build failed"
		if said != broken.Output {
			why = "setup failed"
		}
	}
	if !strings.HasPrefix(said, "#") {
		said = "# " + p.ImportPath + "\n" + said
	}
	said = strings.TrimRight(said, "\n") + "\n"
	if c.JSON {
		return why, c.tellBuild(p.ImportPath, said)
	}
	_, err = io.WriteString(c.Errs, said)
	return why, err
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
