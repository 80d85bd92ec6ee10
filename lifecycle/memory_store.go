package lifecycle

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/jacquard-go/jacquard/cache"
)

// memoryStore is the store without a database. Actions and plans are entries
// of two caches, as pointers to values that are never changed: to change one is
// to replace it. Neither cache has a limit, so nothing is ever evicted.
//
// The gate is what makes several entries one state. A creation or a transition
// is a compare-and-swap of one entry and shares the gate with the others, so
// that different plans do not wait for each other. Whoever reads or changes
// more than one thing has the gate alone. Reading one entry takes no lock.
type memoryStore struct {
	gate sync.RWMutex

	actionCache *cache.Cache[Name, *Action]
	planCache   *cache.Cache[string, *Plan]

	// Guarded by gate. The changesets are changed in place.
	byPlan map[string][]*Changeset // oldest first
	byID   map[string]*Changeset
}

func newMemoryStore() (*memoryStore, error) {
	actions, err1 := cache.New(cache.Config[Name, *Action]{})
	plans, err2 := cache.New(cache.Config[string, *Plan]{})
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	return &memoryStore{
		actionCache: actions, planCache: plans,
		byPlan: make(map[string][]*Changeset), byID: make(map[string]*Changeset),
	}, nil
}

func (s *memoryStore) insertAction(_ context.Context, a Action) error {
	s.gate.RLock()
	defer s.gate.RUnlock()
	a = a.clone()
	if _, ok := s.actionCache.CompareAndSwap(a.Name, 0, &a); !ok {
		return &AlreadyExistsError{KindAction, a.Name.String()}
	}
	return nil
}

func (s *memoryStore) action(_ context.Context, name Name) (Action, error) {
	a, err := s.getAction(name)
	if err != nil {
		return Action{}, err
	}
	return a.Value.clone(), nil
}

func (s *memoryStore) getAction(name Name) (cache.Versioned[*Action], error) {
	a, ok := s.actionCache.GetVersion(name)
	if !ok {
		return a, &NotFoundError{KindAction, name.String()}
	}
	return a, nil
}

func (s *memoryStore) actions(context.Context) ([]Action, error) {
	all := listing(s, s.actionCache)
	slices.SortFunc(all, func(a, b *Action) int { return cmp.Compare(a.Name.String(), b.Name.String()) })
	return convert(all, func(a *Action) Action { return a.clone() }), nil
}

// listing returns what a cache holds, at one moment.
func listing[K comparable, V any](s *memoryStore, c *cache.Cache[K, *V]) []*V {
	s.gate.Lock()
	defer s.gate.Unlock()
	all := make([]*V, 0, c.Len())
	for _, v := range c.All() {
		all = append(all, v)
	}
	return all
}

func (s *memoryStore) archiveAction(_ context.Context, name Name, at time.Time) (Action, error) {
	s.gate.Lock()
	defer s.gate.Unlock()
	a, err := s.getAvailable(name)
	if err != nil {
		return Action{}, err
	}
	next := a.Value.clone()
	next.State, next.UpdatedAt = ActionArchived, at
	if err := s.actionCache.Set(name, &next); err != nil {
		return Action{}, err
	}
	return next.clone(), nil
}

// getAvailable returns an action that is not archived.
func (s *memoryStore) getAvailable(name Name) (cache.Versioned[*Action], error) {
	a, err := s.getAction(name)
	if err == nil && a.Value.State == ActionArchived {
		err = &ArchivedError{name, a.Value.Uses}
	}
	return a, err
}

func (s *memoryStore) insertPlan(_ context.Context, p Plan) (Plan, error) {
	s.gate.Lock() // alone: the use and the plan are one change
	defer s.gate.Unlock()
	a, err := s.getAvailable(p.Action)
	if err != nil {
		return Plan{}, err
	}
	if p.RootID, err = s.rootOf(p); err != nil {
		return Plan{}, err
	}
	if _, err := s.getPlan(p.ID); err == nil {
		return Plan{}, &AlreadyExistsError{KindPlan, p.ID}
	}
	used, stored := a.Value.clone(), p.clone()
	used.Uses++
	used.UpdatedAt = p.CreatedAt
	if !used.Reusable {
		used.State = ActionArchived
	}
	// In this order: whoever sees the use can find the plan.
	if err := s.planCache.Set(p.ID, &stored); err != nil {
		return Plan{}, err
	}
	return p, s.actionCache.Set(p.Action, &used)
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
	return parent.Value.RootID, nil
}

