package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/check"
	"github.com/jacquard-go/jacquard/lifecycle/internal/identifier"
)

// Config configures a [Queue]. The zero value is a queue in memory.
type Config struct {
	// Work is where the jobs are kept. Nil means in this queue's memory.
	Work *lifecycle.UnitOfWork

	// Clock tells the time that goes into identifiers. Nil means [time.Now].
	Clock func() time.Time

	// Entropy is where the random part of identifiers comes from. Nil means
	// crypto/rand. It is read by one goroutine at a time.
	Entropy io.Reader
}

// Spec describes a job.
type Spec struct {
	Kind     string        // for the handler; 1 to [MaxName] bytes
	Payload  []byte        // for the handler; at most [lifecycle.MaxText] bytes
	Attempts int           // how often it may be tried; zero means [DefaultAttempts]
	Delay    time.Duration // how long it is not to run yet
}

// The limits, and what zero means.
const (
	DefaultAttempts = 3
	MostAttempts    = 1000
	DefaultLease    = time.Minute
	ShortestLease   = 10 * time.Millisecond
	LongestLease    = 24 * time.Hour
	LongestDelay    = 366 * 24 * time.Hour
	MaxName         = 512
	MaxMessage      = 64 << 10 // bytes of a message; more is cut off
)

// Queue keeps jobs. It is safe for any number of goroutines. It has nothing to
// close: the database belongs to who has opened it.
type Queue struct {
	store store
	clock func() time.Time
	ids   *identifier.Source
	wake  chan struct{} // has something if a worker on this queue should look

	mu      sync.Mutex
	running map[claim]context.CancelCauseFunc // the handlers of workers on this queue; guarded by mu
}

// claim identifies one: a job and its fence.
type claim struct {
	id    string
	fence int64
}

// New returns a queue. The error is of no kind: it does not occur.
func New(cfg Config) (*Queue, error) {
	q := &Queue{
		clock: cfg.Clock, ids: identifier.NewSource(cfg.Entropy),
		wake: make(chan struct{}, 1), running: make(map[claim]context.CancelCauseFunc),
	}
	if q.clock == nil {
		q.clock = time.Now
	}
	if cfg.Work != nil {
		q.store = databaseStore{cfg.Work.Statements()}
		return q, nil
	}
	memory, err := newMemoryStore()
	q.store = memory
	return q, err
}

// Submit adds a job, which is queued then.
func (q *Queue) Submit(ctx context.Context, spec Spec) (Job, error) {
	if err := check.Context(ctx, "jobs"); err != nil {
		return Job{}, err
	}
	if spec.Attempts == 0 {
		spec.Attempts = DefaultAttempts
	}
	if err := spec.check(); err != nil {
		return Job{}, err
	}
	id, err := q.ids.Next(q.clock())
	if err != nil {
		return Job{}, fmt.Errorf("jobs: submit: %w", err)
	}
	j := Job{ID: id, Kind: spec.Kind, Payload: spec.Payload, State: Queued, Attempts: spec.Attempts, version: 1}
	if j, err = q.store.insert(ctx, j, spec.Delay); err != nil {
		return Job{}, err
	}
	q.rouse()
	return j, nil
}

// rouse has a worker on this queue look for a job soon.
func (q *Queue) rouse() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// Get returns a job. The error matches [lifecycle.ErrNotFound] if there is none.
func (q *Queue) Get(ctx context.Context, id string) (Job, error) {
	if err := check.Context(ctx, "jobs"); err != nil {
		return Job{}, err
	}
	return q.store.find(ctx, id)
}

// List returns the jobs in a state, or all if it is empty, oldest first. On a
// database they are those of one moment.
func (q *Queue) List(ctx context.Context, state State) ([]Job, error) {
	if err := check.Context(ctx, "jobs"); err != nil {
		return nil, err
	}
	return q.store.list(ctx, state)
}

// Cancel cancels a job that is queued, or that nobody runs any longer, and
// signals one that is running: it is Cancelling then. Doing so again changes
// nothing. The error matches [ErrFinished] or [lifecycle.ErrNotFound].
func (q *Queue) Cancel(ctx context.Context, id, reason string) (Job, error) {
	if err := check.Context(ctx, "jobs"); err != nil {
		return Job{}, err
	}
	j, err := q.store.change(ctx, id, func(j Job, now time.Time) (Job, error) {
		if j.State.Terminal() {
			return j, &FinishedError{j}
		}
		return j.cancelled(words(reason), now), nil
	})
	if err != nil {
		return Job{}, err
	}
	if j.Cancelling {
		q.signal(claim{j.ID, j.Fence})
	}
	return j, nil
}

