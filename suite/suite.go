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
	"time"

	"github.com/jacquard-go/jacquard/internal/overlay"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// Run runs the tests of packages, one package after the other, and prints what
// comes of them as go test does. It reports whether all went well.
//
// The error says why tests could not be run at all: ErrConfig, what go list
// says, the errors of package toolchain other than that of one package that
// does not build, or an [*Interrupted] if ctx has ended. What was found and explored by
// then is printed, and remembered.
func Run(ctx context.Context, cfg Config) (ok bool, err error) {
	var all tally
	if cfg.book, err = openBook(ctx, cfg); err != nil {
		return false, err
	}
	cfg.page = newCoveredPage(cfg)
	ok, err = each(ctx, cfg, func(ctx context.Context, c Config, p program, out io.Writer, temp string) (bool, error) {
		r := &run{program: p, cfg: c, temp: temp}
		if err := r.test(ctx, out); err != nil && r.halted == nil {
			return false, fmt.Errorf("%s: %w", p.ImportPath, err)
		}
		all.add(r.tally())
		cfg.book.take(r)
		cfg.page.take(r)
		return r.ok(), nil
	}, func(c Config, packages, failed int) string {
		return all.closing(c, packages, failed) + cfg.book.closing()
	})
	return ok, errors.Join(err, cfg.book.close(cfg), cfg.page.close(cfg.CoveredHTML))
}

// An Interrupted says that the context of [Run] has ended before the tests had.
type Interrupted struct {
	Cause  error
	Failed bool // something had been found by then
}

func (i *Interrupted) Error() string { return "interrupted: " + i.Cause.Error() }

// Unwrap returns the Cause.
func (i *Interrupted) Unwrap() error { return i.Cause }

// A task is what is done with the test binary of a package. It reports whether
// that went well. What it prints goes to out, its files into the folder temp. The
// error is one that concerns all packages.
type task func(ctx context.Context, cfg Config, p program, out io.Writer, temp string) (ok bool, err error)

// A closing makes what is printed in the end, of how many packages with tests there
// were and how many of them have failed.
type closing func(c Config, packages, failed int) string

// nothing is the closing of a task that has said all.
func nothing(Config, int, int) string { return "" }

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
	pkgs = cfg.inOrder(pkgs)
	temp, err := os.MkdirTemp("", "jacquard-test-")
	if err != nil {
		return false, fmt.Errorf("no folder for temporary files (TMPDIR): %w", err)
	}
	defer os.RemoveAll(temp)
	building, cancel := context.WithCancel(ctx)
	programs := cfg.builds(building, pkgs)
	defer func() {
		cancel()
		for range programs { // until the builder has noticed
		}
	}()
	packages, failed, purse, rest := 0, 0, cfg.purse(pkgs), pkgs
	for p := range programs {
		if ctx.Err() != nil {
			break
		}
		share, spent := purse.share(cfg)
		began := time.Now()
		good, err := share.one(ctx, p, temp, do)
		if p.tests() {
			spent(time.Since(began))
		}
		if err != nil {
			return false, err
		}
		rest = rest[1:]
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
	text := last(cfg, packages, failed)
	if ctx.Err() != nil {
		text += withoutTurn(rest)
	}
	if failed > 0 {
		text += "FAIL\n"
	}
	if !cfg.JSON {
		_, err = io.WriteString(cfg.Out, text)
	}
	if ctx.Err() != nil {
		return false, &Interrupted{context.Cause(ctx), failed > 0}
	}
	return failed == 0, err
}

// withoutTurn says which packages were not begun.
func withoutTurn(pkgs []listed) string {
	var names []string
	for _, p := range pkgs {
		if p.tests() {
			names = append(names, p.ImportPath)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("jacquard: %s not begun: %s\n", plural(len(names), "package"), named(names))
}

// one does the task with one package.
func (c Config) one(ctx context.Context, p program, temp string, do task) (ok bool, err error) {
	why := ""
	if p.err != nil {
		if ctx.Err() != nil {
			return true, nil // nobody asks any more
		}
		said := ""
		if said, why, err = c.notBuilt(p); err != nil {
			return false, err
		}
		c.notRun(p, why+"\n"+said)
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

// notBuilt prints what is known of why there is no test binary, and returns that, and it in
// the two words of go test. What has nothing to do with the package is the error.
func (c Config) notBuilt(p program) (said, why string, err error) {
	for _, general := range []error{toolchain.ErrNoGo, toolchain.ErrNoCompiler, toolchain.ErrCache, toolchain.ErrNoRace, overlay.ErrUnsupported, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(p.err, general) {
			return "", "", p.err
		}
	}
	var broken *toolchain.BuildError
	said, why = p.err.Error(), "setup failed"
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
		return said, why, c.tellBuild(p.ImportPath, said)
	}
	_, err = io.WriteString(c.Errs, said)
	return said, why, err
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