func (s *memoryStore) plan(_ context.Context, id string) (Plan, error) {
	p, err := s.getPlan(id)
	if err != nil {
		return Plan{}, err
	}
	return p.Value.clone(), nil
}

func (s *memoryStore) getPlan(id string) (cache.Versioned[*Plan], error) {
	p, ok := s.planCache.GetVersion(id)
	if !ok {
		return p, &NotFoundError{KindPlan, id}
	}
	return p, nil
}

func (s *memoryStore) plans(context.Context) ([]Plan, error) {
	all := listing(s, s.planCache)
	slices.SortFunc(all, func(a, b *Plan) int { return cmp.Compare(a.ID, b.ID) })
	return convert(all, func(p *Plan) Plan { return p.clone() }), nil
}

// swapPlan compares the version of the very entry that it swaps. The entry
// has a version of its own, which a new changeset moves on too; that cannot
// happen here, behind the gate, so losing the entry is losing the plan.
func (s *memoryStore) swapPlan(_ context.Context, next Plan, held int64) (Plan, bool, error) {
	s.gate.RLock()
	defer s.gate.RUnlock()
	found, err := s.getPlan(next.ID)
	if err != nil {
		return Plan{}, false, err
	}
	if found.Value.Version == held {
		next = next.clone()
		next.ChangesetID = found.Value.ChangesetID
		if _, ok := s.planCache.CompareAndSwap(next.ID, found.Version, &next); ok {
			return next.clone(), true, nil
		}
		found, _ = s.getPlan(next.ID) // plans are never removed
	}
	return found.Value.clone(), false, nil
}

func (s *memoryStore) startChangeset(_ context.Context, planID, id string, at time.Time) error {
	s.gate.Lock()
	defer s.gate.Unlock()
	p, err := s.getPlan(planID)
	if err != nil {
		return err
	}
	if s.byID[id] != nil {
		return &AlreadyExistsError{KindChangeset, id}
	}
	next := p.Value.clone()
	next.ChangesetID = id
	if open := s.open(planID); open != nil {
		open.FinishedAt = at
	}
	c := &Changeset{ID: id, PlanID: planID, StartedAt: at}
	s.byID[id] = c
	s.byPlan[planID] = append(s.byPlan[planID], c)
	// Last, because a plan is read without the gate: who sees the new changeset
	// there can no longer have anything recorded in the one before.
	return s.planCache.Set(planID, &next)
}

// open returns the open changeset of a plan, or nil. The caller has the gate.
func (s *memoryStore) open(planID string) *Changeset {
	if all := s.byPlan[planID]; len(all) > 0 && all[len(all)-1].Open() {
		return all[len(all)-1]
	}
	return nil
}

func (s *memoryStore) recordChange(_ context.Context, planID string, e Entry) (string, error) {
	s.gate.Lock()
	defer s.gate.Unlock()
	open := s.open(planID)
	if open == nil {
		if _, err := s.getPlan(planID); err != nil {
			return "", err
		}
		return "", noActiveChangeset(planID)
	}
	open.Entries = append(open.Entries, e)
	return open.ID, nil
}

func (s *memoryStore) finishChangeset(_ context.Context, planID, id string, at time.Time) error {
	s.gate.Lock()
	defer s.gate.Unlock()
	c := s.byID[id]
	if c == nil || c.PlanID != planID {
		return &NotFoundError{KindChangeset, id}
	}
	if c.Open() {
		c.FinishedAt = at
	}
	return nil
}

func (s *memoryStore) changesets(_ context.Context, planID string) ([]Changeset, error) {
	if _, err := s.getPlan(planID); err != nil {
		return nil, err
	}
	s.gate.RLock()
	defer s.gate.RUnlock()
	return convert(s.byPlan[planID], func(c *Changeset) Changeset { return c.clone() }), nil
}

// close has nothing to release. Calls under way get their answers.
func (s *memoryStore) close() error { return nil }
