package model

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// Model is a short sequential model of package lifecycle, made of maps. Its methods are the service's. Each takes the
// time of the call and returns what the service must return, with an error that is, or wraps, the sentinel that the
// service's must match. Identifiers, which only the service knows, are missing in what UseAction returns, and
// StartChangeset returns only an error; the caller supplies them with AddPlan and AddChangeset.
//
// Results may share memory with the model and must not be changed. A Model must be used by one goroutine only.
type Model struct {
	actions    map[lifecycle.Name]lifecycle.Action
	plans      map[string]lifecycle.Plan
	changesets map[string][]lifecycle.Changeset // by plan, oldest first
}

// New returns the model of an empty store.
func New() *Model {
	return &Model{
		actions:    make(map[lifecycle.Name]lifecycle.Action),
		plans:      make(map[string]lifecycle.Plan),
		changesets: make(map[string][]lifecycle.Changeset),
	}
}

// Clone returns an independent copy of the model.
func (m *Model) Clone() *Model {
	c := &Model{maps.Clone(m.actions), maps.Clone(m.plans), make(map[string][]lifecycle.Changeset, len(m.changesets))}
	for plan, all := range m.changesets {
		all = slices.Clone(all)
		for i := range all {
			all[i].Entries = slices.Clip(all[i].Entries) // entries are only ever appended
		}
		c.changesets[plan] = all
	}
	return c
}

// Agree reports whether an error of the service agrees with the model's: both are nil, or the service's matches exactly
// one kind of error, which the model's matches too.
func Agree(got, want error) bool {
	if got == nil || want == nil {
		return got == nil && want == nil
	}
	matched := Kinds(got)
	return len(matched) == 1 && errors.Is(want, matched[0])
}

// Kinds returns the kinds of error, among those that a caller can act on, that err matches.
func Kinds(err error) []error {
	return slices.DeleteFunc([]error{
		lifecycle.ErrInvalid, lifecycle.ErrNotFound, lifecycle.ErrAlreadyExists, lifecycle.ErrArchived, lifecycle.ErrInvalidTransition,
		lifecycle.ErrNotReady, lifecycle.ErrReversionLimit, lifecycle.ErrConflict, lifecycle.ErrNoActiveChangeset, lifecycle.ErrFinished, lifecycle.ErrUnapplied, lifecycle.ErrReferred,
		lifecycle.ErrUnsupportedURL, lifecycle.ErrNewerSchema, lifecycle.ErrBusy, lifecycle.ErrClosed,
	}, func(kind error) bool { return !errors.Is(err, kind) })
}

// CreateAction adds an action.
func (m *Model) CreateAction(spec lifecycle.ActionSpec, now time.Time) (lifecycle.Action, error) {
	name, err := lifecycle.ParseName(spec.Name)
	arguments, ok := declared(spec.Arguments)
	texts := []string{
		spec.Description, spec.DefinitionOfDone, spec.Actors.Strategy, spec.Actors.Execution,
		spec.Actors.Estimation, spec.Actors.Review, spec.Actors.Apply, spec.Actors.Invariant,
	}
	if err != nil || !ok || !allStorable(texts...) || spec.Actors.Strategy == "" || spec.Actors.Execution == "" {
		return lifecycle.Action{}, lifecycle.ErrInvalid
	}
	if _, taken := m.actions[name]; taken {
		return lifecycle.Action{}, lifecycle.ErrAlreadyExists
	}
	m.actions[name] = lifecycle.Action{
		Name: name, Description: spec.Description, DefinitionOfDone: spec.DefinitionOfDone, Actors: spec.Actors,
		Arguments: arguments, Reusable: spec.Reusable, ReadOnly: spec.ReadOnly,
		State: lifecycle.ActionAvailable, CreatedAt: stored(now), UpdatedAt: stored(now),
	}
	return m.actions[name], nil
}

// GetAction returns an action.
func (m *Model) GetAction(name string) (lifecycle.Action, error) {
	n, err := lifecycle.ParseName(name)
	if err != nil {
		return lifecycle.Action{}, lifecycle.ErrInvalid
	}
	a, ok := m.actions[n]
	if !ok {
		return lifecycle.Action{}, lifecycle.ErrNotFound
	}
	return a, nil
}

