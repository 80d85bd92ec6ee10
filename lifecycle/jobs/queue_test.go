package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
	"github.com/jacquard-go/jacquard/lifecycle/internal/worktest"
	"github.com/jacquard-go/jacquard/lifecycle/jobs"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// forEachStore runs a test on a new queue on each kind of store.
func forEachStore(t *testing.T, test func(t *testing.T, q *jobs.Queue)) {
	worktest.Each(t, func(t *testing.T, work *lifecycle.UnitOfWork) { test(t, queue(t, work)) })
}

func queue(t *testing.T, work *lifecycle.UnitOfWork) *jobs.Queue {
	t.Helper()
	q, err := jobs.New(jobs.Config{Work: work})
	check(t, err)
	return q
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ignore[V any](_ V, err error) error { return err }

func submit(t *testing.T, q *jobs.Queue, attempts int) jobs.Job {
	t.Helper()
	j, err := q.Submit(context.Background(), jobs.Spec{Kind: "weave", Payload: []byte("pattern"), Attempts: attempts})
	check(t, err)
	return j
}

// take claims a job. There must be one.
func take(t *testing.T, q *jobs.Queue, worker string) jobs.Job {
	t.Helper()
	j, ok, err := q.Claim(context.Background(), worker, 0)
	if err != nil || !ok {
		t.Fatalf("%s: got a job %t, %v, want one", worker, ok, err)
	}
	return j
}

// none fails the test unless there is nothing to claim.
func none(t *testing.T, q *jobs.Queue) {
	t.Helper()
	if j, ok, err := q.Claim(context.Background(), "anybody", 0); err != nil || ok {
		t.Errorf("got %+v, %t, %v, want nothing to claim", j, ok, err)
	}
}

// is reads a job and compares its state.
func is(t *testing.T, q *jobs.Queue, id string, state jobs.State, attempt int, worker, message string) jobs.Job {
	t.Helper()
	j, err := q.Get(context.Background(), id)
	if err != nil || j.State != state || j.Attempt != attempt || j.Worker != worker || !strings.Contains(j.Message, message) {
		t.Errorf("got %+v, %v, want it %s in attempt %d by %q, with %q", j, err, state, attempt, worker, message)
	}
	return j
}

// lost fails the test unless err says which worker has a job.
func lost(t *testing.T, what string, err error, yours int64, says string) {
	t.Helper()
	var e *jobs.LostError
	if !errors.Is(err, jobs.ErrLost) || !errors.As(err, &e) || e.Yours != yours || !strings.Contains(err.Error(), says) {
		t.Errorf("%s: got %v, want a LostError about claim %d that says %q", what, err, yours, says)
	}
}

func TestLifeOfAJob(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, q *jobs.Queue) {
		none(t, q)
		first, second := submit(t, q, 0), submit(t, q, 0)
		if first.State != jobs.Queued || first.Attempts != jobs.DefaultAttempts || len(first.ID) != 26 || first.ID >= second.ID ||
			string(first.Payload) != "pattern" || first.Kind != "weave" || first.CreatedAt.IsZero() {
			t.Errorf("got %+v and %+v, want two queued jobs in order", first, second)
		}
		lost(t, "end what nobody runs", ignore(q.Succeed(ctx, first, nil)), 0, "got claim 0, but it is queued and was never claimed")
		if got, err := q.Get(ctx, first.ID); err != nil || fmt.Sprint(got) != fmt.Sprint(first) {
			t.Errorf("got %+v, %v, want %+v", got, err, first)
		}
		a := take(t, q, "A")
		if a.ID != first.ID || a.State != jobs.Running || a.Fence != 1 || a.Attempt != 1 || a.Worker != "A" || a.LeaseEnds.Sub(a.UpdatedAt) != jobs.DefaultLease {
			t.Errorf("got %+v, want the oldest, run by A for a minute", a)
		}
		b := take(t, q, "B")
		none(t, q)
		longer, err := q.Heartbeat(ctx, a, time.Hour)
		if err != nil || longer.LeaseEnds.Sub(a.LeaseEnds) < 58*time.Minute {
			t.Errorf("got %+v, %v, want an hour", longer, err)
		}
		done, err := q.Succeed(ctx, a, []byte("cloth"))
		if err != nil || done.State != jobs.Succeeded || string(done.Result) != "cloth" || !done.LeaseEnds.IsZero() {
			t.Errorf("got %+v, %v, want success", done, err)
		}
		lost(t, "say it again", ignore(q.Succeed(ctx, a, nil)), 1, `is succeeded, by claim 1 of "A"`)
		is(t, q, first.ID, jobs.Succeeded, 1, "A", "")
		for state, want := range map[jobs.State][]string{"": {first.ID, b.ID}, jobs.Running: {b.ID}, jobs.Failed: nil} {
			all, err := q.List(ctx, state)
			var ids []string
			for _, j := range all {
				ids = append(ids, j.ID)
			}
			if err != nil || !slices.Equal(ids, want) {
				t.Errorf("list %q: got %v, %v, want %v", state, ids, err, want)
			}
		}
	})
}

