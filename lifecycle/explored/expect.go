package explored

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/model"
)

// now is the time that every clock returns.
func now() time.Time { return time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC) }

// name parses the name of an action.
func name(text string) lifecycle.Name {
	n, _ := lifecycle.ParseName(text) // the names in scenarios are valid
	return n
}

// state is the model's state of the services on one store.
type state struct {
	store  *model.Model
	closed [services]bool
}

// step returns the state after a call, and the answer that the call must get.
func step(s state, c *Call) (state, Answer) {
	next := state{s.store.Clone(), s.closed}
	a := next.do(c)
	if a.Err != nil {
		next = s // a failed call changes nothing
	}
	return next, a
}

// do applies a call to s, which must not be shared.
func (s *state) do(c *Call) Answer {
	m := s.store
	if s.closed[c.Service] && c.Operation != Commit && c.Operation != RollBack {
		return Answer{Err: lifecycle.ErrClosed}
	}
	switch c.Operation {
	case CreateAction:
		return ofAction(m.CreateAction(c.spec(), now()))
	case ArchiveAction:
		return ofAction(m.ArchiveAction(c.Action, now()))
	case DeleteAction:
		return Answer{Err: m.DeleteAction(c.Action)}
	case GetAction:
		return ofAction(m.GetAction(c.Action))
	case ListActions:
		return Answer{Actions: m.ListActions()}
	case UseAction:
		p, err := m.UseAction(c.Action, lifecycle.UseOptions{ParentID: c.parent(func(r *Ref) string { return r.Slot })}, now())
		if err == nil {
			p = m.AddPlan(p, c.Makes.Slot)
		}
		return ofPlan(p, err)
	case GetPlan:
		return ofPlan(m.GetPlan(c.Plan.Slot))
	case ArchivePlan:
		held, _ := m.GetPlan(c.Plan.Slot)
		a := ofPlan(m.ArchivePlan(c.Plan.Slot, now()))
		a.at = held.Position()
		return a
	case DeletePlan:
		return Answer{Err: m.DeletePlan(c.Plan.Slot)}
	case ListPlans:
		return Answer{Plans: m.ListPlans()}
	case Transition:
		return s.transition(c)
	case Close:
		s.closed[c.Service] = true
		return Answer{}
	}
	return s.record(c)
}

// transition applies a transition, unless the call lost to a concurrent one.
func (s *state) transition(c *Call) Answer {
	held, err := s.store.GetPlan(c.Plan.Slot)
	if err != nil {
		return Answer{Err: err}
	}
	a := Answer{Err: lifecycle.ErrConflict}
	if !c.lost {
		a = ofPlan(s.store.Transition(c.request(c.Plan.Slot), now()))
	}
	a.at, a.version = held.Position(), held.Version
	return a
}

// record applies the operations on changesets.
func (s *state) record(c *Call) Answer {
	m, plan := s.store, c.Plan.Slot
	entry := c.entry()
	switch c.Operation {
	case StartChangeset:
		if err := m.StartChangeset(plan); err != nil {
			return Answer{Err: err}
		}
		m.AddChangeset(plan, c.Makes.Slot, now())
		return Answer{Made: c.Makes.Slot}
	case RecordChange:
		id, err := m.RecordChange(plan, entry, now())
		return Answer{Made: id, Err: err}
	case Finish:
		return Answer{Err: m.FinishChangeset(plan, c.Changeset.Slot, now())}
	case Commit, RollBack:
		id, err := m.RecordChange(plan, entry, now())
		if err != nil {
			return Answer{Err: err}
		}
		a := ofAction(m.ArchiveAction(c.Action, now()))
		a.Made = id
		if a.Err == nil && c.Operation == RollBack {
			a.Err = errRolledBack
		}
		return a
	}
	all, err := m.Changesets(plan)
	return Answer{Changesets: all, Err: err}
}

// sequential returns the model of services on a store in the state begin. refs are all the refs of the calls.
func sequential(begin state, refs []*Ref) explore.Model[state, *Call, Answer] {
	return explore.Model[state, *Call, Answer]{
		Init:  func() state { return begin },
		Step:  step,
		Agree: func(want, got Answer) bool { return agree(want, translate(got, refs)) },
		// Each step copies the store. Finding out which operations are needed takes as many steps as are allowed.
		MaxSteps: 20_000,
	}
}

// agree reports whether a service's answer, with translated identifiers, is the model's.
func agree(want, got Answer) bool {
	if want.Err != nil || got.Err != nil {
		return errors.Is(want.Err, errRolledBack) && errors.Is(got.Err, errRolledBack) ||
			model.Agree(got.Err, want.Err) && names(got.Err, want)
	}
	return reflect.DeepEqual(got.Actions, want.Actions) && reflect.DeepEqual(got.Plans, want.Plans) &&
		got.Made == want.Made && sameChangesets(got.Changesets, want.Changesets)
}

// names reports whether an error about a transition names the plan's position.
func names(err error, want Answer) bool {
	var conflict *lifecycle.ConflictError
	var invalid *lifecycle.InvalidTransitionError
	var early *lifecycle.NotReadyError
	switch {
	case errors.As(err, &conflict):
		return conflict.Current == want.at && conflict.CurrentVersion == want.version && conflict.HeldVersion != want.version
	case errors.As(err, &invalid):
		return invalid.Current == want.at
	case errors.As(err, &early):
		return early.Current == want.at
	}
	return true
}

// sameChangesets compares changesets, and treats nil and empty entries alike.
func sameChangesets(got, want []lifecycle.Changeset) bool {
	return slices.EqualFunc(got, want, func(a, b lifecycle.Changeset) bool {
		entries := slices.Equal(a.Entries, b.Entries)
		a.Entries, b.Entries = nil, nil
		return entries && reflect.DeepEqual(a, b)
	})
}

// translate replaces the service's identifiers by the model's, and sorts plans by them, because the model cannot know the
// order of the service's. An object whose identifier no call returned keeps the service's, which the model does not know.
func translate(a Answer, refs []*Ref) Answer {
	slot := func(id string) string {
		for _, r := range refs {
			if r.id != "" && r.id == id {
				return r.Slot
			}
		}
		return id
	}
	a.Made = slot(a.Made)
	a.Plans = slices.Clone(a.Plans)
	for i := range a.Plans {
		p := &a.Plans[i]
		p.ID, p.ParentID, p.RootID, p.ChangesetID = slot(p.ID), slot(p.ParentID), slot(p.RootID), slot(p.ChangesetID)
	}
	slices.SortFunc(a.Plans, func(a, b lifecycle.Plan) int { return cmp.Compare(a.ID, b.ID) })
	a.Changesets = slices.Clone(a.Changesets)
	for i := range a.Changesets {
		c := &a.Changesets[i]
		c.ID, c.PlanID = slot(c.ID), slot(c.PlanID)
	}
	return a
}
