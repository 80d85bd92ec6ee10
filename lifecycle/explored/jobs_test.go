package explored_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/jobs"
)

// newJobs returns a queue with n jobs.
func newJobs(t *explore.T, work *lifecycle.UnitOfWork, n int) *jobs.Queue {
	q, err := jobs.New(jobs.Config{Work: work, Clock: fixed})
	for range n {
		if err == nil {
			_, err = q.Submit(context.Background(), jobs.Spec{Kind: "weave"})
		}
	}
	if err != nil {
		t.Inconclusive("set-up: %v", err)
	}
	return q
}

func fixed() time.Time { return time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC) }

// A job can be claimed as soon as it is listed.
func TestListedJobIsClaimed(t *testing.T) {
	onUnits(t, func(t *explore.T, work *lifecycle.UnitOfWork) {
		q, ctx := newJobs(t, work, 0), context.Background()
		t.Go("submit", func() {
			if _, err := q.Submit(ctx, jobs.Spec{Kind: "weave"}); err != nil {
				t.Errorf("submit: %v", err)
			}
		})
		t.Go("worker", func() {
			all, err := q.List(ctx, jobs.Queued)
			claimed := false
			if err == nil && len(all) == 1 {
				_, claimed, err = q.Claim(ctx, "A", 0)
			}
			if err != nil || claimed != (len(all) == 1) {
				t.Errorf("%d jobs listed: got one to run %t, %v", len(all), claimed, err)
			}
		})
		t.Wait()
	})
}

// A claim gets a job if there is one to run at every moment.
func TestClaimFindsAJob(t *testing.T) {
	onUnits(t, func(t *explore.T, work *lifecycle.UnitOfWork) {
		q, ctx := newJobs(t, work, 2), context.Background()
		first, _, err := q.Claim(ctx, "A", 0)
		all, errList := q.List(ctx, jobs.Queued)
		if err != nil || errList != nil || len(all) != 1 {
			t.Fatalf("got %d jobs queued, %v and %v, want 1", len(all), err, errList)
		}
		t.Go("A", func() {
			_, back := q.GiveBack(ctx, first)
			if _, err := q.Cancel(ctx, all[0].ID, ""); back != nil || err != nil && !errors.Is(err, jobs.ErrFinished) {
				t.Errorf("got %v and %v, want no error", back, err)
			}
		})
		t.Go("B", func() {
			if _, ok, err := q.Claim(ctx, "B", 0); !ok {
				t.Errorf("got no job, %v, want one", err)
			}
		})
		t.Wait()
	})
}

// When a lease expires, its worker meets one that takes the job over. One result
// counts, and the other worker gets an error that names the job's worker.
func TestJobIsTakenOver(t *testing.T) {
	onUnits(t, func(t *explore.T, work *lifecycle.UnitOfWork) {
		q, ctx := newJobs(t, work, 1), context.Background()
		a, ok, err := q.Claim(ctx, "A", time.Second)
		if err != nil || !ok {
			t.Fatalf("claim the only job: got %t, %v", ok, err)
		}
		var errA, errB error
		taken := false
		t.Go("A", func() {
			time.Sleep(time.Second)
			_, errA = q.Succeed(ctx, a, []byte("A's"))
		})
		t.Go("B", func() {
			time.Sleep(time.Second)
			var b jobs.Job
			if b, taken, errB = q.Claim(ctx, "B", 0); taken {
				_, errB = q.Succeed(ctx, b, []byte("B's"))
			}
		})
		t.Wait()
		j, err := q.Get(ctx, a.ID)
		late := (*jobs.LostError)(nil)
		switch {
		case err != nil || errB != nil:
			t.Errorf("got %v and %v, want no error", err, errB)
		case errA == nil && (taken || string(j.Result) != "A's"):
			t.Errorf("A's result was accepted: got the job %+v, taken over %t", j, taken)
		case errA != nil && !errors.As(errA, &late):
			t.Errorf("A got %v, want a LostError", errA)
		case taken && (string(j.Result) != "B's" || late.Job.Worker != "B" && late.Job.LeaseEnds.After(a.LeaseEnds)):
			t.Errorf("B's result was accepted: got the job %+v, and %v for A", j, errA)
		}
	})
}

// A worker that is shut down at any moment has run what it claimed, leaves the
// rest queued, and leaves no goroutine.
func TestWorkerIsShutDown(t *testing.T) {
	onUnits(t, func(t *explore.T, work *lifecycle.UnitOfWork) {
		q, ctx := newJobs(t, work, 2), context.Background()
		ran := make(map[string]bool)
		w, err := jobs.NewWorker(q, jobs.WorkerConfig{Name: "A", Size: 1, Handler: func(_ context.Context, j jobs.Job) ([]byte, error) {
			ran[j.ID] = true // one at a time
			return nil, nil
		}})
		if err != nil {
			t.Fatalf("new worker: %v", err)
		}
		t.Go("worker", func() {
			if err := w.Run(ctx); err != nil {
				t.Errorf("run: %v", err)
			}
		})
		t.Go("shut down", func() {
			if err := w.Shutdown(ctx); err != nil {
				t.Errorf("shut down: %v", err)
			}
		})
		t.Wait()
		all, err := q.List(ctx, "")
		if err != nil || len(all) != 2 {
			t.Fatalf("got %d jobs, %v, want 2", len(all), err)
		}
		for _, j := range all {
			if j.State != jobs.Queued && j.State != jobs.Succeeded || ran[j.ID] != (j.State == jobs.Succeeded) {
				t.Errorf("job %s: got %s, run %t, want succeeded if run and queued otherwise", j.ID, j.State, ran[j.ID])
			}
		}
	})
}

// The context of a handler ends as soon as its job is cancelled, at whatever moment after the claim, and not with the
// next heartbeat.
func TestHandlerOfACancelledJobEnds(t *testing.T) {
	onUnits(t, func(t *explore.T, work *lifecycle.UnitOfWork) {
		q, ctx := newJobs(t, work, 1), context.Background()
		var cancelled, ended time.Time
		w, err := jobs.NewWorker(q, jobs.WorkerConfig{Name: "A", Size: 1, Handler: func(ctx context.Context, _ jobs.Job) ([]byte, error) {
			<-ctx.Done()
			ended = time.Now()
			return nil, ctx.Err()
		}})
		all, errList := q.List(ctx, jobs.Queued)
		if err != nil || errList != nil || len(all) != 1 {
			t.Fatalf("got %v, and %d jobs, %v, want 1", err, len(all), errList)
		}
		t.Go("worker", func() {
			if err := w.Run(ctx); err != nil {
				t.Errorf("run: %v", err)
			}
		})
		t.Go("cancel", func() {
			_, err := q.Cancel(ctx, all[0].ID, "")
			cancelled = time.Now()
			if err := errors.Join(err, w.Shutdown(ctx)); err != nil {
				t.Errorf("cancel, and shut down: %v", err)
			}
		})
		t.Wait()
		if late := ended.Sub(cancelled); late >= time.Second {
			t.Errorf("the handler's context ended %v after the job was cancelled, want at once", late)
		}
	})
}