// ArchiveAction makes an action unavailable.
func (m *Model) ArchiveAction(name string, now time.Time) (lifecycle.Action, error) {
	a, err := m.GetAction(name)
	if err == nil && a.State == lifecycle.ActionArchived {
		err = lifecycle.ErrArchived
	}
	if err != nil {
		return lifecycle.Action{}, err
	}
	a.State, a.UpdatedAt = lifecycle.ActionArchived, stored(now)
	m.actions[a.Name] = a
	return a, nil
}

// DeleteAction deletes an action from which no plan exists.
func (m *Model) DeleteAction(name string) error {
	a, err := m.GetAction(name)
	if err != nil {
		return err
	}
	for _, p := range m.plans {
		if p.Action == a.Name {
			return lifecycle.ErrReferred
		}
	}
	delete(m.actions, a.Name)
	return nil
}

// ListActions returns all actions, ordered by name.
func (m *Model) ListActions() []lifecycle.Action {
	return slices.SortedFunc(maps.Values(m.actions), func(a, b lifecycle.Action) int {
		return cmp.Compare(a.Name.String(), b.Name.String())
	})
}

// UseAction returns the plan that a use of an action makes, without its identifier. If several things are wrong, the
// error joins them all, because the service may return any of them.
func (m *Model) UseAction(name string, opts lifecycle.UseOptions, now time.Time) (lifecycle.Plan, error) {
	a, err := m.GetAction(name)
	if err != nil {
		return lifecycle.Plan{}, err
	}
	p := lifecycle.Plan{
		ParentID: opts.ParentID, Attempt: 1, Name: a.Name, Action: a.Name,
		Description: cmp.Or(opts.Description, a.Description), DefinitionOfDone: a.DefinitionOfDone, Profile: opts.Profile,
		Projects: append([]lifecycle.ProjectLink(nil), opts.Projects...),
		Phase:    lifecycle.PhaseStrategize, State: lifecycle.StateQueued, Version: 1,
		CreatedAt: stored(now), UpdatedAt: stored(now),
	}
	values, ok := given(a.Arguments, opts.Arguments)
	p.Arguments = values
	if !ok || !allStorable(opts.ParentID, opts.Description, opts.Profile) || !linkable(opts.Projects) {
		err = lifecycle.ErrInvalid
	}
	if opts.Name != "" {
		var bad error
		if p.Name, bad = lifecycle.ParseName(opts.Name); bad != nil {
			err = lifecycle.ErrInvalid
		}
	}
	if a.State == lifecycle.ActionArchived {
		err = errors.Join(err, lifecycle.ErrArchived)
	}
	if opts.ParentID != "" {
		parent, ok := m.plans[opts.ParentID]
		if p.RootID = parent.RootID; !ok {
			err = errors.Join(err, lifecycle.ErrNotFound)
		}
	}
	return p, err
}

// AddPlan stores a plan from UseAction under its identifier, and counts the use. It returns the plan with its root.
func (m *Model) AddPlan(p lifecycle.Plan, id string) lifecycle.Plan {
	p.ID, p.RootID = id, cmp.Or(p.RootID, id)
	m.plans[id] = p
	a := m.actions[p.Action]
	a.Uses++
	a.UpdatedAt = p.CreatedAt
	if !a.Reusable {
		a.State = lifecycle.ActionArchived
	}
	m.actions[p.Action] = a
	return p
}

// linkable reports whether projects can be linked to a plan: each has a normalised name, and no two the same.
func linkable(links []lifecycle.ProjectLink) bool {
	seen := make(map[lifecycle.Name]bool)
	for _, link := range links {
		name, err := lifecycle.ParseName(link.Name.String())
		if err != nil || name != link.Name || seen[name] || !storable(link.Alias) {
			return false
		}
		seen[name] = true
	}
	return true
}

// storable reports whether every database stores a text unchanged: valid UTF-8 without NUL.
func storable(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }

func allStorable(texts ...string) bool {
	return !slices.ContainsFunc(texts, func(s string) bool { return !storable(s) })
}

// stored returns a time as every database stores it.
func stored(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }
