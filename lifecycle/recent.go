package lifecycle

import (
	"context"
	"errors"
	"time"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

// Reader reads actions and plans that may be out of date, by no more than the
// age that Config.MaxAge states. [Service.Recent] returns it.
//
// What it returns is the committed state at some moment no longer than that
// before the call, by a clock that does not jump. Two calls may see two moments,
// and the second the earlier one, if they are about different things: each plan,
// each action and each listing has an age of its own. What this service has
// changed is never older than the change. What other services change is seen
// when the age is over.
//
// A Reader is safe for any number of goroutines. What is young enough is
// returned without a lock and without asking the database.
type Reader struct{ service *Service }

// Recent returns the reader of the opt-in level. Without Config.MaxAge, or in
// memory, it reads as the service does.
func (s *Service) Recent() *Reader { return &Reader{s} }

// GetPlan is [Service.GetPlan] at the reader's level.
func (r *Reader) GetPlan(ctx context.Context, id string) (Plan, error) {
	s := r.service
	if err := s.enterPlan(ctx, id); err != nil {
		return Plan{}, err
	}
	if s.recent == nil {
		return s.store.plan(ctx, id)
	}
	p, err := recall(s, s.recent.plans, id, func() (Plan, error) { return s.store.plan(ctx, id) })
	if err != nil {
		return Plan{}, err
	}
	return domain.Clone(*p), nil
}

// ListPlans is [Service.ListPlans] at the reader's level: a consistent
// snapshot of one moment.
func (r *Reader) ListPlans(ctx context.Context) ([]Plan, error) {
	s := r.service
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	if s.recent == nil {
		return s.store.plans(ctx)
	}
	all, err := recall(s, s.recent.planList, theList, func() ([]Plan, error) { return s.store.plans(ctx) })
	if err != nil {
		return nil, err
	}
	return domain.CloneAll(*all), nil
}

// GetAction is [Service.GetAction] at the reader's level.
func (r *Reader) GetAction(ctx context.Context, name string) (Action, error) {
	s := r.service
	n, err := s.enterNamed(ctx, name)
	if err != nil {
		return Action{}, err
	}
	if s.recent == nil {
		return s.store.action(ctx, n)
	}
	a, err := recall(s, s.recent.actions, n, func() (Action, error) { return s.store.action(ctx, n) })
	if err != nil {
		return Action{}, err
	}
	return domain.Clone(*a), nil
}

// ListActions is [Service.ListActions] at the reader's level: a consistent
// snapshot of one moment.
func (r *Reader) ListActions(ctx context.Context) ([]Action, error) {
	s := r.service
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	if s.recent == nil {
		return s.store.actions(ctx)
	}
	all, err := recall(s, s.recent.actionList, theList, func() ([]Action, error) { return s.store.actions(ctx) })
	if err != nil {
		return nil, err
	}
	return domain.CloneAll(*all), nil
}

// recent is what a service remembers for its Reader.
type recent struct {
	maxAge     time.Duration
	plans      *cache.Cache[string, *aged[Plan]]
	actions    *cache.Cache[Name, *aged[Action]]
	planList   *cache.Cache[list, *aged[[]Plan]]
	actionList *cache.Cache[list, *aged[[]Action]]
}

// list is the key of a cache that holds one listing.
type list struct{}

var theList list

// aged is a value, which is never changed, and a moment before it was read. Caches hold
// pointers to such: for all pointers there is one copy of the cache's code.
type aged[V any] struct {
	value *V
	at    time.Time // with its monotonic reading
}

func newRecent(maxAge time.Duration) (*recent, error) {
	plans, err1 := cache.New(cache.Config[string, *aged[Plan]]{})
	actions, err2 := cache.New(cache.Config[Name, *aged[Action]]{})
	planList, err3 := cache.New(cache.Config[list, *aged[[]Plan]]{Shards: 1})
	actionList, err4 := cache.New(cache.Config[list, *aged[[]Action]]{Shards: 1})
	return &recent{maxAge, plans, actions, planList, actionList}, errors.Join(err1, err2, err3, err4)
}

func (r *recent) close() error {
	return errors.Join(r.plans.Close(), r.actions.Close(), r.planList.Close(), r.actionList.Close())
}

// recall returns a value that is young enough, or reads it. What was read is
// kept unless the value was forgotten meanwhile: it may be from before the
// change that made it so.
func recall[K comparable, V any](s *Service, c *cache.Cache[K, *aged[V]], key K, read func() (V, error)) (*V, error) {
	now := time.Now()
	held, ok := c.GetVersion(key)
	if ok && now.Sub(held.Value.at) <= s.recent.maxAge {
		s.counters.add(recentHits)
		return held.Value.value, nil
	}
	stamp := c.Stamp(key)
	v, err := read()
	if err != nil {
		if ok {
			c.CompareAndDelete(key, held.Version)
		}
		return nil, err
	}
	fresh := &aged[V]{&v, now}
	if ok {
		c.CompareAndSwap(key, held.Version, fresh)
	} else {
		c.Fill(key, fresh, stamp)
	}
	return &v, nil
}

// forgetPlan is called when this service has changed a plan, or tried to: the
// outcome may be unknown.
func (s *Service) forgetPlan(id string) {
	if s.recent != nil {
		s.recent.plans.Invalidate(id)
		s.recent.planList.Invalidate(theList)
		s.counters.add(invalidations)
	}
}

// forgetAction is called when this service has changed an action, or tried to.
func (s *Service) forgetAction(name Name) {
	if s.recent != nil {
		s.recent.actions.Invalidate(name)
		s.recent.actionList.Invalidate(theList)
		s.counters.add(invalidations)
	}
}
