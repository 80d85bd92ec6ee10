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

// A Debugger is a command to run a test binary by, with the files that it talks
// to: dlv exec, for example. In, Out and Errs are as those of an exec.Cmd; a
// terminal is one to the command only if it is an *os.File.
type Debugger struct {
	// Command is the command with its arguments. The binary's path takes the
	// place of an argument {}, or follows the last one, and the binary's flags
	// are the last of all.
	Command   []string
	In        io.Reader
	Out, Errs io.Writer
}

// line is the command with the binary in it.
func (d Debugger) line(binary string, flags []string) []string {
	words := slices.Clone(d.Command)
	if i := slices.Index(words, "{}"); i >= 0 {
		words[i] = binary
	} else {
		words = append(words, binary)
	}
	return append(words, flags...)
}

// Debug is [Replay] by a debugger, for as long as that takes: neither cfg's
// Timeout nor the explorer's watchdog ends it. It takes one execution, or some more
// to show a data race, if the card is of the very program; one that is of another
// may take many, so it is better replayed first, and the card of that failure
// followed.
//
// The error is as Replay's. It wraps ErrReplay if the debugger ended before the
// test did.
func Debug(ctx context.Context, cfg Config, card Card, d Debugger) (protocol.Event, error) {
	if len(d.Command) == 0 {
		return protocol.Event{}, fmt.Errorf("%w: Command: got none", ErrConfig)
	}
	return replay(ctx, cfg, card, func(ctx context.Context, r *run) (protocol.Event, error) {
		return r.debug(ctx, card, d)
	})
}

// debug follows a card by a debugger.
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

// ending is how a command ended, in words.
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
