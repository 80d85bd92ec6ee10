package jobs

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// outcome is the result of a handler.
type outcome struct {
	result []byte
	err    error
}

// errExit is the failure of a handler that ended its goroutine.
var errExit = errors.New("the handler has ended its goroutine")

// run runs a job and reports its outcome. It returns when the handler has returned.
func (w *Worker) run(ctx context.Context, j Job) {
	c := claim{j.ID, j.Fence}
	handling, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w.queue.attend(c, cancel)
	defer w.queue.attend(c, nil)
	// A Cancel since the claim had nobody to signal.
	if now, err := w.queue.Get(ctx, j.ID); err == nil && now.Cancelling && now.Fence == j.Fence {
		cancel(ErrCancelled)
	}
	came := make(chan outcome, 1)
	go func() { w.handle(handling, j, came) }()
	ticker := time.NewTicker(w.cfg.Beat)
	defer ticker.Stop()
	for {
		select {
		case o := <-came:
			w.finish(ctx, j, o)
			return
		case <-ticker.C:
			w.beat(ctx, j, cancel)
		}
	}
}

// handle calls the handler, and sends its outcome even if it panics or ends its goroutine.
func (w *Worker) handle(ctx context.Context, j Job, came chan<- outcome) {
	o := outcome{err: errExit}
	defer func() {
		if p := recover(); p != nil {
			o.err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
		came <- o
	}()
	o.result, o.err = w.cfg.Handler(ctx, j.clone())
}

// beat renews the lease, and ends the handler's context if the job is lost or cancelled.
func (w *Worker) beat(ctx context.Context, j Job, cancel context.CancelCauseFunc) {
	renewed, err := w.queue.Heartbeat(ctx, j, w.cfg.Lease)
	switch {
	case errors.Is(err, ErrLost):
		cancel(err)
	case err == nil && renewed.Cancelling:
		cancel(ErrCancelled)
	case err != nil && ctx.Err() == nil:
		w.cfg.Logger.WarnContext(ctx, "a lease was not renewed", "worker", w.cfg.Name, "job", j.ID, "error", err)
	}
}

// finish reports the outcome of an attempt, even when the worker is stopping. It repeats calls that
// fail for up to the time of a lease, after which the database would refuse them, unless the
// database is closed.
func (w *Worker) finish(stopping context.Context, j Job, o outcome) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(stopping), w.cfg.Lease)
	defer cancel()
	for {
		err := w.report(ctx, stopping.Err() != nil, j, o)
		switch {
		case err == nil:
			return
		case errors.Is(err, ErrLost) || errors.Is(err, lifecycle.ErrClosed) || ctx.Err() != nil:
			w.cfg.Logger.WarnContext(ctx, "what came of a job was not accepted", "worker", w.cfg.Name, "job", j.ID, "error", err)
			return
		}
		w.pause(ctx)
	}
}

// report reports the outcome of an attempt to the queue.
func (w *Worker) report(ctx context.Context, stopping bool, j Job, o outcome) (err error) {
	switch {
	case o.err == nil:
		_, err = w.queue.Succeed(ctx, j, o.result)
		if err == nil || !isInvalid(err) {
			return err
		}
		o.err = err // the result is invalid and cannot be stored
	case stopping:
		_, err = w.queue.GiveBack(ctx, j)
		return err
	}
	w.cfg.Logger.InfoContext(ctx, "an attempt has failed", "worker", w.cfg.Name, "job", j.ID, "attempt", j.Attempt, "error", o.err)
	_, err = w.queue.Fail(ctx, j, o.err.Error(), w.cfg.pause(j))
	return err
}

// pause waits before the database is asked again.
func (w *Worker) pause(ctx context.Context) {
	timer := time.NewTimer(min(w.cfg.Poll, w.cfg.Lease/10))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
