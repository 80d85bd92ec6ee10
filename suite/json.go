package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// output is where what is printed of a package goes: as it is, or through the
// toolchain's own converter to JSON. It must be closed.
func (c Config) output(ctx context.Context, pkg string) (io.WriteCloser, error) {
	if !c.JSON {
		return open{c.Out}, nil
	}
	cmd := exec.CommandContext(ctx, "go", "tool", "test2json", "-t", "-p", pkg)
	cmd.Dir = c.Dir
	cmd.Stdout, cmd.Stderr = c.Out, c.Errs
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("go tool test2json: %w", err)
	}
	return converter{in, cmd}, nil
}

// open is a writer that stays open.
type open struct{ io.Writer }

func (open) Close() error { return nil }

// A converter is a process that converts what is written to it.
type converter struct {
	io.WriteCloser
	cmd *exec.Cmd
}

func (c converter) Close() error {
	if err := errors.Join(c.WriteCloser.Close(), c.cmd.Wait()); err != nil {
		return fmt.Errorf("go tool test2json: %w", err)
	}
	return nil
}
