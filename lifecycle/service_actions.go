package lifecycle

import (
	"context"
	"errors"
)

// CreateAction adds an action, available from then on. Of any number of calls
// with names that are equal once normalised, one succeeds.
//
// The error matches [ErrInvalid] or [ErrAlreadyExists], or is one that every
// method can return: see [Service].
func (s *Service) CreateAction(ctx context.Context, spec ActionSpec) (Action, error) {
	if err := s.enter(ctx); err != nil {
		return Action{}, err
	}
	a, err := spec.action()
	if err != nil {
		return Action{}, err
	}
	if a.CreatedAt, err = s.now(); err != nil {
		return Action{}, err
	}
	a.UpdatedAt = a.CreatedAt
	err = s.store.insertAction(ctx, a)
	s.forgetAction(a.Name)
	if err != nil {
		return Action{}, err
	}
	s.logger.InfoContext(ctx, "action created", "action", a.Name.String())
	return a, nil
}

// GetAction returns an action. The name is normalised first. The error matches
// [ErrInvalid] or [ErrNotFound].
func (s *Service) GetAction(ctx context.Context, name string) (Action, error) {
	n, err := s.enterNamed(ctx, name)
	if err != nil {
		return Action{}, err
	}
	return s.store.action(ctx, n)
}

// ListActions returns all actions by name, archived ones included: a
// consistent snapshot.
func (s *Service) ListActions(ctx context.Context) ([]Action, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	return s.store.actions(ctx)
}

// ArchiveAction makes an available action unavailable for good. Plans made
// from it go on. Of any number of calls one succeeds: the error of the others
// matches [ErrArchived]. It can also match [ErrInvalid] or [ErrNotFound].
func (s *Service) ArchiveAction(ctx context.Context, name string) (Action, error) {
	n, err := s.enterNamed(ctx, name)
	if err != nil {
		return Action{}, err
	}
	now, err := s.now()
	if err != nil {
		return Action{}, err
	}
	a, err := s.store.archiveAction(ctx, n, now)
	s.forgetAction(n)
	if err != nil {
		return Action{}, err
	}
	s.logger.InfoContext(ctx, "action archived", "action", a.Name.String())
	return a, nil
}

// enterNamed is enter for a method about an action.
func (s *Service) enterNamed(ctx context.Context, name string) (Name, error) {
	if err := s.enter(ctx); err != nil {
		return Name{}, err
	}
	return ParseName(name)
}

// UseOptions says what is to become of an action that is used. The zero value
// makes a root plan with the action's own name and no arguments.
type UseOptions struct {
	Name        string            // of the plan, see [ParseName]; empty for the action's
	Description string            // of the plan; empty for the action's
	ParentID    string            // the plan that makes this one; empty for a root
	Profile     string            // the automation profile; fixed from then on
	Arguments   map[string]string // values by the name of the argument
	Projects    []ProjectLink     // what the plan works on
}

// UseAction makes a plan from an available action, at strategize/queued, and
// counts the use; both happen or neither. An action that is not reusable is
// archived by its first use: of any number of calls one succeeds.
//
// The error matches [ErrInvalid], [ErrNotFound] for the action or the parent,
// [ErrArchived], or [ErrAlreadyExists] if the entropy repeats itself.
func (s *Service) UseAction(ctx context.Context, name string, opts UseOptions) (Plan, error) {
	n, err := s.enterNamed(ctx, name)
	if err != nil {
		return Plan{}, err
	}
	for {
		p, err := s.useAction(ctx, n, opts)
		if !errors.Is(err, errRedefined) {
			return p, err
		}
		if err := s.enter(ctx); err != nil {
			return Plan{}, err
		}
	}
}

// errRedefined says that an action was deleted, and another one of its name
// created, since it was read.
var errRedefined = errors.New("lifecycle: the action is another one now")

// useAction makes a plan of the action that is found, if it is still the same
// when the plan is put down.
func (s *Service) useAction(ctx context.Context, n Name, opts UseOptions) (Plan, error) {
	a, err := s.store.action(ctx, n)
	if err != nil {
		return Plan{}, err
	}
	p, err := newPlan(a, opts)
	if err != nil {
		return Plan{}, err
	}
	if p.CreatedAt, err = s.now(); err != nil {
		return Plan{}, err
	}
	p.UpdatedAt = p.CreatedAt
	if p.ID, err = s.ids.Next(p.CreatedAt); err != nil {
		return Plan{}, err
	}
	id := p.ID
	p, err = s.store.insertPlan(ctx, p, a)
	s.forgetAction(n)
	s.forgetPlan(id)
	if err != nil {
		return Plan{}, err
	}
	s.changed(ctx, CommandUseAction, Position{PhaseAction, State(ActionAvailable)}, p)
	return p, nil
}

// newPlan returns the plan that using an action makes, but for what only the
// service knows.
func newPlan(a Action, opts UseOptions) (Plan, error) {
	p := Plan{
		ParentID: opts.ParentID, Attempt: 1,
		Name: a.Name, Action: a.Name,
		Description: a.Description, DefinitionOfDone: a.DefinitionOfDone,
		Profile:  opts.Profile,
		Projects: append([]ProjectLink(nil), opts.Projects...),
		Phase:    PhaseStrategize, State: StateQueued, Version: 1,
	}
	if opts.Description != "" {
		p.Description = opts.Description
	}
	if err := checkSize("plan", opts.size()); err != nil {
		return Plan{}, err
	}
	err := checkTexts(text{"parent", opts.ParentID}, text{"profile", opts.Profile}, text{"description", opts.Description})
	if err != nil {
		return Plan{}, err
	}
	if opts.Name != "" {
		if p.Name, err = ParseName(opts.Name); err != nil {
			return Plan{}, err
		}
	}
	if err := checkProjects(p.Projects); err != nil {
		return Plan{}, err
	}
	p.Arguments, err = argumentValues(a.Arguments, opts.Arguments)
	return p, err
}
