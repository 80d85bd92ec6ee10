package suite

import (
	"context"
	"fmt"
	"io"
	"os/exec"
)

// List prints the names of the tests, examples and fuzz targets of packages that
// match a pattern, and runs none. It reports whether every package was built.
func List(ctx context.Context, cfg Config, pattern string) (ok bool, err error) {
	return each(ctx, cfg, func(ctx context.Context, c Config, p program, out io.Writer, temp string) (bool, error) {
		cmd := exec.CommandContext(ctx, p.binary, "-test.list="+pattern)
		cmd.Dir = p.Dir
		cmd.Env = environment(p.Package, temp)
		cmd.Stdout, cmd.Stderr = out, out
		ownGroup(cmd)
		tie(cmd)
		if err := cmd.Run(); err != nil {
			if ctx.Err() != nil {
				return false, context.Cause(ctx)
			}
			_, err = fmt.Fprintf(out, "%v\nFAIL\t%s\n", err, p.ImportPath)
			return false, err
		}
		_, err := fmt.Fprintf(out, "ok  \t%s\n", p.ImportPath)
		return true, err
	}, nothing)
}
