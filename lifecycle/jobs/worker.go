package jobs

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/check"
)

// Worker runs jobs of a queue, several at a time. Its methods are safe for concurrent use.
type Worker struct {
	cfg   WorkerConfig
	queue *Queue

	ran      atomic.Bool
	shutdown sync.Once
	stopping chan struct{} // closed by Shutdown: no more claims
	breaking chan struct{} // closed when Shutdown stops waiting: handlers must return
	broken   sync.Once
	ended    chan struct{} // closed when Run returns
}

// NewWorker returns a worker that does nothing yet. The error matches
// [lifecycle.ErrInvalid].
func NewWorker(q *Queue, cfg WorkerConfig) (*Worker, error) {
	if q == nil {
		return nil, check.Invalid("queue", "", "is nil")
	}
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	return &Worker{
		cfg: cfg, queue: q,
		stopping: make(chan struct{}), breaking: make(chan struct{}), ended: make(chan struct{}),
	}, nil
}

// Run claims jobs and runs them until [Worker.Shutdown], until ctx ends, which acts like a Shutdown
// that does not wait, or until the database is closed. It returns when all handlers have, and
// leaves no goroutine behind. It may be called once: the error of a second call matches
// [lifecycle.ErrInvalid]. Otherwise the error is nil, or matches [lifecycle.ErrClosed].
//
// If the database fails, Run tries again after Poll.
func (w *Worker) Run(ctx context.Context) error {
	if ctx == nil {
		return check.Invalid("context", "", "is nil")
	}
	if !w.ran.CompareAndSwap(false, true) {
		return check.Invalid("worker", w.cfg.Name, "has been run already")
	}
	defer close(w.ended)
	defer context.AfterFunc(ctx, w.breakOff)()
	work, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	over := make(chan struct{})
	var all, one sync.WaitGroup
	one.Go(func() {
		select {
		case <-w.breaking:
			stop(ErrStopping)
		case <-over:
		}
	})
	errs := make([]error, w.cfg.Size)
	for i := range errs {
		all.Go(func() { errs[i] = w.loop(work) })
	}
	all.Wait()
	close(over)
	one.Wait()
	return errors.Join(errs...)
}

// Shutdown stops claiming and waits until the running jobs are done. If ctx ends first, Shutdown
// ends the contexts of the handlers and returns ctx's error; their jobs are given back. If the
// worker has not been run, a later Run stops at once.
func (w *Worker) Shutdown(ctx context.Context) error {
	if ctx == nil {
		return check.Invalid("context", "", "is nil")
	}
	w.stop()
	if !w.ran.Load() {
		return nil
	}
	select {
	case <-w.ended:
	case <-ctx.Done():
		if !closed(w.ended) {
			w.breakOff()
			return fmt.Errorf("jobs: worker %s: shut down: %w", w.cfg.Name, ctx.Err())
		}
	}
	return nil
}

func (w *Worker) stop() { w.shutdown.Do(func() { close(w.stopping) }) }

// breakOff ends the contexts of the handlers.
func (w *Worker) breakOff() {
	w.stop()
	w.broken.Do(func() { close(w.breaking) })
}

// loop runs one job after another.
func (w *Worker) loop(ctx context.Context) error {
	for !w.isStopping() {
		j, ok, err := w.queue.Claim(ctx, w.cfg.Name, w.cfg.Lease)
		switch {
		case ok:
			w.queue.rouse() // there may be more jobs, for another goroutine
			w.run(ctx, j)
			continue
		case errors.Is(err, lifecycle.ErrClosed):
			w.stop()
			return err
		case err != nil && ctx.Err() == nil:
			w.cfg.Logger.ErrorContext(ctx, "no job could be claimed", "worker", w.cfg.Name, "error", err)
		}
		w.rest()
	}
	return nil
}

func (w *Worker) isStopping() bool { return closed(w.stopping) }

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// rest waits for the poll time, a wake-up or the shutdown.
func (w *Worker) rest() {
	timer := time.NewTimer(w.cfg.Poll)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-w.queue.wake:
	case <-w.stopping:
	}
}
