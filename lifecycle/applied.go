package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// Change is one change of a plan, with its number among all changes of the plan.
type Change struct {
	Number      int    // from 1, in the order of commits
	ChangesetID string // the changeset in which it was recorded
	Entry
}

// Changes returns the plan's changes in the order in which they were committed, across its
// changesets: a consistent snapshot. The number of a change never changes. The error matches
// [ErrNotFound] if there is no such plan.
func (c *ExecutionContext) Changes(ctx context.Context) ([]Change, error) {
	changesets, err := c.Changesets(ctx)
	if err != nil {
		return nil, err
	}
	var all []Change
	for _, set := range changesets { // a changeset gets no more entries once there is a newer one
		for _, e := range set.Entries {
			all = append(all, Change{len(all) + 1, set.ID, e})
		}
	}
	return all, nil
}

// Apply applies the changes of a plan. It starts the apply phase, which only one of several
// concurrent callers can do; calls bring for each change that is not yet applied, in the order in
// which they were committed; and completes the phase. Changes recorded meanwhile are brought too,
// because the store refuses to complete the phase while a change is not applied. Afterwards
// [Plan].Applied says how many were applied.
// If bring fails, or the context ends, Apply fails the phase, records how many changes were
// brought, and returns the error. After a [Service.Resume] the next Apply continues with the change
// that failed. A worker that dies, whose bring panics, or that cannot record how far it has come,
// leaves the plan in processing, and may have brought changes that the plan does not count as
// applied: so bring must recognise a change that it has brought before.
//
// The error is bring's, the context's, or one of [Service.Transition]. A nil bring is refused.
func (c *ExecutionContext) Apply(ctx context.Context, bring func(context.Context, Change) error) (Plan, error) {
	if bring == nil {
		return Plan{}, invalid("bring", "", "is nil")
	}
	p, err := c.service.Transition(ctx, c.request(CommandStartApply))
	if err != nil {
		return Plan{}, err
	}
	applied := p.Applied
	for {
		applied, err = c.bringFrom(ctx, applied, bring)
		if err != nil {
			return Plan{}, errors.Join(err, c.failApply(ctx, applied, err))
		}
		r := c.request(CommandCompleteApply)
		r.Applied = &applied
		p, err = c.service.Transition(ctx, r)
		switch {
		case errors.Is(err, ErrUnapplied): // more was recorded
		case err != nil && errors.Is(err, ctx.Err()) && !errors.Is(err, ErrOutcomeUnknown):
			return Plan{}, errors.Join(err, c.failApply(ctx, applied, err))
		default:
			return p, err
		}
	}
}

// bringFrom brings the changes after the first applied ones, and returns how many are applied then.
func (c *ExecutionContext) bringFrom(ctx context.Context, applied int, bring func(context.Context, Change) error) (int, error) {
	all, err := c.Changes(ctx)
	if err != nil {
		return applied, err
	}
	for _, change := range all[applied:] {
		if err := ctx.Err(); err != nil {
			return applied, fmt.Errorf("lifecycle: plan %s: %d of %d changes applied: %w", c.planID, applied, len(all), err)
		}
		if err := bring(ctx, change); err != nil {
			return applied, fmt.Errorf("lifecycle: plan %s: apply change %d of %d: %w", c.planID, change.Number, len(all), err)
		}
		applied = change.Number
	}
	return applied, nil
}

// lastWords is how long an Apply whose context has ended may take to record how far it has come.
const lastWords = 5 * time.Second

// longestReason bounds the error message that a plan keeps, in bytes.
const longestReason = 4096

// failApply fails the apply phase and records how many changes were applied.
func (c *ExecutionContext) failApply(ctx context.Context, applied int, why error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer cancel()
	r := c.request(CommandFailApply)
	r.Reason, r.Applied = storable(why.Error(), longestReason), &applied
	_, err := c.service.Transition(ctx, r)
	return err
}

func (c *ExecutionContext) request(command Command) Request {
	return Request{PlanID: c.planID, Command: command, Fence: c.fence}
}

// storable returns s without NUL and invalid UTF-8, shortened to limit bytes.
func storable(s string, limit int) string {
	return faults.Shorten(strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "\uFFFD"), limit)
}
