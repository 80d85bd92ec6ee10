package lifecycle

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
	"github.com/jacquard-go/jacquard/lifecycle/internal/events"
	"github.com/jacquard-go/jacquard/lifecycle/internal/history"
	"github.com/jacquard-go/jacquard/lifecycle/internal/steady"
)

// memoryStore is the store without a database. Actions, and plans with their changesets, are
// entries of two caches. A creation is a GetOrCreate, so one of several creators makes the entry
// and the others learn that it exists. A change is a CompareAndSwap of one entry with the version
// that it was decided on; it is decided again if another change of the same entry came first. So no
// operation on one plan waits for one on another. They share only the era of the history, which
// only listings change; the log of events, to which Add never waits; and, for some instructions, a
// bucket of a cache.
//
// Using an action changes two entries at once, the action's and that of the new plan. The plan's
// entry is stored first, and becomes visible at the moment of the use; until then only its creator
// uses it.
type memoryStore struct {
	history     *history.History
	actionCache *cache.Cache[Name, *history.Node[*Action]]
	planCache   *cache.Cache[string, *history.Node[planState]]
	structure   sync.RWMutex                   // see memory_deletions.go
	left        leftovers                      // deleted objects that remain in the caches; guarded by structure
	changesetID *cache.Cache[string, struct{}] // identifiers that are taken
	clock       steady.Clock                   // for claims and events
	log         events.Log
}

// planState is a plan with its changesets. Values it points to are never changed.
type planState struct {
	plan   *Plan // nil if it was deleted
	newest *changesetState
	told   *events.Node // the event of the last change that made a version
	birth  *sync.Mutex  // of a plan's first node: held until the node is visible or withdrawn
}

func newMemoryStore() (*memoryStore, error) {
	actions, err1 := cache.New(cache.Config[Name, *history.Node[*Action]]{})
	plans, err2 := cache.New(cache.Config[string, *history.Node[planState]]{})
	ids, err3 := cache.New(cache.Config[string, struct{}]{})
	return &memoryStore{
		history: history.New(), actionCache: actions, planCache: plans, changesetID: ids, clock: steady.New(),
	}, errors.Join(err1, err2, err3)
}

// create calls GetOrCreate, and reports whether this call created the value. With a context that
// cannot end the caller runs f itself; f is short, so there is no reason to leave early.
func create[K comparable, V any](c *cache.Cache[K, V], key K, f func() (V, error)) (v V, made bool, err error) {
	v, err = c.GetOrCreate(context.Background(), key, func(context.Context) (V, error) {
		made = true
		return f()
	})
	return v, made, err
}

func (s *memoryStore) insertAction(_ context.Context, a Action) error {
	a = domain.Clone(a)
	for {
		first := history.NewNode(&a, nil)
		n, made, err := create(s.actionCache, a.Name, func() (*history.Node[*Action], error) { return first, nil })
		if err != nil {
			return err
		}
		s.history.Settle(n.At)
		switch {
		case made:
			return nil
		case n.Value != nil:
			return &AlreadyExistsError{KindAction, a.Name.String()}
		case s.replaceDeleted(&a):
			return nil
		}
	}
}

func (s *memoryStore) action(_ context.Context, name Name) (Action, error) {
	a, err := s.getAction(name)
	if err != nil {
		return Action{}, err
	}
	return domain.Clone(*a.Value.Value), nil
}

// getAction returns an action's newest node, settled, with its version in the cache.
func (s *memoryStore) getAction(name Name) (cache.Versioned[*history.Node[*Action]], error) {
	a, ok := s.actionCache.GetVersion(name)
	if ok {
		s.history.Settle(a.Value.At)
	}
	if !ok || a.Value.Value == nil {
		return a, &NotFoundError{KindAction, name.String()}
	}
	return a, nil
}

