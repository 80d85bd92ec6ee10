package jobs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
	"github.com/jacquard-go/jacquard/lifecycle/internal/worktest"
	"github.com/jacquard-go/jacquard/lifecycle/jobs"
)

// A running is a running worker.
type running struct {
	*jobs.Worker
	ended chan error
}

// start runs a worker that polls often and ends with the test. Its leases are long
// unless cfg sets them.
func start(t *testing.T, q *jobs.Queue, cfg jobs.WorkerConfig) *running {
	t.Helper()
	if cfg.Name == "" {
		cfg.Name = "A"
	}
	if cfg.Poll == 0 {
		cfg.Poll = time.Millisecond
	}
	if cfg.FirstPause == 0 {
		cfg.FirstPause, cfg.LongestPause = 1, 1
	}
	w, err := jobs.NewWorker(q, cfg)
	check(t, err)
	r := &running{w, make(chan error, 1)}
	go func() { r.ended <- w.Run(context.Background()) }()
	t.Cleanup(func() { _ = w.Shutdown(context.Background()) })
	return r
}

// until waits until a job is in a state.
func until(t *testing.T, q *jobs.Queue, id string, state jobs.State) jobs.Job {
	t.Helper()
	for {
		j, err := q.Get(context.Background(), id)
		check(t, err)
		if j.State == state {
			return j
		}
		if j.State.Terminal() {
			t.Fatalf("got %+v, want it %s", j, state)
		}
		time.Sleep(time.Millisecond)
	}
}

// At most four jobs run at a time, and each runs once.
func TestPool(t *testing.T) {
	forEachStore(t, func(t *testing.T, q *jobs.Queue) {
		const n = 12
		var now, times atomic.Int64
		full, fill := make(chan struct{}), sync.Once{}
		worker := start(t, q, jobs.WorkerConfig{Handler: func(_ context.Context, j jobs.Job) ([]byte, error) {
			times.Add(1)
			switch at := now.Add(1); {
			case at == jobs.DefaultSize:
				fill.Do(func() { close(full) })
			case at > jobs.DefaultSize:
				t.Errorf("got %d jobs at a time, want at most %d", at, jobs.DefaultSize)
			}
			<-full
			now.Add(-1)
			return append(j.Payload, " woven"...), nil
		}})
		var ids []string
		for range n {
			ids = append(ids, submit(t, q, 0).ID)
		}
		for _, id := range ids {
			if j := until(t, q, id, jobs.Succeeded); string(j.Result) != "pattern woven" || j.Attempt != 1 {
				t.Errorf("got %+v, want a result of the first attempt", j)
			}
		}
		check(t, worker.Shutdown(context.Background()))
		check(t, <-worker.ended)
		if times.Load() != n {
			t.Errorf("got %d runs of handlers, want %d", times.Load(), n)
		}
	})
}

// Whatever a handler does, its attempt ends.
func TestFailingHandlers(t *testing.T) {
	ctx := context.Background()
	for says, handler := range map[string]func(context.Context) ([]byte, error){
		"the loom is jammed":  func(context.Context) ([]byte, error) { return nil, errors.New("the loom is jammed") },
		"panic: torn":         func(context.Context) ([]byte, error) { panic("torn") },
		"ended its goroutine": func(context.Context) ([]byte, error) { runtime.Goexit(); return nil, nil },
		"result: ":            func(context.Context) ([]byte, error) { return make([]byte, lifecycle.MaxText+1), nil },
	} {
		q := queue(t, nil)
		var log bytes.Buffer
		worker := start(t, q, jobs.WorkerConfig{
			Handler: func(ctx context.Context, _ jobs.Job) ([]byte, error) { return handler(ctx) },
			Logger:  slog.New(slog.NewTextHandler(&log, nil)), Size: 1,
		})
		j := submit(t, q, 2)
		until(t, q, j.ID, jobs.Failed)
		is(t, q, j.ID, jobs.Failed, 2, "A", says)
		check(t, worker.Shutdown(ctx))
		if strings.Count(log.String(), "an attempt has failed") != 2 {
			t.Errorf("%s: got the log %q, want both attempts", says, log.String())
		}
	}
}

// Cancelling a running job ends its handler's context: at once on the same queue,
// and at the next heartbeat in another process.
func TestCancelSignals(t *testing.T) {
	ctx := context.Background()
	worktest.Each(t, func(t *testing.T, work *lifecycle.UnitOfWork) {
		q := queue(t, work)
		other := q.Twin(time.Now, nil)
		causes, begun := make(chan error, 1), make(chan struct{})
		start(t, q, jobs.WorkerConfig{Beat: time.Millisecond, Handler: func(ctx context.Context, _ jobs.Job) ([]byte, error) {
			begun <- struct{}{}
			<-ctx.Done()
			causes <- context.Cause(ctx)
			return nil, ctx.Err()
		}})
		for _, by := range []*jobs.Queue{q, other} {
			j := submit(t, q, 0)
			<-begun
			check(t, ignore(by.Cancel(ctx, j.ID, "no longer wanted")))
			if cause := <-causes; cause != jobs.ErrCancelled {
				t.Errorf("got cause %v, want %v", cause, jobs.ErrCancelled)
			}
			until(t, q, j.ID, jobs.Cancelled)
			is(t, q, j.ID, jobs.Cancelled, 1, "A", "no longer wanted")
		}
	})
}

