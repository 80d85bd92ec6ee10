package suite

import (
	"context"
	"fmt"
	"io"
	"os/exec"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/suite/build"
)

// List prints the names of the tests, examples and fuzz targets of packages that match a pattern,
// and runs none. It reports whether every package was built and listed its tests within cfg's
// Timeout.
func List(ctx context.Context, cfg Config, pattern string) (ok bool, err error) {
	cfg.Total, cfg.Budget = 0, DefaultTimeout // no time to share, so packages keep their order
	return each(ctx, cfg, func(ctx context.Context, c Config, p build.Program, out io.Writer, temp string) (bool, error) {
		r := &run{Program: p, cfg: c, temp: temp}
		ctx, cancel := c.bounded(ctx)
		defer cancel()
		why := r.list(ctx, pattern, out)
		switch {
		case outOfTime(ctx):
			why = r.timedOut()
		case ctx.Err() != nil:
			return false, context.Cause(ctx)
		}
		if why != "" {
			_, err := fmt.Fprintf(out, "%s\nFAIL\t%s\n", why, p.ImportPath)
			return false, err
		}
		_, err := fmt.Fprintf(out, "ok  \t%s\n", p.ImportPath)
		return true, err
	}, nothing)
}

// list makes the test binary print its list, for which TestMain runs. It returns why that failed;
// "" if it did not.
func (r *run) list(ctx context.Context, pattern string, out io.Writer) (why string) {
	cmd := exec.Command(r.Binary, "-test.list="+pattern)
	cmd.Dir = r.Dir
	cmd.Env = environment(r.Package, r.temp)
	cmd.Stdout, cmd.Stderr = out, out
	p, err := child.Start(ctx, cmd, child.Options{Ask: dump, Grace: dumpTime})
	if err != nil {
		return err.Error()
	}
	if how := p.Wait(); !how.OK() {
		return how.String()
	}
	return ""
}