func (s *memoryStore) actions(context.Context) ([]Action, error) {
	era, done := s.history.List()
	defer done()
	var all []Action
	for _, n := range s.actionCache.All() {
		s.history.Settle(n.At)
		if n = n.In(era); n != nil && n.Value != nil {
			all = append(all, domain.Clone(*n.Value))
		}
	}
	slices.SortFunc(all, func(a, b Action) int { return cmp.Compare(a.Name.String(), b.Name.String()) })
	return all, nil
}

func (s *memoryStore) archiveAction(_ context.Context, name Name, at time.Time) (Action, error) {
	return s.changeAction(name, nil, func(a *Action) { a.State, a.UpdatedAt = ActionArchived, at })
}

// changeAction changes an available action, at a moment of its own or at the given one.
func (s *memoryStore) changeAction(name Name, at *history.Moment, change func(*Action)) (Action, error) {
	for {
		a, err := s.getAction(name)
		if err != nil {
			return Action{}, err
		}
		if a.Value.Value.State == ActionArchived {
			return Action{}, &ArchivedError{name, a.Value.Value.Uses}
		}
		next := domain.Clone(*a.Value.Value)
		change(&next)
		n := history.NewNode(&next, a.Value)
		if at != nil {
			n.At = at
		}
		if _, ok := s.actionCache.CompareAndSwap(name, a.Version, n); ok {
			history.Took(s.history, n)
			return domain.Clone(next), nil
		}
	}
}

func (s *memoryStore) insertPlan(_ context.Context, p Plan, of Action) (Plan, error) {
	s.structure.RLock()
	defer s.structure.RUnlock()
	a, err := s.getAction(p.Action)
	if err != nil {
		return Plan{}, err
	}
	if a.Value.Value.State == ActionArchived {
		return Plan{}, &ArchivedError{p.Action, a.Value.Value.Uses}
	}
	if !domain.Like(*a.Value.Value, of) {
		return Plan{}, errRedefined
	}
	if p.RootID, err = s.rootOf(p); err != nil {
		return Plan{}, err
	}
	stored := domain.Clone(p)
	first := history.NewNode(planState{plan: &stored, told: s.event(nil, &stored), birth: new(sync.Mutex)}, nil)
	first.At = new(history.Moment)
	first.Value.birth.Lock()
	defer first.Value.birth.Unlock()
	version, err := s.putDown(first)
	if err != nil {
		return Plan{}, err
	}
	_, err = s.changeAction(p.Action, first.At, func(a *Action) {
		a.Uses++
		a.UpdatedAt = p.CreatedAt
		if !a.Reusable {
			a.State = ActionArchived
		}
	})
	if err != nil {
		s.planCache.CompareAndDelete(p.ID, version)
		return Plan{}, err
	}
	s.log.Add(first.Value.told)
	return p, nil
}

// putDown stores the entry of a new plan, which is not yet visible, and returns its version. If
// another plan with that identifier is being created, putDown waits until that one is visible or
// withdrawn.
func (s *memoryStore) putDown(first *history.Node[planState]) (version uint64, err error) {
	id := first.Value.plan.ID
	for {
		n, made, err := create(s.planCache, id, func() (*history.Node[planState], error) { return first, nil })
		switch {
		case err != nil:
			return 0, err
		case made:
			p, _ := s.planCache.GetVersion(id) // only its creator changes it until it is visible
			return p.Version, nil
		case s.placed(n):
			return 0, &AlreadyExistsError{KindPlan, id}
		}
		n.Value.await()
	}
}

// await waits until the first node of a plan is visible or withdrawn.
func (p planState) await() {
	p.birth.Lock()
	defer p.birth.Unlock()
}

// placed reports whether a node is visible, and settles it if so. The first node of a plan becomes
// visible together with a use of its action; the newest node of an action is always settled before
// the next one replaces it.
func (s *memoryStore) placed(n *history.Node[planState]) bool {
	if n.Alone() {
		s.history.Settle(n.At)
	}
	if !n.At.Known() {
		_, _ = s.getAction(n.Value.plan.Action) // settles the use's moment
	}
	return n.At.Known()
}

