package lifecycle

import (
	"context"
	"errors"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
	"github.com/jacquard-go/jacquard/lifecycle/internal/history"
)

// A deletion must check that nothing refers to an object and delete it in one step. So a deletion
// locks memoryStore.structure exclusively, and a call that makes a plan, which refers to an action
// and a parent, shares it with others that do. No other call takes it: plans are changed and read
// meanwhile, and the deletion itself is one compare-and-swap like other changes. A deleted object
// is a node without a value, for as long as a listing may read the versions before it. A count of
// references in each action and plan would avoid scanning all plans, but each new plan would change
// its parent as well.

// leftovers are deleted plans and actions that some listing could still read.
type leftovers struct {
	plans   []string
	actions []Name
}

func (s *memoryStore) deletePlan(_ context.Context, id string, fence int64) (Plan, error) {
	s.structure.Lock()
	defer s.structure.Unlock()
	var last planState
	_, err := s.changePlan(id, func(found planState) (planState, error) {
		last = found
		if err := s.changeable(found.plan, fence); err != nil && !errors.Is(err, ErrFinished) {
			return found, err
		}
		return planState{told: s.deletion(found)}, s.referred(KindPlan, id, func(p *Plan) bool { return p.ParentID == id })
	})
	if err != nil {
		return Plan{}, err
	}
	for c := last.newest; c != nil; c = c.before {
		if _, made := s.changesetID.Get(c.id); made { // otherwise startChangeset is about to reserve it
			s.changesetID.Delete(c.id)
		}
	}
	s.left.plans = append(s.left.plans, id)
	s.sweep()
	return domain.Clone(*last.plan), nil
}

func (s *memoryStore) deleteAction(_ context.Context, name Name) error {
	s.structure.Lock()
	defer s.structure.Unlock()
	for {
		a, err := s.getAction(name)
		if err != nil {
			return err
		}
		err = s.referred(KindAction, name.String(), func(p *Plan) bool { return p.Action == name })
		if err != nil {
			return err
		}
		n := history.NewNode[*Action](nil, a.Value)
		if _, ok := s.actionCache.CompareAndSwap(name, a.Version, n); ok {
			history.Took(s.history, n)
			s.left.actions = append(s.left.actions, name)
			s.sweep()
			return nil
		}
	}
}

// referred returns a ReferredError if plans refer to the object. The caller holds structure, so no
// plan is made meanwhile.
func (s *memoryStore) referred(kind Kind, id string, refers func(*Plan) bool) error {
	e := ReferredError{Kind: kind, ID: id}
	for _, n := range s.planCache.All() {
		if s.placed(n) && n.Value.plan != nil && refers(n.Value.plan) {
			e.add(n.Value.plan.ID)
		}
	}
	return e.orNil()
}

// replaceDeleted stores an action in place of a deleted one, and reports whether it did.
func (s *memoryStore) replaceDeleted(next *Action) bool {
	a, ok := s.actionCache.GetVersion(next.Name)
	if !ok || a.Value.Value != nil {
		return false
	}
	n := history.NewNode(next, a.Value)
	s.history.Settle(a.Value.At)
	if _, ok = s.actionCache.CompareAndSwap(next.Name, a.Version, n); ok {
		history.Took(s.history, n)
	}
	return ok
}

// sweep removes deleted objects that no listing can read any more.
func (s *memoryStore) sweep() {
	left := s.left
	s.left = leftovers{}
	for _, id := range left.plans {
		p, ok := s.planCache.GetVersion(id)
		if !ok || p.Value.Value.plan != nil {
			continue
		}
		if history.Last(s.history, p.Value) {
			s.planCache.CompareAndDelete(id, p.Version)
			continue
		}
		s.left.plans = append(s.left.plans, id)
	}
	for _, name := range left.actions {
		a, ok := s.actionCache.GetVersion(name)
		if !ok || a.Value.Value != nil {
			continue
		}
		if history.Last(s.history, a.Value) {
			s.actionCache.CompareAndDelete(name, a.Version)
			continue
		}
		s.left.actions = append(s.left.actions, name)
	}
}