func TestAttempts(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, q *jobs.Queue) {
		j := submit(t, q, 2)
		a := take(t, q, "A")
		again, err := q.Fail(ctx, a, "the loom is \xffjammed\x00", time.Hour)
		if err != nil || again.State != jobs.Queued || again.RunAfter.Sub(again.UpdatedAt) != time.Hour || again.Message != "the loom is \uFFFDjammed\uFFFD" {
			t.Errorf("got %+v, %v, want it queued for in an hour", again, err)
		}
		none(t, q)
		check(t, q.Expire(ctx, j.ID))
		b := take(t, q, "B")
		if b.Attempt != 2 || b.Fence != 2 {
			t.Errorf("got %+v, want the second attempt", b)
		}
		lost(t, "fail late", ignore(q.Fail(ctx, a, "", 0)), 1, `is run by "B" until `)
		check(t, ignore(q.Fail(ctx, b, strings.Repeat("é", jobs.MaxMessage), 0)))
		if failed := is(t, q, j.ID, jobs.Failed, 2, "B", "éé"); len(failed.Message) > jobs.MaxMessage {
			t.Errorf("got a message of %d bytes, want it shortened", len(failed.Message))
		}
		none(t, q)
		later, err := q.Submit(ctx, jobs.Spec{Kind: "later", Delay: time.Hour})
		check(t, err)
		none(t, q)
		check(t, q.Expire(ctx, later.ID))
		back := take(t, q, "C")
		check(t, ignore(q.GiveBack(ctx, back)))
		is(t, q, later.ID, jobs.Queued, 0, "", "")
		lost(t, "give it back twice", ignore(q.GiveBack(ctx, back)), 1, "claim 1 is over: it is queued, after claim 1")
		if d := take(t, q, "D"); d.Attempt != 1 || d.Fence != 2 || d.Payload != nil {
			t.Errorf("got %+v, want the first attempt by a second claim", d)
		}
	})
}

