package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/jacquard-go/jacquard/suite/build"
	"github.com/jacquard-go/jacquard/suite/output"
)

// Run runs the tests of packages, one package after another, and prints the results as go test
// does. It reports whether everything passed.
//
// The error says why tests could not be run at all: ErrConfig, an error of go list, an error of
// package toolchain that is not about one package that does not build, or an [*Interrupted] if ctx
// has ended. Results and failures so far are printed, and stored.
func Run(ctx context.Context, cfg Config) (ok bool, err error) {
	var all tally
	if cfg.book, err = openBook(ctx, cfg); err != nil {
		return false, err
	}
	cfg.page = newCoveredPage(cfg)
	ok, err = each(ctx, cfg, func(ctx context.Context, c Config, p build.Program, out io.Writer, temp string) (bool, error) {
		r := &run{Program: p, cfg: c, temp: temp}
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

// An Interrupted error says that the context of [Run] has ended before the tests.
type Interrupted struct {
	Cause  error
	Failed bool // a test had failed by then
}

func (i *Interrupted) Error() string { return "interrupted: " + i.Cause.Error() }

// Unwrap returns the Cause.
func (i *Interrupted) Unwrap() error { return i.Cause }

// A task is applied to the test binary of a package. It reports success. It prints to out and puts
// its files into the folder temp. An error ends the run of all packages.
type task func(ctx context.Context, cfg Config, p build.Program, out io.Writer, temp string) (ok bool, err error)

// A closing returns what to print at the end, given how many packages with tests there were and how
// many of them have failed.
type closing func(c Config, packages, failed int) string

// nothing is the closing of a task that prints nothing at the end.
func nothing(Config, int, int) string { return "" }

// each applies the task to one package after another, and prints an error for those without a test
// binary.
func each(ctx context.Context, cfg Config, do task, last closing) (ok bool, err error) {
	if cfg, err = cfg.withDefaults(); err != nil {
		return false, err
	}
	pkgs, err := cfg.how().List(ctx, cfg.Packages)
	if err != nil {
		return false, err
	}
	budget := cfg.timeBudget(pkgs)
	pkgs = cfg.inOrder(pkgs, budget)
	temp, err := os.MkdirTemp("", "jacquard-test-")
	if err != nil {
		return false, fmt.Errorf("no folder for temporary files (TMPDIR): %w", err)
	}
	defer os.RemoveAll(temp)
	building, cancel := context.WithCancel(ctx)
	programs := build.Programs(building, cfg.build, pkgs)
	defer func() {
		cancel()
		for range programs { // until the builder notices that ctx has ended
		}
	}()
	packages, failed, rest := 0, 0, pkgs
	for p := range programs {
		if ctx.Err() != nil {
			break
		}
		share, spent := budget.share(cfg, p.Package)
		began := time.Now()
		good, err := share.one(ctx, p, temp, do)
		if p.Tests() {
			spent(time.Since(began))
		}
		if err != nil {
			return false, err
		}
		rest = rest[1:]
		if p.Binary != "" || !good {
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

// withoutTurn lists the packages that were not begun.
func withoutTurn(pkgs []build.Package) string {
	var names []string
	for _, p := range pkgs {
		if p.Tests() {
			names = append(names, p.ImportPath)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("jacquard: %s not begun: %s\n", output.Plural(len(names), "package"), named(names))
}

// one applies the task to one package.
func (c Config) one(ctx context.Context, p build.Program, temp string, do task) (ok bool, err error) {
	why := ""
	if p.Err != nil {
		if ctx.Err() != nil {
			return true, nil // the caller has given up
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
	case p.Err != nil:
		_, err := fmt.Fprintf(out, "FAIL\t%s [%s]\n", p.ImportPath, why)
		return false, err
	case p.Binary == "":
		_, err := fmt.Fprintf(out, "?   \t%s\t[no test files]\n", p.ImportPath)
		return true, err
	}
	return do(ctx, c, p, out, temp)
}

// output returns the writer for a package's output: as it is, or converted to JSON. It must be
// closed.
func (c Config) output(ctx context.Context, pkg string) (io.WriteCloser, error) {
	if c.JSON {
		return output.JSON(ctx, c.Dir, pkg, c.Out, c.Errs)
	}
	return open{c.Out}, nil
}

// open is a writer whose Close does nothing.
type open struct{ io.Writer }

func (open) Close() error { return nil }

// notBuilt prints the output for a package without a test binary, and returns it with go test's two
// words for the reason. An error that is not about the package is returned as err.
func (c Config) notBuilt(p build.Program) (said, why string, err error) {
	if said, why, err = p.Trouble(); err != nil {
		return "", "", err
	}
	if c.JSON {
		return said, why, output.Build(c.Out, p.ImportPath, said)
	}
	_, err = io.WriteString(c.Errs, said)
	return said, why, err
}
