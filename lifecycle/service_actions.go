package lifecycle

import (
	"context"
	"errors"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

// CreateAction adds an action, available at once. Of several concurrent calls with names that are
// equal once normalised, one succeeds.
//
// The error matches [ErrInvalid] or [ErrAlreadyExists], or is one that every
// method can return: see [Service].
func (s *Service) CreateAction(ctx context.Context, spec ActionSpec) (Action, error) {
	if err := s.enter(ctx); err != nil {
		return Action{}, err
	}
	a, err := domain.NewAction(spec)
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

// ListActions returns all actions, ordered by name, including archived ones: a consistent snapshot.
func (s *Service) ListActions(ctx context.Context) ([]Action, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	return s.store.actions(ctx)
}

// ArchiveAction makes an available action unavailable permanently. Plans made from it go on. Of
// several calls one succeeds; the error of the others matches [ErrArchived]. It can also match
// [ErrInvalid] or [ErrNotFound].
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

// enterNamed is enter for a method on an action.
func (s *Service) enterNamed(ctx context.Context, name string) (Name, error) {
	if err := s.enter(ctx); err != nil {
		return Name{}, err
	}
	return ParseName(name)
}

// UseAction makes a plan from an available action, at strategize/queued, and counts the use, both
// or neither. An action that is not reusable is archived by its first use: of several calls one
// succeeds.
//
// The error matches [ErrInvalid], [ErrNotFound] for the action or the parent, [ErrArchived], or
// [ErrAlreadyExists] if Config.Entropy repeats itself.
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

// errRedefined says that the action was deleted, and another one with its name created, since it
// was read.
var errRedefined = errors.New("lifecycle: the action is another one now")

// useAction makes a plan of the action that it reads, if the action is still the same when the plan
// is stored.
func (s *Service) useAction(ctx context.Context, n Name, opts UseOptions) (Plan, error) {
	a, err := s.store.action(ctx, n)
	if err != nil {
		return Plan{}, err
	}
	p, err := domain.NewPlan(a, opts)
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
	s.changed(ctx, CommandUseAction, Position{Phase: PhaseAction, State: State(ActionAvailable)}, p)
	return p, nil
}