func TestCancel(t *testing.T) {
	ctx := context.Background()
	cancel := func(t *testing.T, q *jobs.Queue, id, reason string) jobs.Job {
		j, err := q.Cancel(ctx, id, reason)
		check(t, err)
		return j
	}
	forEachStore(t, func(t *testing.T, q *jobs.Queue) {
		j := submit(t, q, 0)
		cancel(t, q, j.ID, "no longer wanted")
		is(t, q, j.ID, jobs.Cancelled, 0, "", "no longer wanted")
		none(t, q)
		var finished *jobs.FinishedError
		if _, err := q.Cancel(ctx, j.ID, ""); !errors.Is(err, jobs.ErrFinished) || !errors.As(err, &finished) || !strings.HasSuffix(err.Error(), "is finished: it is cancelled") {
			t.Errorf("cancel it again: got %v, want a FinishedError", err)
		}
		for state, end := range map[jobs.State]func(jobs.Job) error{
			jobs.Succeeded: func(j jobs.Job) error { return ignore(q.Succeed(ctx, j, nil)) },
			jobs.Cancelled: func(j jobs.Job) error { return ignore(q.Fail(ctx, j, "stopped", 0)) },
			"given back":   func(j jobs.Job) error { return ignore(q.GiveBack(ctx, j)) },
			"left behind":  func(j jobs.Job) error { check(t, q.Expire(ctx, j.ID)); none(t, q); return nil },
		} {
			submit(t, q, 0)
			run := take(t, q, "A")
			if got := cancel(t, q, run.ID, "first"); !got.Cancelling || got.State != jobs.Running {
				t.Errorf("got %+v, want it running and to be cancelled", got)
			}
			if beat, err := q.Heartbeat(ctx, run, 0); err != nil || !beat.Cancelling {
				t.Errorf("got %+v, %v, want the heartbeat to report it", beat, err)
			}
			cancel(t, q, run.ID, "second")
			check(t, end(run))
			if state != jobs.Succeeded {
				is(t, q, run.ID, jobs.Cancelled, 1, "A", "first")
			} else {
				is(t, q, run.ID, jobs.Succeeded, 1, "A", "")
			}
		}
		submit(t, q, 0)
		run := take(t, q, "A")
		check(t, q.Expire(ctx, run.ID))
		if got := cancel(t, q, run.ID, "nobody runs it"); got.State != jobs.Cancelled {
			t.Errorf("got %+v, want it cancelled at once", got)
		}
		var missing *jobs.NotFoundError
		for _, err := range []error{ignore(q.Cancel(ctx, "none", "")), ignore(q.Get(ctx, "none")), ignore(q.Heartbeat(ctx, jobs.Job{ID: "none"}, 0))} {
			if !errors.Is(err, lifecycle.ErrNotFound) || !errors.As(err, &missing) || err.Error() != `jobs: job "none" not found` {
				t.Errorf("got %v, want a NotFoundError", err)
			}
		}
	})
}

// N10: a worker dies or hangs in the middle of a job. After its lease another worker takes
// the job over, and results of the first one are refused.
func TestN10TakeOver(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, q *jobs.Queue) {
		j := submit(t, q, 2)
		a := take(t, q, "A")
		check(t, q.Expire(ctx, j.ID))
		lost(t, "succeed after the lease", ignore(q.Succeed(ctx, a, nil)), 1, `claim 1 of "A" has expired at `)
		b := take(t, q, "B")
		if b.ID != j.ID || b.Fence != 2 || b.Attempt != 2 {
			t.Errorf("got %+v, want the job, in its second attempt", b)
		}
		for what, err := range map[string]error{
			"beat": ignore(q.Heartbeat(ctx, a, 0)), "succeed": ignore(q.Succeed(ctx, a, []byte("late"))),
			"fail": ignore(q.Fail(ctx, a, "", 0)), "give back": ignore(q.GiveBack(ctx, a)),
		} {
			lost(t, what, err, 1, `is run by "B" until `)
		}
		check(t, q.Expire(ctx, j.ID))
		none(t, q)
		is(t, q, j.ID, jobs.Failed, 2, "B", "worker B was not heard of in time")
	})
}

// N5: many workers look for jobs at the same time, on two engines. Each job gets one worker.
func TestN5ManyCallers(t *testing.T) {
	ctx := context.Background()
	worktest.Each(t, func(t *testing.T, work *lifecycle.UnitOfWork) {
		queues := []*jobs.Queue{queue(t, work), nil}
		queues[1] = queues[0]
		if work != nil {
			engine, err := work.Engine(ctx)
			check(t, err)
			if engine.URL() != "sqlite:///:memory:" {
				queues[1] = queue(t, worktest.On(t, engine.URL()))
			}
		}
		const n = 20
		for range n {
			submit(t, queues[0], 1)
		}
		claimed := make([][]string, 4)
		var all sync.WaitGroup
		for i := range claimed {
			all.Go(func() {
				for {
					j, ok, err := queues[i%2].Claim(ctx, fmt.Sprint("worker ", i), 0)
					if err != nil || !ok {
						if err != nil {
							t.Errorf("worker %d: %v", i, err)
						}
						return
					}
					claimed[i] = append(claimed[i], j.ID)
				}
			})
		}
		all.Wait()
		got := slices.Concat(claimed...)
		slices.Sort(got)
		if len(got) != n || len(slices.Compact(got)) != n {
			t.Errorf("got %d claims of %d jobs, want %d of each", len(got), len(slices.Compact(got)), n)
		}
	})
}

