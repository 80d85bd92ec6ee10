package races

import (
	"context"
	"errors"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/jobs"
	"github.com/jacquard-go/jacquard/lifecycle/locks"
)

// This file adapts packages locks and jobs, and the claims of package lifecycle, to N4, N5 and N10.

// onUnits opens the shared file twice, and calls open with the unit of work of each service.
func onUnits[V any](t T, open func(*lifecycle.UnitOfWork) (V, error)) (*ourFile, []V, error) {
	file, err := openOurFile(t, 2, nil)
	if err != nil {
		return nil, nil, err
	}
	var all []V
	for _, service := range file.services {
		work, err := service.UnitOfWork()
		if err == nil {
			var v V
			v, err = open(work)
			all = append(all, v)
		}
		if err != nil {
			return nil, nil, errors.Join(err, file.Close())
		}
	}
	return file, all, nil
}

// ourLockersSubject is lock services on the shared file, in which a lock has expired.
type ourLockersSubject struct {
	*ourFile
	locks []*locks.Service
}

func ourLockers(t T) (Lockers, error) {
	file, all, err := onUnits(t, locks.New)
	if err != nil {
		return nil, err
	}
	return ourLockersSubject{file, all}, nil
}

func (s ourLockersSubject) A() Locker { return ourLocker{s.locks[0]} }
func (s ourLockersSubject) B() Locker { return ourLocker{s.locks[1]} }

type ourLocker struct{ locks *locks.Service }

func (l ourLocker) Acquire(ctx context.Context, owner, resource string) error {
	_, err := l.locks.Acquire(ctx, owner, locks.Resource{Type: resourceType, ID: resource}, lockTime)
	return err
}

func (l ourLocker) Release(ctx context.Context, owner string) error {
	_, err := l.locks.ReleaseAll(ctx, owner)
	return err
}

// resourceType is the type of the resources of N4.
const resourceType = "project"

// ourPollersSubject is queues on the shared file, in which a job is queued.
type ourPollersSubject struct {
	*ourFile
	queues []*jobs.Queue
}

func ourPollers(t T) (Pollers, error) {
	file, all, err := onUnits(t, func(work *lifecycle.UnitOfWork) (*jobs.Queue, error) {
		return jobs.New(jobs.Config{Work: work, Entropy: runtimeEntropy{}})
	})
	if err != nil {
		return nil, err
	}
	return ourPollersSubject{file, all}, nil
}

func (s ourPollersSubject) A() Poller { return ourPoller{s.queues[0], workerA} }
func (s ourPollersSubject) B() Poller { return ourPoller{s.queues[1], workerB} }

type ourPoller struct {
	queue *jobs.Queue
	name  string
}

// Poll does once what a worker of package jobs does.
func (p ourPoller) Poll(ctx context.Context, do func() error) (found bool, err error) {
	job, found, err := p.queue.Claim(ctx, p.name, 0)
	if err != nil || !found {
		return false, err
	}
	if failed := do(); failed != nil {
		_, err = p.queue.Fail(ctx, job, failed.Error(), 0)
	} else {
		_, err = p.queue.Succeed(ctx, job, nil)
	}
	return true, err
}

// ourLeasesSubject is two services on the shared file. Worker A has started a plan, and its claim has expired.
type ourLeasesSubject struct {
	*ourFile
	a, b *ourHolder
}

func ourLeases(t T) (Leases, error) {
	file, err := openOurFile(t, 2, nil)
	if err != nil {
		return nil, err
	}
	s := ourLeasesSubject{file, newOurHolder(file, 0, workerA), newOurHolder(file, 1, workerB)}
	s.a.claim = lifecycle.Claim{PlanID: begunPlan, Holder: workerA, Fence: 1}
	return s, nil
}

func (s ourLeasesSubject) A() Holder { return s.a }
func (s ourLeasesSubject) B() Holder { return s.b }

// ourHolder must be used by one goroutine at a time.
type ourHolder struct {
	ourInstanceSubject
	name  string
	claim lifecycle.Claim
}

func newOurHolder(file *ourFile, n int, name string) *ourHolder {
	return &ourHolder{ourInstanceSubject: ourInstanceSubject{file.services[n], begunPlan}, name: name}
}

// shortly is how long a worker waits before it tries again to claim a plan.
const shortly = 100 * time.Millisecond

// TakeOver claims the plan as soon as it is unclaimed.
func (h *ourHolder) TakeOver(ctx context.Context) error {
	for {
		claim, err := h.service.Claim(ctx, h.planID, h.name, time.Hour)
		if !errors.Is(err, lifecycle.ErrClaimed) {
			h.claim = claim
			return err
		}
		if err := pause(ctx, shortly); err != nil {
			return err
		}
	}
}

// pause waits for d or the end of ctx.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *ourHolder) Finish(ctx context.Context) error {
	_, err := h.service.Transition(ctx, h.claim.Request(lifecycle.CommandCompleteStrategize))
	return err
}
