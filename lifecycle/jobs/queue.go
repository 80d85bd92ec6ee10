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
	// Work is the database for the jobs. Nil means this queue's memory.
	Work *lifecycle.UnitOfWork

	// Clock returns the time for identifiers. Nil means [time.Now].
	Clock func() time.Time

	// Entropy is the source of the random part of identifiers. Nil means crypto/rand. One goroutine
	// reads it at a time.
	Entropy io.Reader
}

// Spec describes a job.
type Spec struct {
	Kind     string        // for the handler; 1 to [MaxName] bytes
	Payload  []byte        // for the handler; at most [lifecycle.MaxText] bytes
	Attempts int           // how many attempts it may have; zero means [DefaultAttempts]
	Delay    time.Duration // how long it must not run yet
}

// The defaults and limits.
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

// Queue stores jobs. It is safe for concurrent use. It need not be closed: the database belongs to
// the caller that opened it.
type Queue struct {
	store store
	clock func() time.Time
	ids   *identifier.Source
	wake  chan struct{} // has a value if a worker on this queue should look for jobs

	mu      sync.Mutex
	running map[claim]context.CancelCauseFunc // the running handlers of workers on this queue; guarded by mu
}

// claim identifies a claim: a job and its fence.
type claim struct {
	id    string
	fence int64
}

// New returns a queue. The error is always nil in practice.
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

// Submit adds a job, in the state Queued.
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

// rouse makes a worker on this queue look for a job soon.
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

// List returns the jobs in a state, or all if it is empty, oldest first. On a database they are a
// consistent snapshot.
func (q *Queue) List(ctx context.Context, state State) ([]Job, error) {
	if err := check.Context(ctx, "jobs"); err != nil {
		return nil, err
	}
	return q.store.list(ctx, state)
}

// Cancel cancels a job that is queued or whose lease is over. It signals one that is running, whose
// Cancelling is then set. Cancelling again changes nothing. The error matches [ErrFinished] or
// [lifecycle.ErrNotFound].
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

// signal ends the context of a handler, if its worker is on this queue.
func (q *Queue) signal(c claim) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if cancel := q.running[c]; cancel != nil {
		cancel(ErrCancelled)
	}
}

// attend registers the function that ends a handler's context, or removes it if cancel is nil.
func (q *Queue) attend(c claim, cancel context.CancelCauseFunc) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if cancel == nil {
		delete(q.running, c)
		return
	}
	q.running[c] = cancel
}

// Claim gives the oldest job that may run to a worker, a name for others to read, for the time of a
// lease; zero means [DefaultLease]. It returns false if there is none. Jobs whose workers were not
// heard of in time, and that may not run again, are failed or cancelled on the way.
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

// Heartbeat makes a lease last for the given time from now; zero means [DefaultLease]. The returned
// job's Cancelling says whether the handler should stop. The error matches [ErrLost] if the lease
// is over.
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

// Succeed ends a job that the caller runs, with its result, even if the job is being cancelled. The
// error matches [ErrLost] if the lease is over.
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

// Fail ends an attempt of a job that the caller runs. The job is queued again, to run after a
// pause; it is failed if it has had all its attempts, and cancelled if it was being cancelled. The
// error matches [ErrLost] if the lease is over.
func (q *Queue) Fail(ctx context.Context, j Job, message string, pause time.Duration) (Job, error) {
	if pause < 0 || pause > LongestDelay {
		return Job{}, check.Invalid("pause", pause.String(), fmt.Sprintf("is not from 0 to %v", LongestDelay))
	}
	return q.holding(ctx, j, func(j Job, now time.Time) Job { return j.failed(words(message), now.Add(pause)) })
}

// GiveBack ends an attempt of a job that the caller runs, and does not count it. The error matches
// [ErrLost] if the lease is over.
func (q *Queue) GiveBack(ctx context.Context, j Job) (Job, error) {
	j, err := q.holding(ctx, j, func(j Job, now time.Time) Job { return j.givenBack(now) })
	if err == nil {
		q.rouse()
	}
	return j, err
}

// holding changes a job if the caller still has its lease.
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

// words returns a message that every database can store, of at most MaxMessage bytes.
func words(message string) string {
	message = strings.ReplaceAll(strings.ToValidUTF8(message, "\uFFFD"), "\x00", "\uFFFD")
	if len(message) > MaxMessage {
		message = strings.ToValidUTF8(message[:MaxMessage], "")
	}
	return message
}
