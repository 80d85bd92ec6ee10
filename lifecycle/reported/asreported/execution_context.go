package asreported

import (
	"fmt"
	"slices"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/reported"
)

// PlanExecutionContext is the context of #7120 (plan_execution_context.py lines 175-190): it keeps the changesets of a plan that
// are being recorded in a list, and records into the last one.
type PlanExecutionContext struct {
	planID             string
	store              *reported.ChangesetStore
	activeChangesetIDs []string
}

// NewPlanExecutionContext returns the context of a plan, with no active changeset.
func NewPlanExecutionContext(planID string, store *reported.ChangesetStore) *PlanExecutionContext {
	return &PlanExecutionContext{planID: planID, store: store}
}

// StartChangeset starts a changeset, into which changes are recorded from now on, and returns its identifier.
func (c *PlanExecutionContext) StartChangeset() string {
	changesetID := c.store.Start(c.planID)
	c.activeChangesetIDs = append(c.activeChangesetIDs, changesetID)
	return changesetID
}

// RecordChange records a change into the most recent active changeset.
func (c *PlanExecutionContext) RecordChange(entry lifecycle.Entry) error {
	if len(c.activeChangesetIDs) == 0 {
		return fmt.Errorf("record %s: %w", entry.Path, lifecycle.ErrNoActiveChangeset)
	}
	changesetID := c.activeChangesetIDs[len(c.activeChangesetIDs)-1]
	return c.store.Record(changesetID, entry)
}

// FinishChangeset takes a changeset off the list of active ones.
func (c *PlanExecutionContext) FinishChangeset(changesetID string) error {
	i := slices.Index(c.activeChangesetIDs, changesetID)
	if i < 0 {
		return fmt.Errorf("finish %s: %w", changesetID, lifecycle.ErrNoActiveChangeset)
	}
	c.activeChangesetIDs = slices.Concat(c.activeChangesetIDs[:i], c.activeChangesetIDs[i+1:])
	return nil
}
