package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// Change is one change of a plan, with its place among all of them.
type Change struct {
	Number      int    // 1 for the first change of the plan, one more for each that was committed after it
	ChangesetID string // in which it was recorded
	Entry
}

// Changes returns the plan's changes in the order in which they were committed,
// across its changesets: a consistent snapshot. A change keeps its number for
// ever. The error matches [ErrNotFound] for the plan.
func (c *ExecutionContext) Changes(ctx context.Context) ([]Change, error) {
	changesets, err := c.Changesets(ctx)
	if err != nil {
		return nil, err
	}
	var all []Change
	for _, set := range changesets { // a changeset gets no more once there is a newer one
		for _, e := range set.Entries {
			all = append(all, Change{len(all) + 1, set.ID, e})
		}
	}
	return all, nil
}

// Apply brings the changes of a plan home. It starts the apply phase, of any
// number of callers for one; gives bring each change that is not applied yet, in
// the order in which they were committed; and completes the phase. What is
// recorded meanwhile is brought too: the step that completes is refused if there
// is a change that was not. [Plan].Applied says afterwards which were applied.
//
// If bring fails, or the context ends, the phase is failed with that error, which
// is returned, and what was brought before is written down. After a
// [Service.Resume] the next Apply goes on with the change that failed. A worker
// that dies, or cannot write down how far it has come, leaves the plan in
// processing, as ever, and may have brought changes that the plan knows nothing
// of: bring has to know a change that it has brought before.
//
// The error is bring's or the context's, or one of [Service.Transition].
func (c *ExecutionContext) Apply(ctx context.Context, bring func(context.Context, Change) error) (Plan, error) {
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
		if !errors.Is(err, ErrUnapplied) {
			return p, err
		}
	}
}

// bringFrom brings the changes after the first so many, and says how many are
// applied then.
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

// lastWords is how long an Apply whose context has ended may take to say how far
// it has come.
const lastWords = 5 * time.Second

// longestReason is how many bytes of an error a plan keeps as its message.
const longestReason = 4096

// failApply says how far an apply has come that goes no further.
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

// storable makes of any text one of at most so many bytes that can be stored.
func storable(s string, limit int) string {
	return faults.Shorten(strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "\uFFFD"), limit)
}
