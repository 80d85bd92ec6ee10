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

// now is what every clock says.
func now() time.Time { return time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC) }

// name is an action's, normalised.
func name(text string) lifecycle.Name {
	n, _ := lifecycle.ParseName(text) // those of scenarios can be parsed
	return n
}

// A state is what the services on one store are in.
type state struct {
	store  *model.Model
	closed [services]bool
}

// step says what a call does to a state, and what it must answer.
func step(s state, c *Call) (state, Answer) {
	next := state{s.store.Clone(), s.closed}
	a := next.do(c)
	if a.Err != nil {
		next = s // nothing has happened
	}
	return next, a
}

// do does a call to a state that nobody else has.
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

// transition moves a plan on, unless another one came between the decision and the change.
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

// record does what has to do with changesets.
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

// sequential is the model of the services on a store that is in a state at the beginning. refs are all that its calls refer to.
func sequential(begin state, refs []*Ref) explore.Model[state, *Call, Answer] {
	return explore.Model[state, *Call, Answer]{
		Init:  func() state { return begin },
		Step:  step,
		Agree: func(want, got Answer) bool { return agree(want, translate(got, refs)) },
		// A step copies the store. To say which operations suffice takes as many as there may be.
		MaxSteps: 20_000,
	}
}

// agree reports whether the model's answer can be that of a service, whose identifiers are translated.
func agree(want, got Answer) bool {
	if want.Err != nil || got.Err != nil {
		return errors.Is(want.Err, errRolledBack) && errors.Is(got.Err, errRolledBack) ||
			model.Agree(got.Err, want.Err) && names(got.Err, want)
	}
	return reflect.DeepEqual(got.Actions, want.Actions) && reflect.DeepEqual(got.Plans, want.Plans) &&
		got.Made == want.Made && sameChangesets(got.Changesets, want.Changesets)
}

// names reports whether an error about a transition names where the plan is.
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

// sameChangesets compares all but how nothing is written.
func sameChangesets(got, want []lifecycle.Changeset) bool {
	return slices.EqualFunc(got, want, func(a, b lifecycle.Changeset) bool {
		entries := slices.Equal(a.Entries, b.Entries)
		a.Entries, b.Entries = nil, nil
		return entries && reflect.DeepEqual(a, b)
	})
}

// translate puts the model's identifiers for the service's. Plans come in the model's order then: that of the service's identifiers is
// known to the service alone. What the service has made and nobody was told of keeps its identifier, which the model does not know.
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