func TestInvalid(t *testing.T) {
	ctx := context.Background()
	large := make([]byte, lifecycle.MaxText+1)
	long := strings.Repeat("a", jobs.MaxName+1)
	forEachStore(t, func(t *testing.T, q *jobs.Queue) {
		for what, err := range map[string]error{
			"no kind":       ignore(q.Submit(ctx, jobs.Spec{})),
			"long kind":     ignore(q.Submit(ctx, jobs.Spec{Kind: long})),
			"no text":       ignore(q.Submit(ctx, jobs.Spec{Kind: "\x00"})),
			"attempts":      ignore(q.Submit(ctx, jobs.Spec{Kind: "a", Attempts: jobs.MostAttempts + 1})),
			"delay":         ignore(q.Submit(ctx, jobs.Spec{Kind: "a", Delay: -1})),
			"large":         ignore(q.Submit(ctx, jobs.Spec{Kind: "a", Payload: large})),
			"no worker":     func() error { _, _, err := q.Claim(ctx, "", 0); return err }(),
			"short lease":   func() error { _, _, err := q.Claim(ctx, "A", 1); return err }(),
			"long lease":    ignore(q.Heartbeat(ctx, jobs.Job{}, jobs.LongestLease+1)),
			"large result":  ignore(q.Succeed(ctx, jobs.Job{}, large)),
			"pause":         ignore(q.Fail(ctx, jobs.Job{}, "", -1)),
			"no context":    ignore(q.Get(noContext, "a")),
			"no queue":      ignore(jobs.NewWorker(nil, jobs.WorkerConfig{})),
			"no name":       ignore(jobs.NewWorker(q, jobs.WorkerConfig{})),
			"no handler":    ignore(jobs.NewWorker(q, jobs.WorkerConfig{Name: "A"})),
			"worker lease":  ignore(jobs.NewWorker(q, jobs.WorkerConfig{Name: "A", Handler: nothing, Lease: 1})),
			"size":          ignore(jobs.NewWorker(q, jobs.WorkerConfig{Name: "A", Handler: nothing, Size: -1})),
			"beat":          ignore(jobs.NewWorker(q, jobs.WorkerConfig{Name: "A", Handler: nothing, Beat: time.Minute})),
			"poll":          ignore(jobs.NewWorker(q, jobs.WorkerConfig{Name: "A", Handler: nothing, Poll: -1})),
			"longest pause": ignore(jobs.NewWorker(q, jobs.WorkerConfig{Name: "A", Handler: nothing, FirstPause: 2, LongestPause: 1})),
		} {
			if !errors.Is(err, lifecycle.ErrInvalid) {
				t.Errorf("%s: got %v, want %v", what, err, lifecycle.ErrInvalid)
			}
		}
	})
}

func nothing(context.Context, jobs.Job) ([]byte, error) { return nil, nil }

func TestContextHasEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	forEachStore(t, func(t *testing.T, q *jobs.Queue) { refused(t, q, ctx, context.Canceled) })
}

// Every call returns an error if the database is closed.
func TestClosed(t *testing.T) {
	plans, err := lifecycle.Open(context.Background(), lifecycle.Config{URL: storetest.FileURL(t)})
	check(t, err)
	work, err := plans.UnitOfWork()
	check(t, err)
	q := queue(t, work)
	check(t, plans.Close())
	refused(t, q, context.Background(), lifecycle.ErrClosed)
}

