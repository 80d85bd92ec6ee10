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
	if err := r.service.enterPlan(ctx, id); err != nil {
		return Plan{}, err
	}
	return r.level().plan(ctx, id)
}

// ListPlans is [Service.ListPlans] at the reader's level: a consistent
// snapshot of one moment.
func (r *Reader) ListPlans(ctx context.Context) ([]Plan, error) {
	if err := r.service.enter(ctx); err != nil {
		return nil, err
	}
	return r.level().plans(ctx)
}

// GetAction is [Service.GetAction] at the reader's level.
func (r *Reader) GetAction(ctx context.Context, name string) (Action, error) {
	n, err := r.service.enterNamed(ctx, name)
	if err != nil {
		return Action{}, err
	}
	return r.level().action(ctx, n)
}

// ListActions is [Service.ListActions] at the reader's level: a consistent
// snapshot of one moment.
func (r *Reader) ListActions(ctx context.Context) ([]Action, error) {
	if err := r.service.enter(ctx); err != nil {
		return nil, err
	}
	return r.level().actions(ctx)
}

// level is what the reader reads from.
func (r *Reader) level() reads {
	if r.service.recent != nil {
		return r.service.recent
	}
	return r.service.store
}

// recent is what a service remembers for its Reader. It is an interface, as the store is,
// so that packages that import this one do not compile the caches once more.
type recent interface {
	reads
	// forgetPlan is called when this service has changed a plan, or tried to: the
	// outcome may be unknown.
	forgetPlan(id string)
	// forgetAction is called when this service has changed an action, or tried to.
	forgetAction(name Name)
	close() error
}

type recentCaches struct {
	store    reads
	maxAge   time.Duration
	counters *counters

	planCache   *cache.Cache[string, *aged[Plan]]
	actionCache *cache.Cache[Name, *aged[Action]]
	planList    *cache.Cache[list, *aged[[]Plan]]
	actionList  *cache.Cache[list, *aged[[]Action]]
}

// list is the key of a cache that holds one listing.
type list string

const theList list = ""

// aged is a value, which is never changed, and a moment before it was read. Caches hold
// pointers to such: for all pointers there is one copy of the cache's code.
type aged[V any] struct {
	value *V
	at    time.Time // with its monotonic reading
}

func newRecent(from reads, maxAge time.Duration, c *counters) (recent, error) {
	plans, err1 := cache.New(cache.Config[string, *aged[Plan]]{})
	actions, err2 := cache.New(cache.Config[Name, *aged[Action]]{})
	planList, err3 := cache.New(cache.Config[list, *aged[[]Plan]]{Shards: 1})
	actionList, err4 := cache.New(cache.Config[list, *aged[[]Action]]{Shards: 1})
	return &recentCaches{from, maxAge, c, plans, actions, planList, actionList}, errors.Join(err1, err2, err3, err4)
}

func (r *recentCaches) close() error {
	return errors.Join(r.planCache.Close(), r.actionCache.Close(), r.planList.Close(), r.actionList.Close())
}

// recall returns a value that is young enough, or reads it. What was read is
// kept unless the value was forgotten meanwhile: it may be from before the
// change that made it so. P is for the cache's code to be that of all pointers, here too.
func recall[K comparable, V any, P interface{ *aged[V] }](
	r *recentCaches, c *cache.Cache[K, P], key K, read func() (V, error),
) (*V, error) {
	now := time.Now()
	held, ok := c.GetVersion(key)
	if ok {
		if known := (*aged[V])(held.Value); now.Sub(known.at) <= r.maxAge {
			r.counters.add(recentHits)
			return known.value, nil
		}
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

func (r *recentCaches) plan(ctx context.Context, id string) (Plan, error) {
	return domain.Cloned(recall(r, r.planCache, id, func() (Plan, error) { return r.store.plan(ctx, id) }))
}

func (r *recentCaches) plans(ctx context.Context) ([]Plan, error) {
	return domain.ClonedAll(recall(r, r.planList, theList, func() ([]Plan, error) { return r.store.plans(ctx) }))
}

func (r *recentCaches) action(ctx context.Context, name Name) (Action, error) {
	return domain.Cloned(recall(r, r.actionCache, name, func() (Action, error) { return r.store.action(ctx, name) }))
}

func (r *recentCaches) actions(ctx context.Context) ([]Action, error) {
	return domain.ClonedAll(recall(r, r.actionList, theList, func() ([]Action, error) { return r.store.actions(ctx) }))
}

func (r *recentCaches) forgetPlan(id string) {
	r.planCache.Invalidate(id)
	r.planList.Invalidate(theList)
	r.counters.add(invalidations)
}

func (r *recentCaches) forgetAction(name Name) {
	r.actionCache.Invalidate(name)
	r.actionList.Invalidate(theList)
	r.counters.add(invalidations)
}

func (s *Service) forgetPlan(id string) {
	if s.recent != nil {
		s.recent.forgetPlan(id)
	}
}

func (s *Service) forgetAction(name Name) {
	if s.recent != nil {
		s.recent.forgetAction(name)
	}
}