// A worker whose job was taken over gets an error, and its result is refused.
func TestLateWorker(t *testing.T) {
	ctx := context.Background()
	worktest.Each(t, func(t *testing.T, work *lifecycle.UnitOfWork) {
		q := queue(t, work)
		begun, causes := make(chan struct{}), make(chan error, 1)
		taken, over := context.WithCancel(ctx) // until then A is busy; it must not take the job again itself
		defer over()
		worker := start(t, q, jobs.WorkerConfig{Size: 1, Beat: time.Millisecond, Handler: func(ctx context.Context, _ jobs.Job) ([]byte, error) {
			begun <- struct{}{}
			<-ctx.Done()
			causes <- context.Cause(ctx)
			<-taken.Done()
			return []byte("late"), nil
		}})
		j := submit(t, q, 0)
		<-begun
		check(t, q.Expire(ctx, j.ID))
		b := take(t, q, "B")
		over()
		var e *jobs.LostError
		if cause := <-causes; !errors.As(cause, &e) || e.Job.ID != j.ID {
			t.Errorf("got cause %v, want a LostError about the job", cause)
		}
		check(t, worker.Shutdown(ctx))
		check(t, ignore(q.Succeed(ctx, b, []byte("in time"))))
		if got := is(t, q, j.ID, jobs.Succeeded, 2, "B", ""); string(got.Result) != "in time" {
			t.Errorf("got the result %q, want B's", got.Result)
		}
	})
}

func TestShutdown(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, q *jobs.Queue) {
		begun, end, first := make(chan struct{}), make(chan struct{}), sync.Once{}
		worker := start(t, q, jobs.WorkerConfig{Size: 1, Handler: func(context.Context, jobs.Job) ([]byte, error) {
			first.Do(func() { close(begun) })
			<-end
			return nil, nil
		}})
		j, next := submit(t, q, 0), submit(t, q, 0)
		<-begun
		shut := make(chan error, 1)
		go func() { shut <- worker.Shutdown(ctx) }()
		close(end)
		check(t, <-shut)
		check(t, <-worker.ended)
		is(t, q, j.ID, jobs.Succeeded, 1, "A", "")
		if got, err := q.Get(ctx, next.ID); err != nil || got.State == jobs.Running {
			t.Errorf("got %+v, %v, want no worker to run it", got, err)
		}
		if err := worker.Run(ctx); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("run it again: got %v, want %v", err, lifecycle.ErrInvalid)
		}
	})
}

// A shutdown that does not wait makes handlers return, and releases their jobs.
func TestShutdownWithoutWaiting(t *testing.T) {
	for how, stop := range map[string]func(*jobs.Worker, context.CancelFunc) error{
		"shut down": func(w *jobs.Worker, _ context.CancelFunc) error {
			ended, cancel := context.WithCancel(context.Background())
			cancel()
			if err := w.Shutdown(ended); !errors.Is(err, context.Canceled) {
				return fmt.Errorf("got %v, want the context's error", err)
			}
			return nil
		},
		"the context ends": func(_ *jobs.Worker, cancel context.CancelFunc) error { cancel(); return nil },
	} {
		forEachStore(t, func(t *testing.T, q *jobs.Queue) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			begun, causes := make(chan struct{}), make(chan error, 1)
			w, err := jobs.NewWorker(q, jobs.WorkerConfig{Name: "A", Handler: func(ctx context.Context, _ jobs.Job) ([]byte, error) {
				close(begun)
				<-ctx.Done()
				causes <- context.Cause(ctx)
				return nil, ctx.Err()
			}})
			check(t, err)
			ended := make(chan error, 1)
			go func() { ended <- w.Run(ctx) }()
			j := submit(t, q, 1)
			<-begun
			check(t, stop(w, cancel))
			if err, cause := <-ended, <-causes; err != nil || cause != jobs.ErrStopping {
				t.Errorf("%s: got %v, cause %v, want none, %v", how, err, cause, jobs.ErrStopping)
			}
			is(t, q, j.ID, jobs.Queued, 0, "", "")
		})
	}
}

// noContext is the nil context of a careless caller.
var noContext context.Context

