package lifecycle

import (
	"context"
	"errors"
	"time"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

// Reader reads actions and plans that may be out of date by at most Config.MaxAge. [Service.Recent]
// returns it.
//
// A result is the committed state at some moment at most MaxAge before the call, by a clock that
// does not jump. Two calls about different things may see two moments, and the second call the
// earlier one: each plan, each action and each listing has an age of its own. The service's own
// changes are seen at once, those of other services when the age is over.
//
// A Reader is safe for concurrent use. A value that is young enough is returned without a lock and
// without asking the database.
type Reader struct{ service *Service }

// Recent returns a Reader. Without Config.MaxAge, or in memory, it reads as the service does.
func (s *Service) Recent() *Reader { return &Reader{s} }

// GetPlan is [Service.GetPlan] with the Reader's consistency.
func (r *Reader) GetPlan(ctx context.Context, id string) (Plan, error) {
	if err := r.service.enterPlan(ctx, id); err != nil {
		return Plan{}, err
	}
	return r.level().plan(ctx, id)
}

// ListPlans is [Service.ListPlans] with the Reader's consistency: a consistent snapshot of one
// moment.
func (r *Reader) ListPlans(ctx context.Context) ([]Plan, error) {
	if err := r.service.enter(ctx); err != nil {
		return nil, err
	}
	return r.level().plans(ctx)
}

// GetAction is [Service.GetAction] with the Reader's consistency.
func (r *Reader) GetAction(ctx context.Context, name string) (Action, error) {
	n, err := r.service.enterNamed(ctx, name)
	if err != nil {
		return Action{}, err
	}
	return r.level().action(ctx, n)
}

// ListActions is [Service.ListActions] with the Reader's consistency: a consistent snapshot of one
// moment.
func (r *Reader) ListActions(ctx context.Context) ([]Action, error) {
	if err := r.service.enter(ctx); err != nil {
		return nil, err
	}
	return r.level().actions(ctx)
}

// level returns the source of the Reader's results.
func (r *Reader) level() reads {
	if r.service.recent != nil {
		return r.service.recent
	}
	return r.service.store
}

// recent caches values for a service's Reader. It is an interface, like store, so that packages
// that import this one do not compile the caches again.
type recent interface {
	reads
	// forgetPlan is called when this service has changed a plan, or tried to, because the outcome
	// may be unknown.
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

// aged is a value, which is never changed, and a moment before it was read. Caches hold pointers to
// it, because all pointer types share one copy of the cache's code.
type aged[V any] struct {
	value *V
	at    time.Time // with its monotonic clock reading
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

// recall returns a cached value that is young enough, or reads it. The value read is cached unless
// the key was forgotten meanwhile, because it may be from before that change. P makes the cache's
// code here, too, that shared by all pointer types.
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
