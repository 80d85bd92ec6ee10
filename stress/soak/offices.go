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

// Jobs is what a process drives of a [*jobs.Queue].
type Jobs interface {
	Submit(context.Context, jobs.Spec) (jobs.Job, error)
	Claim(ctx context.Context, worker string, lease time.Duration) (jobs.Job, bool, error)
	Heartbeat(context.Context, jobs.Job, time.Duration) (jobs.Job, error)
	Succeed(ctx context.Context, j jobs.Job, result []byte) (jobs.Job, error)
	Fail(ctx context.Context, j jobs.Job, message string, pause time.Duration) (jobs.Job, error)
	List(context.Context, jobs.State) ([]jobs.Job, error)
}

// Locks is what a process drives of a [*locks.Service].
type Locks interface {
	Acquire(ctx context.Context, owner string, r locks.Resource, ttl time.Duration) (locks.Lock, error)
	Renew(context.Context, locks.Lock, time.Duration) (locks.Lock, error)
	Release(context.Context, locks.Lock) error
}

// Runner executes subplans, as [subplans.Run] does.
type Runner func(context.Context, subplans.Config, []subplans.Subplan) ([]subplans.Result, error)

// Instead is what a [Service] has too whose jobs, locks or subplans are to be found wrong: it puts something around those that are
// right.
type Instead interface {
	Jobs(Jobs) Jobs
	Locks(Locks) Locks
	Subplans(Runner) Runner
}

// offices is where it is decided who has what: plans by claims, jobs, locks, and subplans.
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

// How long what is got lasts: so short that it is over while its owner does something else. A lock lasts as briefly as it may.
const (
	lease     = 100 * time.Millisecond
	lockLease = locks.ShortestTTL
	attempts  = 20 // of a job
)

// perform makes a call and returns what came of it, but for the time. Who gets something has the call's label as his name.
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
		panic("soak: unknown kind of call: " + string(c.Kind)) // written by this package alone
	}
	a.ID, a.Fence, a.Holder, a.Until = j.ID, j.Fence, j.Worker, micro(j.LeaseEnds)
	return err
}

// micro keeps the zero time as 0.
func micro(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// refusal takes in who has what somebody wanted, if that is what an error tells.
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
