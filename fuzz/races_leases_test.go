package fuzz_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/lifecycle/locks"
	"github.com/jacquard-go/jacquard/races"
)

// What programs can do to the subjects of N4, N5 and N10, and what must hold.

// playLocks lets owners acquire two resources, one of which has an expired lock, and release what they hold. Each resource has one
// owner at a time. A refused caller is told who that is.
func playLocks(t *explore.T, subject races.Subject) play {
	s := subject.(races.Lockers)
	lockers := []races.Locker{s.A(), s.B()}
	name := func(task int) string { return fmt.Sprint("owner ", task+1) }
	type holders struct{ loom, weft string }
	h := explore.NewHistory(t, explore.Model[holders, request, answer]{
		Step: func(now holders, in request) (holders, answer) {
			owner := name(in.n)
			of := &now.weft
			if in.name == races.ExpiredResource {
				of = &now.loom
			}
			switch {
			case in.call == "release":
				if now.loom == owner {
					now.loom = ""
				}
				if now.weft == owner {
					now.weft = ""
				}
				return now, answer{}
			case *of == "" || *of == owner:
				*of = owner
				return now, answer{}
			}
			return now, answer{failed: "held", text: *of}
		},
	})
	apply := func(in request) answer {
		if in.call == "release" {
			return answer{failed: inAWord(lockers[in.n].Release(t.Context(), name(in.n)))}
		}
		err := lockers[in.n].Acquire(t.Context(), name(in.n), in.name)
		var held *locks.HeldError
		if errors.As(err, &held) {
			return answer{failed: "held", text: held.Lock.Owner}
		}
		return answer{failed: inAWord(err)}
	}
	do := func(call, resource string) func(step) {
		return func(by step) { h.Do(request{call: call, name: resource, n: by.task}, apply) }
	}
	return play{2, []func(step){do("acquire", races.ExpiredResource), do("acquire", "weft"), do("release", "")}, h.Check}
}

// playJobs lets workers poll for the only job. One of them runs it, once.
func playJobs(t *explore.T, subject races.Subject) play {
	s := subject.(races.Pollers)
	workers := []races.Poller{s.A(), s.B()}
	var runs atomic.Int64
	poll := func(outcome error) func(step) {
		return func(by step) {
			ran := false
			found, err := workers[by.task].Poll(t.Context(), func() error {
				ran = true
				if runs.Add(1) > 1 && outcome == nil {
					t.Errorf("the one job is run again")
				}
				return outcome
			})
			if err != nil || found != ran {
				t.Errorf("a worker found a job: %t, and ran one: %t, error %v; want the same and none", found, ran, err)
			}
		}
	}
	return play{2, []func(step){poll(nil)}, func() {
		if n := runs.Load(); n != 1 {
			t.Errorf("got %d runs of the job, want 1", n)
		}
	}}
}

// patience is how long a worker waits for a plan that another one took over: less than that lease, which need not end.
const patience = time.Second

// playLeases lets worker A, whose lease has expired, and worker B take the plan over and finish it. The first one gets it unless it is
// finished, and at most one finishes it.
func playLeases(t *explore.T, subject races.Subject) play {
	s := subject.(races.Leases)
	workers := []races.Holder{s.A(), s.B()}
	var asked, finished atomic.Int64
	takeOver := func(by step) {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		asked.Add(1)
		before := finished.Load()
		err := workers[by.task].TakeOver(ctx)
		held := errors.Is(err, context.DeadlineExceeded) && asked.Load() > 1
		if err != nil && !held && before == 0 && finished.Load() == 0 {
			t.Errorf("take over an unfinished plan: got error %v, want none", err)
		}
	}
	finish := func(by step) {
		if workers[by.task].Finish(t.Context()) == nil && finished.Add(1) > 1 {
			t.Errorf("got the plan finished twice, want once")
		}
	}
	return play{2, []func(step){takeOver, finish}, func() {
		at, err := s.A().Position(t.Context())
		if done := at.String() == "strategize/complete"; err != nil || done != (finished.Load() == 1) {
			t.Errorf("got the plan at %s, %v, finished %d times, want strategize/complete exactly if it was finished", at, err, finished.Load())
		}
	}}
}