// rootOf returns the root of the tree that a new plan belongs to.
func (s *memoryStore) rootOf(p Plan) (string, error) {
	if p.ParentID == "" {
		return p.ID, nil
	}
	parent, err := s.getPlan(p.ParentID)
	if err != nil {
		return "", err
	}
	return parent.Value.Value.plan.RootID, nil
}

func (s *memoryStore) plan(_ context.Context, id string) (Plan, error) {
	p, err := s.getPlan(id)
	if err != nil {
		return Plan{}, err
	}
	return domain.Clone(*p.Value.Value.plan), nil
}

// getPlan returns a plan's newest node, settled, with its version in the cache.
func (s *memoryStore) getPlan(id string) (cache.Versioned[*history.Node[planState]], error) {
	p, ok := s.planCache.GetVersion(id)
	if !ok || !s.placed(p.Value) || p.Value.Value.plan == nil {
		return p, &NotFoundError{KindPlan, id}
	}
	return p, nil
}

func (s *memoryStore) plans(ctx context.Context) ([]Plan, error) {
	return s.findPlans(ctx, PlanFilter{})
}

func (s *memoryStore) findPlans(_ context.Context, f PlanFilter) ([]Plan, error) {
	era, done := s.history.List()
	defer done()
	var all []*Plan
	for _, n := range s.planCache.All() {
		if !s.placed(n) {
			continue
		}
		if n = n.In(era); n != nil && n.Value.plan != nil && domain.Wants(f, n.Value.plan) {
			all = append(all, n.Value.plan)
		}
	}
	slices.SortFunc(all, func(a, b *Plan) int { return cmp.Compare(a.ID, b.ID) })
	if f.Limit > 0 && f.Limit < len(all) {
		all = all[:f.Limit]
	}
	return domain.Convert(all, func(p *Plan) Plan { return domain.Clone(*p) }), nil
}

// changePlan replaces a plan's state by change's result. It returns change's error without
// replacing the state. change is called again if another change came first.
func (s *memoryStore) changePlan(id string, change func(planState) (planState, error)) (planState, error) {
	for {
		p, err := s.getPlan(id)
		if err != nil {
			return planState{}, err
		}
		next, err := change(p.Value.Value)
		if err != nil {
			return p.Value.Value, err
		}
		n := history.NewNode(next, p.Value)
		if _, ok := s.planCache.CompareAndSwap(id, p.Version, n); ok {
			history.Took(s.history, n)
			if next.told != p.Value.Value.told {
				s.log.Add(next.told)
			}
			return next, nil
		}
	}
}

// errOtherVersion says that a plan has another version than the one held.
var errOtherVersion = errors.New("lifecycle: another version")

func (s *memoryStore) swapPlan(_ context.Context, next Plan, held, fence int64) (Plan, bool, error) {
	state, err := s.changePlan(next.ID, func(found planState) (planState, error) {
		err := s.changeable(found.plan, fence)
		switch {
		case err != nil && !errors.Is(err, ErrFinished): // finished is another version than the one held
			return found, err
		case found.plan.Version != held:
			return found, errOtherVersion
		}
		next := domain.Clone(next)
		if domain.CountsChanges(&next) {
			if err := domain.SettleApplied(&next, found.plan.Applied, found.newest.recorded()); err != nil {
				return found, err
			}
		}
		next.ChangesetID, next.Claim = found.plan.ChangesetID, found.plan.Claim
		if next.State.Terminal() {
			next.Claim.Holder, next.Claim.ExpiresAt = "", time.Time{}
		}
		return planState{plan: &next, newest: found.newest, told: s.succession(found, &next)}, nil
	})
	switch {
	case errors.Is(err, errOtherVersion):
		return domain.Clone(*state.plan), false, nil
	case err != nil:
		return Plan{}, false, err
	}
	return domain.Clone(*state.plan), true, nil
}

// close has nothing to release. Calls under way complete.
func (s *memoryStore) close() error { return nil }
