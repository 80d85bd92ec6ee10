package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// List prints the names of the tests, examples and fuzz targets of packages that
// match a pattern, and runs none. It reports whether every package was built and
// told them within cfg's Timeout.
func List(ctx context.Context, cfg Config, pattern string) (ok bool, err error) {
	return each(ctx, cfg, func(ctx context.Context, c Config, p program, out io.Writer, temp string) (bool, error) {
		r := &run{program: p, cfg: c, temp: temp}
		ctx, cancel := context.WithTimeoutCause(ctx, c.Timeout, errTimeout)
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

// list has the test binary print its list, for which TestMain runs. It returns why
// that failed; "" is well.
func (r *run) list(ctx context.Context, pattern string, out io.Writer) (why string) {
	cmd := exec.CommandContext(ctx, r.binary, "-test.list="+pattern)
	cmd.Dir = r.Dir
	cmd.Env = environment(r.listed, r.temp)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = dumpTime + holdTime
	cmd.Cancel = func() error { return end(ctx, cmd) }
	ownGroup(cmd)
	tie(cmd)
	err := cmd.Run()
	if cmd.Process != nil {
		killGroup(cmd.Process) // nothing that it has started stays
	}
	if err == nil || errors.Is(err, exec.ErrWaitDelay) {
		return ""
	}
	return err.Error()
}