func refused(t *testing.T, q *jobs.Queue, ctx context.Context, want error) {
	t.Helper()
	for what, err := range map[string]error{
		"submit": ignore(q.Submit(ctx, jobs.Spec{Kind: "a"})), "get": ignore(q.Get(ctx, "a")), "list": ignore(q.List(ctx, "")),
		"cancel": ignore(q.Cancel(ctx, "a", "")), "claim": func() error { _, _, err := q.Claim(ctx, "A", 0); return err }(),
		"succeed": ignore(q.Succeed(ctx, jobs.Job{ID: "a"}, nil)),
	} {
		if !errors.Is(err, want) || !strings.HasPrefix(err.Error(), "jobs: ") {
			t.Errorf("%s: got %v, want %v", what, err, want)
		}
	}
}

// The error of every failing statement names the call.
func TestBrokenTable(t *testing.T) {
	ctx := context.Background()
	q := queue(t, worktest.On(t, storetest.FileURL(t)))
	j := submit(t, q, 0)
	mend, err := q.Wreck(ctx)
	check(t, err)
	var failed *lifecycle.DatabaseError
	for what, err := range map[string]error{
		"submit": ignore(q.Submit(ctx, jobs.Spec{Kind: "a"})), "get": ignore(q.Get(ctx, j.ID)),
		"cancel": ignore(q.Cancel(ctx, j.ID, "")), "claim": func() error { _, _, err := q.Claim(ctx, "A", 0); return err }(),
	} {
		if !errors.As(err, &failed) || !strings.HasPrefix(err.Error(), "jobs: ") {
			t.Errorf("%s: got %v, want a DatabaseError", what, err)
		}
	}
	check(t, mend())
	is(t, q, j.ID, jobs.Queued, 0, "", "")
}

func TestIdentifiers(t *testing.T) {
	ctx := context.Background()
	worktest.Each(t, func(t *testing.T, work *lifecycle.UnitOfWork) {
		now := func() time.Time { return time.UnixMilli(0) }
		var q *jobs.Queue
		for i, entropy := range []io.Reader{zeros{}, broken{}} {
			next, err := jobs.New(jobs.Config{Work: work, Clock: now, Entropy: entropy})
			check(t, err)
			if _, err = next.Submit(ctx, jobs.Spec{Kind: "a"}); i == 0 {
				check(t, err)
				q = next
			} else if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("got %v, want the error of the entropy", err)
			}
		}
		twin := q.Twin(now, zeros{})
		if _, err := twin.Submit(ctx, jobs.Spec{Kind: "a"}); !errors.Is(err, lifecycle.ErrAlreadyExists) {
			t.Errorf("got %v, want %v", err, lifecycle.ErrAlreadyExists)
		}
	})
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// A job about a plan stays if the plan is deleted. Its handler finds out.
func TestJobOfADeletedPlan(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		ctx := context.Background()
		cfg, work := lifecycle.Config{URL: url}, (*lifecycle.UnitOfWork)(nil)
		if url != "" {
			cfg.Engines = storetest.Engines(t)
			work = lifecycle.NewUnitOfWork(cfg.Engines, url)
		}
		s, err := lifecycle.Open(ctx, cfg)
		check(t, err)
		defer s.Close()
		check(t, ignore(s.CreateAction(ctx, lifecycle.ActionSpec{Name: "weave", Actors: lifecycle.Actors{Strategy: "s", Execution: "e"}})))
		p, err := s.UseAction(ctx, "weave", lifecycle.UseOptions{})
		check(t, err)
		q := queue(t, work)
		check(t, ignore(q.Submit(ctx, jobs.Spec{Kind: "weave", Payload: []byte(p.ID)})))
		check(t, s.DeletePlan(ctx, p.ID, 0))
		j := take(t, q, "A")
		if err := ignore(s.StartStrategize(ctx, string(j.Payload))); !errors.Is(err, lifecycle.ErrNotFound) {
			t.Errorf("got error %v, want one that matches ErrNotFound", err)
		}
		check(t, ignore(q.Succeed(ctx, j, nil)))
	})
}
