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

// scriptEnv holds a script. A process that has it runs that script and nothing else.
const scriptEnv = "JACQUARD_STEPS_SCRIPT"

// A verdict is what a process that runs a script writes to its standard output.
type verdict struct {
	Outcome Outcome `json:"outcome"`
	Error   string  `json:"error,omitempty"`
}

// Processes returns a [RunFunc] that runs each script in its own process: a copy of the program at
// path, whose main function must call [Serve] first. So explorations run side by side, each alone
// in its process, and one that hangs can be killed.
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
		defer func() { _ = os.RemoveAll(dir) }() // the system cleans its temporary folder
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

// Serve does the work of a process that this package has started: it runs the script, or one
// caller's part, and writes the answers to out. In any other process it does nothing and returns
// false.
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

// serveCaller makes the calls of one caller, which is given as a [part] in JSON.
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

// lastWords returns the beginning of a dead process's output, where a crash states its reason.
func lastWords(text string) string {
	const most = 12
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[:min(len(lines), most)], "\n")
}
