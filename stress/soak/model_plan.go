package soak

import (
	"errors"
	"slices"

	"github.com/jacquard-go/jacquard/lifecycle"
	sequential "github.com/jacquard-go/jacquard/lifecycle/model"
)

// planState is the state of a plan and its changesets in the sequential model. It is comparable.
//
// It has only the numbers of changesets and entries. Their content is known from the end: an entry or a changeset that is added must be
// the one that is found at that place at the end. That shortens the search and excludes nothing, since the last reading of the
// changesets is itself an operation of the history.
type planState struct {
	version    int64 // 0 if there is no plan
	at         lifecycle.Position
	attempt    int
	reversions int
	message    string

	changesets int  // started so far
	open       bool // the newest changeset is open
	entries    int  // in the newest changeset

	over bool // everything that has returned is done; pending operations have no effect any more
}

// planModel is the sequential model of a plan, with what is known of its end, which is empty if the plan is not there.
type planModel struct {
	end *planEnd

	// The versions and changesets that acknowledged operations made. A pending operation made none of these.
	versions   map[int64]bool
	changesets map[string]bool
}

func newPlanModel(end *planEnd) *planModel {
	return &planModel{end, make(map[int64]bool), make(map[string]bool)}
}

// hear registers the answer of an operation. All answers are registered before the first step.
func (m *planModel) hear(o *operation) {
	switch {
	case o.answer.Outcome != OK:
	case o.Kind == MovePlan:
		m.versions[o.answer.Plan.Version] = true
	case o.Kind == StartChangeset:
		m.changesets[o.answer.ID] = true
	}
}

// step returns whether an operation can come next in a state, and the state after it. A pending operation can come where
// it has an effect, or after everything else, where it has none.
func (m *planModel) step(s planState, o *operation) (bool, planState) {
	if o.answer.Outcome.pending() {
		if s.over {
			return true, s
		}
		next, outcome := m.apply(s, o)
		return outcome == OK && next != s && !m.anothers(s, next), next
	}
	if o.answer.Outcome == Conflict {
		return lostTo(s, o), s
	}
	next, outcome := m.apply(s, o)
	switch {
	case outcome != o.answer.Outcome:
		return false, s
	case outcome == OK:
		return m.agrees(next, o), next
	}
	return o.answer.Found == "" || o.answer.Found == s.at.String(), s
}

// anothers reports whether the difference of two states was made by an acknowledged operation.
func (m *planModel) anothers(s, next planState) bool {
	return next.version > s.version && m.versions[next.version] ||
		next.changesets > s.changesets && m.changesets[m.end.changesets[s.changesets].ID]
}

// lostTo reports whether a state can be the one that a conflict names: it comes after the version that was held, which is
// the version that the caller named, if it named one. Whether the command would be allowed does not matter.
func lostTo(s planState, o *operation) bool {
	a := o.answer
	return a.Found == s.at.String() && a.Version == s.version && a.Held < s.version && (o.IfVersion == 0 || o.IfVersion == a.Held)
}

// apply returns the effect and the outcome of an operation. Wrong means that it cannot come here.
func (m *planModel) apply(s planState, o *operation) (planState, Outcome) {
	switch {
	case o.Kind == UseAction && s.version > 0:
		return s, Wrong
	case o.Kind == UseAction:
		return planState{version: 1, at: start(), attempt: 1}, OK
	case s.version == 0:
		return s, NotFound
	}
	next := s
	switch o.Kind {
	case MovePlan:
		return m.move(s, o)
	case StartChangeset:
		if s.at.State.Terminal() {
			return s, Finished
		}
		if s.changesets == len(m.end.changesets) || !m.full(s) {
			return s, Wrong // no changeset can start here
		}
		next.changesets, next.open, next.entries = s.changesets+1, true, 0
	case RecordChange:
		if s.at.State.Terminal() {
			return s, Finished
		}
		if !s.open {
			return s, NoChangeset
		}
		entries := m.end.changesets[s.changesets-1].Entries
		if s.entries == len(entries) || entries[s.entries] != o.label() {
			return s, Wrong // another entry comes first, or this one is not there at the end
		}
		next.entries++
	case FinishChangeset:
		n := m.end.nth(o.Changeset)
		if n == 0 || n > s.changesets {
			return s, NotFound
		}
		next.open = s.open && n != s.changesets
	}
	return next, OK
}

// full reports whether the newest changeset has all its entries, as it must before a newer one is started.
func (m *planModel) full(s planState) bool {
	return s.changesets == 0 || s.entries == len(m.end.changesets[s.changesets-1].Entries)
}

// move applies a transition.
func (m *planModel) move(s planState, o *operation) (planState, Outcome) {
	if o.IfVersion != 0 && o.IfVersion != s.version {
		return s, Conflict
	}
	to, err := sequential.Follow(o.Command, s.at)
	switch {
	case errors.Is(err, lifecycle.ErrInvalidTransition):
		return s, InvalidTransition
	case errors.Is(err, lifecycle.ErrNotReady):
		return s, NotReady
	case err != nil:
		return s, plainOutcome(err)
	}
	if o.Command == lifecycle.CommandRevert && s.reversions == lifecycle.MaxReversions {
		return s, ReversionLimit
	}
	next := s
	next.version, next.at = s.version+1, to
	switch {
	case blames(o.Command):
		next.message = o.label()
	case o.Command == lifecycle.CommandResume:
		next.attempt, next.message = s.attempt+1, ""
	case o.Command == lifecycle.CommandRevert:
		next.attempt, next.message, next.reversions = s.attempt+1, "", s.reversions+1
	}
	return next, OK
}

// agrees reports whether a successful operation has returned the state.
func (m *planModel) agrees(s planState, o *operation) bool {
	switch {
	case o.answer.Plan != nil:
		return *o.answer.Plan == m.view(s)
	case o.Kind == StartChangeset, o.Kind == RecordChange:
		return o.answer.ID == m.end.changesets[s.changesets-1].ID
	case o.Kind == ListChangesets:
		return m.agreesList(s, o.answer.Changesets)
	}
	return true
}

// view returns the view of a plan in a state.
func (m *planModel) view(s planState) planView {
	v := planView{
		ID: m.end.ID, Label: m.end.Label, Action: m.end.Action, Version: s.version, At: s.at.String(),
		Attempt: s.attempt, Reversions: s.reversions, Message: s.message,
	}
	if s.changesets > 0 {
		v.Changeset = m.end.changesets[s.changesets-1].ID
	}
	return v
}

// agreesList reports whether a listing of changesets shows a state.
func (m *planModel) agreesList(s planState, got []changesetView) bool {
	if len(got) != s.changesets {
		return false
	}
	for i, c := range got {
		want := m.end.changesets[i]
		entries, open := want.Entries, false
		if i == s.changesets-1 {
			entries, open = entries[:s.entries], s.open
		}
		if c.ID != want.ID || c.Open != open || !slices.Equal(c.Entries, entries) {
			return false
		}
	}
	return true
}
