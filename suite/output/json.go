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

// JSON has the toolchain's own converter write to out, as go test -json does, what is
// written of a package. It must be closed.
func JSON(ctx context.Context, dir, pkg string, out, errs io.Writer) (io.WriteCloser, error) {
	// It ends with its input, so that what is known when all is to end is told, too.
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

// attributes makes events of attributes again that the converter takes for output: it
// reads no line of more than 4 KB, and passes it on in parts.
type attributes struct {
	out   io.Writer
	line  []byte     // the beginning of one
	begun *attribute // what has come of an attribute so far; nil if the last one is whole
}

// An attribute is an event of output, and then one of an attribute.
type attribute struct {
	Time    time.Time
	Action  string
	Package string
	Test    string
	Key     string `json:",omitempty"`
	Value   string `json:",omitempty"`
	Output  string `json:",omitempty"`
}

// Attributed is before the name of the test, the key and the value.
const Attributed = Marker + "=== ATTR  "

// Write takes what the converter writes.
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

// join is what an event becomes: nothing while an attribute is not whole.
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
	_, line, _ = strings.Cut(strings.TrimPrefix(line, Attributed), " ") // behind the test's name
	e.Action, e.Output = "attr", ""
	e.Key, e.Value, _ = strings.Cut(line, " ")
	text, err := json.Marshal(e)
	if err != nil {
		return event // it can be marshalled
	}
	return append(text, '\n')
}

// Build writes what the compiler said of a package as go test -json does.
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
