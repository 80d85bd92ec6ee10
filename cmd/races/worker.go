package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/internal/executable"
)

// A worker is one controlled process. One goroutine at a time may use it.
type worker struct{ *child.Process }

// start starts a worker, which dies with ctx.
func (p *pool) start(ctx context.Context) (*worker, error) {
	cmd := exec.Command(p.binary, "work")
	cmd.Env = append(executable.Env(os.Environ(), p.dir), "TMPDIR="+p.dir)
	w, err := child.Start(ctx, cmd, child.Options{Wire: child.Lines, Silence: p.silence, Ask: askToEnd, Grace: time.Second})
	if err != nil {
		return nil, fmt.Errorf("worker: %w", err)
	}
	return &worker{w}, nil
}

// askToEnd has a worker end the processes that it has started, and itself, unless it
// is silent anyway.
func askToEnd(cause error) os.Signal {
	if errors.As(cause, new(child.Silent)) {
		return nil
	}
	return syscall.SIGTERM
}

// do sends a job and waits for its last answer. After an error the worker is
// of no more use than to say why it died.
func (w *worker) do(j job, progress func(int)) (answer, error) {
	if err := w.Send(j); err != nil {
		return answer{}, err
	}
	for {
		var a answer
		if err := w.Receive(&a); err != nil || a.Outcome != nil || a.Error != "" {
			return a, err
		}
		progress(a.Progress)
	}
}

// stop ends an idle worker.
func (w *worker) stop() {
	if w != nil {
		w.Close()
	}
}

// died ends a worker whose job failed with err, and says what became of it in
// one line: the first of its last words is what the Go runtime says of it.
func (w *worker) died(err error) string {
	w.Kill()
	how := w.Close()
	var garbled *child.Garbled
	switch {
	case errors.As(how.Cause, new(child.Silent)):
		return fmt.Sprintf("the process under control was killed: %v", how.Cause)
	case errors.As(err, &garbled): // most likely by the code under test
		return fmt.Sprintf("the process under control was killed: it said %.60q, want an answer in JSON", garbled.Line)
	}
	text := fmt.Sprintf("the process under control died: %s", how)
	if line := child.FirstLine(how.Words); line != "" {
		text += ": " + line
	}
	return text
}
