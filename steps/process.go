package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/internal/executable"
)

// scriptEnv tells a process to run the script that it has, and nothing else.
const scriptEnv = "JACQUARD_STEPS_SCRIPT"

// A verdict is what such a process writes to its standard output.
type verdict struct {
	Outcome Outcome `json:"outcome"`
	Error   string  `json:"error,omitempty"`
}

// Processes returns a [RunFunc] that runs every script in a process of its own: a
// copy of the program at path, whose main function must call [Serve] first.
// That way explorations run side by side, each alone in its process, and one that
// hangs can be killed.
func Processes(path string) RunFunc {
	return func(ctx context.Context, s Script) (Outcome, error) {
		text, err := json.Marshal(s)
		if err != nil {
			return Outcome{}, err
		}
		dir, err := os.MkdirTemp("", "jacquard-steps-")
		if err != nil {
			return Outcome{}, err
		}
		defer func() { _ = os.RemoveAll(dir) }() // it is the system's folder for such things
		cmd := exec.Command(path)
		cmd.Env = append(executable.Env(os.Environ(), dir), scriptEnv+"="+string(text))
		p, err := child.Start(ctx, cmd, child.Options{Wire: child.Lines})
		if err != nil {
			return Outcome{}, fmt.Errorf("the process that runs it: %w", err)
		}
		var a verdict
		answered := p.Receive(&a)
		how := p.Close()
		var garbled *child.Garbled
		switch {
		case how.OK() && errors.As(answered, &garbled):
			return Outcome{}, fmt.Errorf("the process that runs it answered %q: %w", garbled.Line, garbled.Err)
		case !how.OK():
			return Outcome{}, fmt.Errorf("the process that runs it: %v\n%s", how, lastWords(how.Words))
		case answered != nil:
			return Outcome{}, fmt.Errorf("the process that runs it: %w", answered)
		}
		if a.Error != "" {
			return Outcome{}, fmt.Errorf("the process that runs it: %s", a.Error)
		}
		return a.Outcome, nil
	}
}

// Serve does what [Processes] asks of this process, if it was started by that:
// it runs the script and writes the answer to out. It reports whether there was
// anything to do.
func Serve(ctx context.Context, run RunFunc, out io.Writer) (bool, error) {
	text := os.Getenv(scriptEnv)
	if text == "" {
		return false, nil
	}
	var s Script
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return true, fmt.Errorf("%s: %w", scriptEnv, err)
	}
	if caller := os.Getenv(callerEnv); caller != "" {
		return true, serveCaller(ctx, s, caller, out)
	}
	o, err := run(ctx, s)
	a := verdict{Outcome: o}
	if err != nil {
		a.Error = err.Error()
	}
	return true, child.Lines(nil, out).Send(a)
}

// serveCaller makes the calls of one caller.
func serveCaller(ctx context.Context, s Script, caller string, out io.Writer) error {
	var what part
	if err := json.Unmarshal([]byte(caller), &what); err != nil {
		return fmt.Errorf("%s: %w", callerEnv, err)
	}
	p, err := compile(s)
	if err != nil {
		return err
	}
	return p.call(ctx, what, os.Stdin, out)
}

// lastWords is the beginning of what a dead process wrote, where a crash says
// why.
func lastWords(text string) string {
	const most = 12
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[:min(len(lines), most)], "\n")
}