func TestShutdownBeforeRun(t *testing.T) {
	ctx := context.Background()
	w, err := jobs.NewWorker(queue(t, nil), jobs.WorkerConfig{Name: "A", Handler: nothing})
	check(t, err)
	if err := w.Run(noContext); !errors.Is(err, lifecycle.ErrInvalid) {
		t.Errorf("got %v, want %v", err, lifecycle.ErrInvalid)
	}
	if err := w.Shutdown(noContext); !errors.Is(err, lifecycle.ErrInvalid) {
		t.Errorf("got %v, want %v", err, lifecycle.ErrInvalid)
	}
	check(t, w.Shutdown(ctx))
	check(t, w.Run(ctx))
	check(t, w.Shutdown(ctx))
	ended, cancel := context.WithCancel(ctx)
	cancel()
	for range 100 {
		check(t, w.Shutdown(ended)) // all is done, so nothing is waited for
	}
}

// A worker ends when its database is closed, and survives errors of the database.
func TestDatabaseOfAWorker(t *testing.T) {
	ctx := context.Background()
	plans, err := lifecycle.Open(ctx, lifecycle.Config{URL: storetest.FileURL(t)})
	check(t, err)
	work, err := plans.UnitOfWork()
	check(t, err)
	q := queue(t, work)
	log := &counting{of: map[string]int{}, changed: make(chan struct{}, 1)}
	begun, end := make(chan struct{}), make(chan struct{})
	worker := start(t, q, jobs.WorkerConfig{Size: 2, Beat: time.Millisecond, Lease: time.Hour, Logger: slog.New(log), Handler: func(context.Context, jobs.Job) ([]byte, error) {
		close(begun)
		<-end
		return nil, nil
	}})
	j := submit(t, q, 0)
	<-begun
	mend, err := q.Wreck(ctx)
	check(t, err)
	log.until("no job could be claimed")
	log.until("a lease was not renewed")
	close(end)
	check(t, mend())
	until(t, q, j.ID, jobs.Succeeded)
	check(t, plans.Close())
	if err := <-worker.ended; !errors.Is(err, lifecycle.ErrClosed) {
		t.Errorf("got %v, want %v", err, lifecycle.ErrClosed)
	}
}

// A worker whose database is closed while a handler runs ends with the handler, and not with the lease.
func TestDatabaseClosedUnderAHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plans, err := lifecycle.Open(t.Context(), lifecycle.Config{URL: "sqlite://"})
		check(t, err)
		work, err := plans.UnitOfWork()
		check(t, err)
		q := queue(t, work)
		begun, end := make(chan struct{}), make(chan struct{})
		worker := start(t, q, jobs.WorkerConfig{Lease: time.Hour, Poll: time.Second, Handler: func(context.Context, jobs.Job) ([]byte, error) {
			close(begun)
			<-end
			return nil, nil
		}})
		submit(t, q, 0)
		<-begun
		check(t, plans.Close())
		closed := time.Now()
		close(end)
		if err := <-worker.ended; !errors.Is(err, lifecycle.ErrClosed) {
			t.Errorf("got %v, want %v", err, lifecycle.ErrClosed)
		}
		if took := time.Since(closed); took > 2*time.Second {
			t.Errorf("got the end of the worker after %v, want no waiting for a lease", took)
		}
	})
}

// counting is a logger that counts messages.
type counting struct {
	slog.Handler
	mu      sync.Mutex
	of      map[string]int
	changed chan struct{}
}

func (c *counting) Enabled(context.Context, slog.Level) bool { return true }

func (c *counting) Handle(_ context.Context, r slog.Record) error {
	c.mu.Lock()
	c.of[r.Message]++
	c.mu.Unlock()
	select {
	case c.changed <- struct{}{}:
	default:
	}
	return nil
}

// until waits for a message.
func (c *counting) until(message string) {
	for {
		c.mu.Lock()
		n := c.of[message]
		c.mu.Unlock()
		if n > 0 {
			return
		}
		<-c.changed
	}
}

// Pauses double up to a limit. The seed determines their random part.
func TestPauses(t *testing.T) {
	worker := func(seed uint64) *jobs.Worker {
		w, err := jobs.NewWorker(queue(t, nil), jobs.WorkerConfig{
			Name: "A", Handler: nothing, FirstPause: time.Second, LongestPause: 5 * time.Second, Seed: seed,
		})
		check(t, err)
		return w
	}
	a, again, b := worker(1), worker(1), worker(2)
	differ := false
	for attempt, most := range []time.Duration{time.Second, time.Second, 2 * time.Second, 4 * time.Second, 5 * time.Second, 5 * time.Second} {
		got := a.Pause("job", attempt)
		if got < most/2 || got > most {
			t.Errorf("attempt %d: got a pause of %v, want from %v to %v", attempt, got, most/2, most)
		}
		if got != again.Pause("job", attempt) {
			t.Errorf("attempt %d: got another pause of the same seed, want the same", attempt)
		}
		differ = differ || got != b.Pause("job", attempt)
	}
	if !differ {
		t.Error("got the same pauses of another seed, want others")
	}
}
