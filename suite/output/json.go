package output

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// JSON starts the toolchain's converter to go test -json, which converts what is written to the
// result and writes it to out. The result must be closed.
func JSON(ctx context.Context, dir, pkg string, out, errs io.Writer) (io.WriteCloser, error) {
	// It ends with its input, so that what is written after an interrupt is converted, too.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), "go", "tool", "test2json", "-t", "-p", pkg)
	cmd.Dir = dir
	toolchain.Apart(cmd)
	cmd.Stdout, cmd.Stderr = &attributes{out: out}, errs
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("go tool test2json: %w", err)
	}
	return converter{in, cmd}, nil
}

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

// attributes restores attribute events that the converter takes for output: the converter reads
// lines of at most 4 KB, and passes longer ones on in parts.
type attributes struct {
	out   io.Writer
	line  []byte     // the beginning of a line
	begun *attribute // the attribute event received so far; nil if the last one is complete
}

// An attribute is first an output event, and then an attribute event.
type attribute struct {
	Time    time.Time
	Action  string
	Package string
	Test    string
	Key     string `json:",omitempty"`
	Value   string `json:",omitempty"`
	Output  string `json:",omitempty"`
}

// Attributed precedes the name of the test, the key and the value.
const Attributed = Marker + "=== ATTR  "

// Write handles the converter's output.
func (a *attributes) Write(b []byte) (int, error) {
	a.line = append(a.line, b...)
	for {
		end := bytes.IndexByte(a.line, '\n') + 1
		if end == 0 {
			return len(b), nil
		}
		if _, err := a.out.Write(a.join(a.line[:end])); err != nil {
			return 0, err
		}
		a.line = a.line[end:]
	}
}

// join returns what to write for an event: nothing while an attribute is incomplete.
func (a *attributes) join(event []byte) []byte {
	var e attribute
	if err := json.Unmarshal(event, &e); err != nil {
		return event
	}
	switch {
	case a.begun != nil:
		a.begun.Output += e.Output
	case strings.HasPrefix(e.Output, Attributed):
		a.begun = &e
	default:
		return event
	}
	line, whole := strings.CutSuffix(a.begun.Output, "\n")
	if !whole {
		return nil
	}
	e, a.begun = *a.begun, nil
	_, line, _ = strings.Cut(strings.TrimPrefix(line, Attributed), " ") // after the test's name
	e.Action, e.Output = "attr", ""
	e.Key, e.Value, _ = strings.Cut(line, " ")
	text, err := json.Marshal(e)
	if err != nil {
		return event // it can always be marshalled
	}
	return append(text, '\n')
}

// Build writes the compiler's output for a package as go test -json does.
func Build(out io.Writer, pkg, said string) error {
	type event struct{ ImportPath, Action, Output string }
	e := json.NewEncoder(out)
	for line := range strings.Lines(said) {
		if err := e.Encode(event{pkg, "build-output", line}); err != nil {
			return err
		}
	}
	return e.Encode(struct{ ImportPath, Action string }{pkg, "build-fail"})
}
