package soak_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/jobs"
	"github.com/jacquard-go/jacquard/lifecycle/locks"
	"github.com/jacquard-go/jacquard/lifecycle/model"
	"github.com/jacquard-go/jacquard/lifecycle/subplans"
	"github.com/jacquard-go/jacquard/stress/soak"
)

// The documented races that processes on one database can have, as reported. Each wraps the correct service, which stands for the
// reports' database table, and adds the reported fault. TestSpecimens names the check that must find it.

// staleService is R6: it returns a plan from its memory, whatever the database has.
type staleService struct{ *lifecycle.Service }

func (s staleService) GetPlan(ctx context.Context, id string) (lifecycle.Plan, error) {
	return s.Service.Recent().GetPlan(ctx, id)
}

// overwritingService is R7: a process that decided on an old state writes anyway and gets a success.
type overwritingService struct{ *lifecycle.Service }

func (s overwritingService) Transition(ctx context.Context, r lifecycle.Request) (lifecycle.Plan, error) {
	p, err := s.Service.Transition(ctx, r)
	if errors.Is(err, lifecycle.ErrConflict) {
		return s.GetPlan(ctx, r.PlanID)
	}
	return p, err
}

// hastyService is N2: it changes the plan in memory before the commit, and keeps it so if that fails.
type hastyService struct {
	*lifecycle.Service

	mu    sync.Mutex
	plans map[string]lifecycle.Plan // guarded by mu
}

func newHastyService(s *lifecycle.Service) *hastyService {
	return &hastyService{Service: s, plans: make(map[string]lifecycle.Plan)}
}

func (s *hastyService) Transition(ctx context.Context, r lifecycle.Request) (lifecycle.Plan, error) {
	before, unread := s.Service.GetPlan(ctx, r.PlanID)
	p, err := s.Service.Transition(ctx, r)
	to, refused := model.Follow(r.Command, before.Position())
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		delete(s.plans, r.PlanID) // the memory equals the table
	} else if unread == nil && refused == nil {
		before.Phase, before.State = to.Phase, to.State
		before.Version++
		s.plans[r.PlanID] = before
	}
	return p, err
}

func (s *hastyService) GetPlan(ctx context.Context, id string) (lifecycle.Plan, error) {
	s.mu.Lock()
	p, ok := s.plans[id]
	s.mu.Unlock()
	if ok {
		return p, nil
	}
	return s.Service.GetPlan(ctx, id)
}

// lateService is N3: starting a phase only reads. Nothing is written until the work is done.
type lateService struct{ *lifecycle.Service }

func (s lateService) Transition(ctx context.Context, r lifecycle.Request) (lifecycle.Plan, error) {
	if !strings.HasPrefix(string(r.Command), "start") {
		return s.Service.Transition(ctx, r)
	}
	p, err := s.Service.GetPlan(ctx, r.PlanID)
	to, refused := model.Follow(r.Command, p.Position())
	if err != nil || refused != nil || r.IfVersion != 0 && r.IfVersion != p.Version {
		return s.Service.Transition(ctx, r)
	}
	p.Phase, p.State = to.Phase, to.State
	p.Version++
	return p, nil
}

// unfencedService is N10: a process that once claimed a plan may move it even if another one claims it now.
type unfencedService struct{ *lifecycle.Service }

func (s unfencedService) Transition(ctx context.Context, r lifecycle.Request) (lifecycle.Plan, error) {
	p, err := s.Service.Transition(ctx, r)
	var claimed *lifecycle.ClaimedError
	if r.Fence > 0 && errors.As(err, &claimed) {
		r.Fence = claimed.Claim.Fence
		return s.Service.Transition(ctx, r)
	}
	return p, err
}

// ownClockService judges by its own clock whether a claim has expired, and then releases it for its holder.
type ownClockService struct {
	*lifecycle.Service
	clock func() time.Time
}

func openOwnClock(ctx context.Context, cfg lifecycle.Config) (soak.Service, error) {
	s, err := lifecycle.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return ownClockService{s, cfg.Clock}, nil
}

