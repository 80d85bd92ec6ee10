package lifecycle

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

// changesetState is a changeset of the store in memory. It and what it points to are never changed:
// recording replaces it, which copies no entry.
type changesetState struct {
	id         string
	startedAt  time.Time
	finishedAt time.Time // zero while it is open
	last       *recorded
	before     *changesetState // the plan's previous changeset
}

// recorded is an entry and those recorded before it.
type recorded struct {
	entry  Entry
	before *recorded
}

// closed returns the changeset as closed at at, unless it is closed already; c may be nil.
func (c *changesetState) closed(at time.Time) *changesetState {
	if c == nil || !c.finishedAt.IsZero() {
		return c
	}
	next := *c
	next.finishedAt = at
	return &next
}

// snapshot returns the changeset for callers.
func (c *changesetState) snapshot(planID string) Changeset {
	all := Changeset{ID: c.id, PlanID: planID, StartedAt: c.startedAt, FinishedAt: c.finishedAt}
	for e := c.last; e != nil; e = e.before {
		all.Entries = append(all.Entries, e.entry)
	}
	slices.Reverse(all.Entries)
	return all
}

// recorded counts the changes of a changeset, which may be nil, and of all those before it.
func (c *changesetState) recorded() (n int) {
	for ; c != nil; c = c.before {
		for e := c.last; e != nil; e = e.before {
			n++
		}
	}
	return n
}

// startChangeset reserves the identifier first. Another call with the same one waits until it is
// known whether this one takes it.
func (s *memoryStore) startChangeset(_ context.Context, planID, id string, at time.Time, fence int64) error {
	for {
		_, made, err := create(s.changesetID, id, func() (struct{}, error) {
			_, err := s.changePlan(planID, func(found planState) (planState, error) {
				if err := s.changeable(found.plan, fence); err != nil {
					return found, err
				}
				plan := domain.Clone(*found.plan)
				plan.ChangesetID = id
				newest := &changesetState{id: id, startedAt: at, before: found.newest.closed(at)}
				return planState{plan: &plan, newest: newest, told: found.told}, nil
			})
			return struct{}{}, err
		})
		switch {
		case made:
			return err
		case err == nil:
			if _, err := s.getPlan(planID); err != nil {
				return err
			}
			return &AlreadyExistsError{KindChangeset, id}
		}
	}
}

func (s *memoryStore) recordChange(_ context.Context, planID string, e Entry, fence int64) (string, error) {
	state, err := s.changePlan(planID, func(found planState) (planState, error) {
		if err := s.changeable(found.plan, fence); err != nil {
			return found, err
		}
		if found.newest == nil || !found.newest.finishedAt.IsZero() {
			return found, noActiveChangeset(planID)
		}
		newest := *found.newest
		newest.last = &recorded{e, newest.last}
		return planState{plan: found.plan, newest: &newest, told: found.told}, nil
	})
	if err != nil {
		return "", err
	}
	return state.newest.id, nil
}

// errClosedAlready says that the changeset is closed already.
var errClosedAlready = errors.New("lifecycle: closed already")

func (s *memoryStore) finishChangeset(_ context.Context, planID, id string, at time.Time, fence int64) error {
	_, err := s.changePlan(planID, func(found planState) (planState, error) {
		if err := s.changeable(found.plan, fence); err != nil && !errors.Is(err, ErrFinished) {
			return found, err
		}
		for c := found.newest; c != nil; c = c.before {
			switch {
			case c.id != id:
			case c.finishedAt.IsZero():
				return planState{plan: found.plan, newest: c.closed(at), told: found.told}, nil // only the newest can be open
			default:
				return found, errClosedAlready
			}
		}
		return found, &NotFoundError{KindChangeset, id}
	})
	switch {
	case errors.Is(err, errClosedAlready):
		return nil
	case errors.Is(err, ErrNotFound):
		return &NotFoundError{KindChangeset, id}
	}
	return err
}

func (s *memoryStore) changesets(_ context.Context, planID string) ([]Changeset, error) {
	p, err := s.getPlan(planID)
	if err != nil {
		return nil, err
	}
	var all []Changeset
	for c := p.Value.Value.newest; c != nil; c = c.before {
		all = append(all, c.snapshot(planID))
	}
	slices.Reverse(all)
	return all, nil
}