// signal ends the context of a handler, if it is a worker's on this queue.
func (q *Queue) signal(c claim) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if cancel := q.running[c]; cancel != nil {
		cancel(ErrCancelled)
	}
}

// attend notes how to end the context of a handler, until it is called with nil.
func (q *Queue) attend(c claim, cancel context.CancelCauseFunc) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if cancel == nil {
		delete(q.running, c)
		return
	}
	q.running[c] = cancel
}

// Claim gives the oldest job that may run to a worker, whose name is for others
// to read, for the time of a lease; zero means [DefaultLease]. It returns false
// if there is none. What is found to have been left behind for good, by workers
// that were not heard of in time, is failed or cancelled on the way.
func (q *Queue) Claim(ctx context.Context, worker string, lease time.Duration) (Job, bool, error) {
	if err := check.Context(ctx, "jobs"); err != nil {
		return Job{}, false, err
	}
	if err := checkName("worker", worker); err != nil {
		return Job{}, false, err
	}
	lease, err := checkLease(lease)
	if err != nil {
		return Job{}, false, err
	}
	for {
		id, ok, err := q.store.next(ctx)
		if err != nil || !ok {
			return Job{}, false, err
		}
		j, err := q.store.change(ctx, id, func(j Job, now time.Time) (Job, error) {
			if !j.claimable(now) {
				return j, errNotNow
			}
			return j.claimed(worker, now.Add(lease)), nil
		})
		switch {
		case err == nil && j.State == Running:
			return j, true, nil
		case err != nil && !errors.Is(err, errNotNow):
			return Job{}, false, err
		}
	}
}

// Heartbeat makes a lease last for a time from now on; zero means
// [DefaultLease]. The job that it returns says whether it is to be cancelled.
// The error matches [ErrLost] if the lease is over.
func (q *Queue) Heartbeat(ctx context.Context, j Job, lease time.Duration) (Job, error) {
	lease, err := checkLease(lease)
	if err != nil {
		return Job{}, err
	}
	return q.holding(ctx, j, func(j Job, now time.Time) Job {
		j.LeaseEnds = now.Add(lease)
		return j
	})
}

// Succeed ends a job that the caller runs, with its result, also if it is to be
// cancelled. The error matches [ErrLost] if the lease is over.
func (q *Queue) Succeed(ctx context.Context, j Job, result []byte) (Job, error) {
	if len(result) > lifecycle.MaxText {
		return Job{}, tooLarge("result", len(result))
	}
	return q.holding(ctx, j, func(j Job, _ time.Time) Job {
		j = j.ended(Succeeded, "")
		j.Result = result
		return j
	})
}

// Fail ends an attempt of a job that the caller runs. It is queued again and may
// run after a pause, unless it has had all its attempts: it has failed then, or
// is to be cancelled. The error matches [ErrLost] if the lease is over.
func (q *Queue) Fail(ctx context.Context, j Job, message string, pause time.Duration) (Job, error) {
	if pause < 0 || pause > LongestDelay {
		return Job{}, check.Invalid("pause", pause.String(), fmt.Sprintf("is not from 0 to %v", LongestDelay))
	}
	return q.holding(ctx, j, func(j Job, now time.Time) Job { return j.failed(words(message), now.Add(pause)) })
}

// GiveBack ends an attempt of a job that the caller runs as if there had been
// none. The error matches [ErrLost] if the lease is over.
func (q *Queue) GiveBack(ctx context.Context, j Job) (Job, error) {
	j, err := q.holding(ctx, j, func(j Job, now time.Time) Job { return j.givenBack(now) })
	if err == nil {
		q.rouse()
	}
	return j, err
}

// holding changes a job if the caller still has it.
func (q *Queue) holding(ctx context.Context, mine Job, change func(Job, time.Time) Job) (Job, error) {
	if err := check.Context(ctx, "jobs"); err != nil {
		return Job{}, err
	}
	return q.store.change(ctx, mine.ID, func(j Job, now time.Time) (Job, error) {
		if err := j.refuse(mine.Fence, now); err != nil {
			return j, err
		}
		return change(j, now), nil
	})
}

// words returns a message as every database keeps it.
func words(message string) string {
	message = strings.ReplaceAll(strings.ToValidUTF8(message, "\uFFFD"), "\x00", "\uFFFD")
	if len(message) > MaxMessage {
		message = strings.ToValidUTF8(message[:MaxMessage], "")
	}
	return message
}