func (s ownClockService) Claim(ctx context.Context, planID, holder string, ttl time.Duration) (lifecycle.Claim, error) {
	c, err := s.Service.Claim(ctx, planID, holder, ttl)
	var claimed *lifecycle.ClaimedError
	if !errors.As(err, &claimed) || s.clock().Before(claimed.Claim.ExpiresAt) || s.Release(ctx, claimed.Claim) != nil {
		return c, err
	}
	return s.Service.Claim(ctx, planID, holder, ttl)
}

// instead is a service with faulty jobs, locks or subplans. They are correct if the field is nil.
type instead struct {
	*lifecycle.Service
	jobs     func(soak.Jobs) soak.Jobs
	locks    func(soak.Locks) soak.Locks
	subplans soak.Runner
}

func (i instead) Jobs(right soak.Jobs) soak.Jobs {
	if i.jobs == nil {
		return right
	}
	return i.jobs(right)
}

func (i instead) Locks(right soak.Locks) soak.Locks {
	if i.locks == nil {
		return right
	}
	return i.locks(right)
}

func (i instead) Subplans(right soak.Runner) soak.Runner {
	if i.subplans == nil {
		return right
	}
	return i.subplans
}

func beginAnyJob(right soak.Jobs) soak.Jobs   { return begun{right} }
func endAnyJob(right soak.Jobs) soak.Jobs     { return ended{right} }
func takeAnyLock(right soak.Locks) soak.Locks { return taken{right} }

// begun claims a job without a compare-and-swap, so it may claim one that another worker has.
type begun struct{ soak.Jobs }

func (q begun) Claim(ctx context.Context, worker string, lease time.Duration) (jobs.Job, bool, error) {
	running, err := q.List(ctx, jobs.Running)
	if err != nil || len(running) == 0 {
		return q.Jobs.Claim(ctx, worker, lease)
	}
	running[0].Worker = worker
	return running[0], true, nil
}

// ended lets every worker that has begun a job end it.
type ended struct{ soak.Jobs }

func (q ended) Succeed(ctx context.Context, j jobs.Job, result []byte) (jobs.Job, error) {
	after, err := q.Jobs.Succeed(ctx, j, result)
	if errors.Is(err, jobs.ErrLost) {
		return j, nil
	}
	return after, err
}

// taken looks at a lock and then writes it, even if another owner has written it meanwhile.
type taken struct{ soak.Locks }

func (s taken) Acquire(ctx context.Context, owner string, r locks.Resource, ttl time.Duration) (locks.Lock, error) {
	l, err := s.Locks.Acquire(ctx, owner, r, ttl)
	var held *locks.HeldError
	if errors.As(err, &held) {
		held.Lock.Owner = owner
		return held.Lock, nil
	}
	return l, err
}

// mergeAnyhow merges subplans in another order than the given one.
func mergeAnyhow(ctx context.Context, cfg subplans.Config, list []subplans.Subplan) ([]subplans.Result, error) {
	list = slices.Clone(list)
	slices.Reverse(list)
	return subplans.Run(ctx, cfg, list)
}

// mergeTwice merges all changes a second time.
func mergeTwice(ctx context.Context, cfg subplans.Config, list []subplans.Subplan) ([]subplans.Result, error) {
	results, err := subplans.Run(ctx, cfg, list)
	for _, r := range results {
		changes, failed := cfg.Service.ExecutionContext(r.Plan.ID).Changes(ctx)
		for _, c := range changes {
			failed = errors.Join(failed, cfg.Merge(ctx, r.Plan, c))
		}
		err = errors.Join(err, failed)
	}
	return results, err
}

// mergeNothing reports subplans as done and merged, but has merged nothing.
func mergeNothing(ctx context.Context, cfg subplans.Config, list []subplans.Subplan) ([]subplans.Result, error) {
	cfg.Merge = nil
	return subplans.Run(ctx, cfg, list)
}

var (
	_ soak.Service = (*hastyService)(nil)
	_ soak.Instead = instead{}
)
