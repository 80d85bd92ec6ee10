package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/suite/protocol"
	"github.com/jacquard-go/jacquard/suite/scratch"
)

// A Debugger is a command that runs a test binary, such as dlv exec, with its standard files. In,
// Out and Errs are as those of an exec.Cmd; the command sees a terminal only if they are an
// *os.File.
type Debugger struct {
	// Command is the command with its arguments. The binary's path replaces an argument {}, or
	// follows the last one; the binary's flags come last.
	Command   []string
	In        io.Reader
	Out, Errs io.Writer
}

// line returns the command line for a binary and its flags.
func (d Debugger) line(binary string, flags []string) []string {
	words := slices.Clone(d.Command)
	if i := slices.Index(words, "{}"); i >= 0 {
		words[i] = binary
	} else {
		words = append(words, binary)
	}
	return append(words, flags...)
}

// Debug is [Replay] under a debugger, without time limit: neither cfg's Timeout nor the explorer's
// watchdog ends it. It takes one execution, or a few to show a data race, if the card is of exactly
// this program. A card of another version may take many executions, so replay it first, and debug
// the card of that failure.
//
// The error is as Replay's. It wraps ErrReplay if the debugger ended before the test did.
func Debug(ctx context.Context, cfg Config, card Card, d Debugger) (protocol.Event, error) {
	if len(d.Command) == 0 {
		return protocol.Event{}, fmt.Errorf("%w: Command: got none", ErrConfig)
	}
	return replay(ctx, cfg, card, func(ctx context.Context, r *run) (protocol.Event, error) {
		return r.debug(ctx, card, d)
	})
}

// debug follows a card under a debugger.
func (r *run) debug(ctx context.Context, card Card, d Debugger) (e protocol.Event, err error) {
	dir, err := os.MkdirTemp(r.temp, "")
	if err != nil {
		return e, err
	}
	files, err := scratch.New(r.Binary, card.Test)
	if err != nil {
		return e, err
	}
	defer files.Remove()
	req := r.asked(card)
	req.Temp = files.Schedules()
	req.Debug, req.Events = true, filepath.Join(dir, "events")
	file := filepath.Join(dir, "request")
	if err := req.Write(file); err != nil {
		return e, err
	}
	words := d.line(r.Binary, r.flagsOf(card.Test))
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = r.Dir
	cmd.Env = append(environment(r.Package, dir), files.Entry(), protocol.RequestVar+"="+file)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = d.In, d.Out, d.Errs
	cmd.WaitDelay = dumpTime
	err = cmd.Run()
	if ctx.Err() != nil {
		return e, context.Cause(ctx)
	}
	if e, ok := protocol.LastEvent(req.Events); ok {
		return e, nil
	}
	return e, fmt.Errorf("%w: %s ended before the test did: %s", ErrReplay, strings.Join(d.Command, " "), ending(err))
}

// ending describes how a command ended.
func ending(err error) string {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "exit status 0"
	case errors.As(err, &exit):
		return exit.ProcessState.String()
	}
	return err.Error()
}
