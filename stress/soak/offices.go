package soak

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/jobs"
	"github.com/jacquard-go/jacquard/lifecycle/locks"
	"github.com/jacquard-go/jacquard/lifecycle/subplans"
)

// Jobs is the part of [*jobs.Queue] that a process uses.
type Jobs interface {
	Submit(context.Context, jobs.Spec) (jobs.Job, error)
	Claim(ctx context.Context, worker string, lease time.Duration) (jobs.Job, bool, error)
	Heartbeat(context.Context, jobs.Job, time.Duration) (jobs.Job, error)
	Succeed(ctx context.Context, j jobs.Job, result []byte) (jobs.Job, error)
	Fail(ctx context.Context, j jobs.Job, message string, pause time.Duration) (jobs.Job, error)
	List(context.Context, jobs.State) ([]jobs.Job, error)
}

// Locks is the part of [*locks.Service] that a process uses.
type Locks interface {
	Acquire(ctx context.Context, owner string, r locks.Resource, ttl time.Duration) (locks.Lock, error)
	Renew(context.Context, locks.Lock, time.Duration) (locks.Lock, error)
	Release(context.Context, locks.Lock) error
}

// Runner executes subplans, as [subplans.Run] does.
type Runner func(context.Context, subplans.Config, []subplans.Subplan) ([]subplans.Result, error)

// Instead is implemented by a [Service] with planted errors in its jobs, locks or subplans: it wraps the correct ones.
type Instead interface {
	Jobs(Jobs) Jobs
	Locks(Locks) Locks
	Subplans(Runner) Runner
}

// offices are the services that decide ownership: of plans by claims, of jobs, locks and subplans.
type offices struct {
	plans Service
	jobs  Jobs
	locks Locks
	run   Runner
	whole *lifecycle.Service // where the plans with subplans are
}

func openOffices(s Service, whole *lifecycle.Service, clock func() time.Time) (offices, error) {
	work, err := s.UnitOfWork()
	if err != nil {
		return offices{}, err
	}
	queue, err1 := jobs.New(jobs.Config{Work: work, Clock: clock})
	service, err2 := locks.New(work)
	o := offices{s, queue, service, subplans.Run, whole}
	if instead, ok := s.(Instead); ok {
		o.jobs, o.locks, o.run = instead.Jobs(o.jobs), instead.Locks(o.locks), instead.Subplans(o.run)
	}
	return o, errors.Join(err1, err2)
}

// The leases: so short that they expire while their owner does something else. A lock's is the shortest that is allowed.
const (
	lease     = 100 * time.Millisecond
	lockLease = locks.ShortestTTL
	attempts  = 20 // of a job
)

// perform makes a call and returns its answer, without the time. Owners are named by the label of their call.
func (o offices) perform(ctx context.Context, c call, label string) answer {
	a := answer{Number: c.Number, Outcome: OK}
	var err error
	switch c.Kind {
	case ClaimPlan, RenewClaim, EndClaim:
		err = o.performClaim(ctx, c, label, &a)
	case AcquireLock, RenewLock, ReleaseLock:
		err = o.performLock(ctx, c, label, &a)
	case MakeParent, DoSubplan, MergeChange:
		err = o.performSubplan(ctx, c, label, &a)
	default:
		err = o.performJob(ctx, c, label, &a)
	}
	if err != nil {
		return failed(c.Number, err)
	}
	return a
}

func (o offices) performClaim(ctx context.Context, c call, label string, a *answer) (err error) {
	got := lifecycle.Claim{PlanID: c.Subject, Holder: c.Holder, Fence: c.Fence}
	lasts := cmp.Or(time.Duration(c.Lease), lease)
	switch c.Kind {
	case ClaimPlan:
		got, err = o.plans.Claim(ctx, c.Subject, label, lasts)
		a.From = micro(got.ExpiresAt.Add(-lasts))
	case RenewClaim:
		got, err = o.plans.Renew(ctx, got, lasts)
	default:
		err = o.plans.Release(ctx, got)
	}
	a.Fence, a.Holder, a.Until = got.Fence, got.Holder, micro(got.ExpiresAt)
	return err
}

func (o offices) performLock(ctx context.Context, c call, label string, a *answer) (err error) {
	got := locks.Lock{Resource: locks.Resource{Type: "soak", ID: c.Subject}, Owner: c.Holder, Fence: c.Fence}
	switch c.Kind {
	case AcquireLock:
		got, err = o.locks.Acquire(ctx, label, got.Resource, lockLease)
	case RenewLock:
		got, err = o.locks.Renew(ctx, got, lockLease)
	default:
		err = o.locks.Release(ctx, got)
	}
	a.Fence, a.Holder, a.From, a.Until = got.Fence, got.Owner, micro(got.AcquiredAt), micro(got.ExpiresAt)
	return err
}

func (o offices) performJob(ctx context.Context, c call, label string, a *answer) (err error) {
	j, found := jobs.Job{ID: c.Subject, Worker: c.Holder, Fence: c.Fence}, true
	switch c.Kind {
	case SubmitJob:
		j, err = o.jobs.Submit(ctx, jobs.Spec{Kind: "soak", Payload: []byte(label), Attempts: attempts})
	case ClaimJob:
		if j, found, err = o.jobs.Claim(ctx, label, lease); err == nil && !found {
			a.Outcome = Nothing
			return nil
		}
		a.From = micro(j.LeaseEnds.Add(-lease))
	case RenewJob:
		j, err = o.jobs.Heartbeat(ctx, j, lease)
	case SucceedJob:
		j, err = o.jobs.Succeed(ctx, j, []byte(label))
	case FailJob:
		j, err = o.jobs.Fail(ctx, j, label, 0)
	default:
		panic("soak: unknown kind of call: " + string(c.Kind)) // only this package makes calls
	}
	a.ID, a.Fence, a.Holder, a.Until = j.ID, j.Fence, j.Worker, micro(j.LeaseEnds)
	return err
}

// micro returns 0 for the zero time.
func micro(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// refusal records the present owner that an error names, if it names one.
func refusal(err error, a *answer) bool {
	var (
		claimed *lifecycle.ClaimedError
		lost    *jobs.LostError
		held    *locks.HeldError
	)
	switch {
	case errors.As(err, &claimed):
		a.Fence, a.Holder = claimed.Claim.Fence, claimed.Claim.Holder
	case errors.As(err, &lost):
		a.Fence, a.Holder = lost.Job.Fence, lost.Job.Worker
	case errors.As(err, &held):
		a.Fence, a.Holder = held.Lock.Fence, held.Lock.Owner
	default:
		return false
	}
	a.Outcome = Held
	return true
}
