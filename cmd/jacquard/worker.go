package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/internal/executable"
)

// errGarbled says that a worker broke the protocol: most likely, the code under
// test has written to standard output.
var errGarbled = errors.New("it said")

// A worker is one controlled process. One goroutine at a time may use it.
type worker struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	said    *bytes.Buffer // to standard error; readable once the process is over
	silence time.Duration
	silent  atomic.Bool // it was killed because it said nothing
}

// start starts a worker, which dies with ctx.
func (p *pool) start(ctx context.Context) (*worker, error) {
	w := &worker{said: new(bytes.Buffer), silence: p.silence}
	w.cmd = exec.CommandContext(ctx, p.binary, "work")
	w.cmd.Env = append(executable.Env(os.Environ(), p.dir), "TMPDIR="+p.dir)
	w.cmd.Stderr = w.said
	w.cmd.Cancel = func() error { return askToEnd(w.cmd.Process) } // with the processes that it has started
	w.cmd.WaitDelay = time.Second
	var err error
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("worker: %w", err)
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("worker: %w", err)
	}
	w.out = bufio.NewReader(out)
	if err := w.cmd.Start(); err != nil {
		return nil, fmt.Errorf("worker: %w", err)
	}
	return w, nil
}

// do sends a job and waits for its last answer. After an error the worker is
// of no more use than to say why it died.
func (w *worker) do(j job, progress func(int)) (answer, error) {
	line, err := json.Marshal(j)
	if err != nil {
		return answer{}, err
	}
	alarm := time.AfterFunc(w.silence, func() {
		w.silent.Store(true)
		_ = w.cmd.Process.Kill() // it may be over
	})
	defer alarm.Stop()
	if _, err := w.in.Write(append(line, '\n')); err != nil {
		return answer{}, err
	}
	for {
		line, err := w.out.ReadBytes('\n')
		if err != nil {
			return answer{}, err
		}
		alarm.Reset(w.silence)
		var a answer
		if err := json.Unmarshal(line, &a); err != nil {
			return answer{}, fmt.Errorf("%w %.60q, want an answer in JSON", errGarbled, line)
		}
		if a.Outcome != nil || a.Error != "" {
			return a, nil
		}
		progress(a.Progress)
	}
}

// stop ends an idle worker.
func (w *worker) stop() {
	if w == nil {
		return
	}
	_ = w.in.Close()
	_ = w.cmd.Wait() // its answers have said all there is
}

// died ends a worker whose job failed with err, and says what became of it in
// one line.
func (w *worker) died(err error) string {
	_ = w.in.Close()
	_ = w.cmd.Process.Kill() // it may be over
	_ = w.cmd.Wait()         // the state says more
	switch {
	case w.silent.Load():
		return fmt.Sprintf("the process under control was killed: it said nothing for %s", w.silence)
	case errors.Is(err, errGarbled):
		return fmt.Sprintf("the process under control was killed: %v", err)
	}
	return fmt.Sprintf("the process under control died: %s%s", w.cmd.ProcessState, w.lastWords())
}

// lastWords is the first line that the process wrote to standard error, after a
// colon: what the Go runtime says first is what matters.
func (w *worker) lastWords() string {
	for line := range strings.Lines(w.said.String()) {
		if line = strings.TrimSpace(line); line != "" {
			return ": " + line
		}
	}
	return ""
}
