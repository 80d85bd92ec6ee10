package lifecycle

import (
	"context"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

// ExecutionContext records what the execution of one plan changes. It holds only the plan's
// identifier and the fence of a claim. Only the store knows which changeset is open, so any number
// of contexts of one plan, in any number of processes, agree about it.
//
// An ExecutionContext is safe for concurrent use.
type ExecutionContext struct {
	service *Service
	planID  string
	fence   int64 // of the claim that it carries; 0 for none
}

// ExecutionContext returns a context for recording changes of a plan. The plan's existence is
// checked only when the context is used.
func (s *Service) ExecutionContext(planID string) *ExecutionContext {
	return &ExecutionContext{service: s, planID: planID}
}

// Under returns a context for the changes of the same plan that carries a claim. A claimed plan
// refuses changes that do not carry its claim.
func (c *ExecutionContext) Under(claim Claim) *ExecutionContext {
	return &ExecutionContext{c.service, c.planID, claim.Fence}
}

// enter begins a method that changes the plan.
func (c *ExecutionContext) enter(ctx context.Context) error {
	if err := c.service.enter(ctx); err != nil {
		return err
	}
	return c.check()
}

// check refuses an identifier or a fence that no plan has.
func (c *ExecutionContext) check() error {
	if err := checkID(KindPlan, c.planID); err != nil {
		return err
	}
	return checkFence(c.fence)
}

// PlanID returns the identifier of the plan.
func (c *ExecutionContext) PlanID() string { return c.planID }

// StartChangeset closes the plan's open changeset, if it has one, opens a new one and returns its
// identifier, all in one step. Once any caller can see the new changeset, because StartChangeset
// has returned or because it is listed, nothing more is recorded in an older one.
//
// The error matches [ErrNotFound] for the plan, [ErrFinished], [ErrClaimed], or [ErrAlreadyExists]
// if Config.Entropy repeats itself.
func (c *ExecutionContext) StartChangeset(ctx context.Context) (string, error) {
	s := c.service
	if err := c.enter(ctx); err != nil {
		return "", err
	}
	now, err := s.now()
	if err != nil {
		return "", err
	}
	id, err := s.ids.Next(now)
	if err != nil {
		return "", err
	}
	err = s.store.startChangeset(ctx, c.planID, id, now, c.fence)
	s.forgetPlan(c.planID)
	if err != nil {
		return "", err
	}
	s.logger.InfoContext(ctx, "changeset started", "plan", c.planID, "changeset", id)
	return id, nil
}

// RecordChange adds an entry to the plan's open changeset and returns the changeset's identifier.
// Finding the changeset and adding to it are one step.
//
// The error matches [ErrNoActiveChangeset] if none is open, [ErrFinished] for a
// plan that is applied or cancelled, [ErrClaimed], [ErrNotFound] for the plan, or
// [ErrInvalid].
func (c *ExecutionContext) RecordChange(ctx context.Context, entry Entry) (string, error) {
	s := c.service
	if err := s.enter(ctx); err != nil {
		return "", err
	}
	if err := domain.CheckEntry(entry); err != nil {
		return "", err
	}
	if err := c.check(); err != nil {
		return "", err
	}
	var err error
	if entry.At.IsZero() {
		entry.At, err = s.now()
	} else {
		entry.At, err = storedTime("at", entry.At, 1)
	}
	if err != nil {
		return "", err
	}
	return s.store.recordChange(ctx, c.planID, entry, c.fence)
}

// FinishChangeset closes a changeset of the plan. A changeset that is already closed, because it
// was finished or a newer one was started, stays as it is.
//
// The error matches [ErrNotFound] if the plan has no such changeset, or
// [ErrClaimed].
func (c *ExecutionContext) FinishChangeset(ctx context.Context, id string) error {
	s := c.service
	if err := c.enter(ctx); err != nil {
		return err
	}
	if err := checkID(KindChangeset, id); err != nil {
		return err
	}
	now, err := s.now()
	if err != nil {
		return err
	}
	if err := s.store.finishChangeset(ctx, c.planID, id, now, c.fence); err != nil {
		return err
	}
	s.logger.InfoContext(ctx, "changeset finished", "plan", c.planID, "changeset", id)
	return nil
}

// Changesets returns the plan's changesets, oldest first, with their entries
// in the order in which they were committed: a consistent snapshot. The error
// matches [ErrNotFound] for the plan.
func (c *ExecutionContext) Changesets(ctx context.Context) ([]Changeset, error) {
	if err := c.service.enterPlan(ctx, c.planID); err != nil {
		return nil, err
	}
	return c.service.store.changesets(ctx, c.planID)
}
