package lifecycle

import (
	"context"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/events"
	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
)

// The types with which the stores on databases run statements and read results.
type (
	session = engine.Session
	row     = statements.Row
)

// reads are the methods that read actions and plans.
type reads interface {
	// action returns an action, or a NotFoundError.
	action(ctx context.Context, name Name) (Action, error)
	// actions returns all actions, ordered by name: one state of the store.
	actions(ctx context.Context) ([]Action, error)
	// plan returns a plan, or a NotFoundError.
	plan(ctx context.Context, id string) (Plan, error)
	// plans returns the plans that are not archived, ordered by identifier: one state of the store.
	plans(ctx context.Context) ([]Plan, error)
}

// store stores actions, plans and changesets. There is one in memory, in memory_store.go, and one
// for each kind of database: database_store.go with sqlite_store.go or postgres_store.go. The
// conformance tests run against all.
//
// The methods are linearizable: every method is atomic, and all callers, in all processes, see one
// order of all calls, in which a call that begins after another has returned comes later. Arguments
// and results share no memory with the store afterwards.
type store interface {
	reads

	// insertAction adds an action, or fails with an AlreadyExistsError.
	insertAction(ctx context.Context, a Action) error
	// archiveAction makes an available action unavailable. It fails with a
	// NotFoundError or an ArchivedError.
	archiveAction(ctx context.Context, name Name, at time.Time) (Action, error)

	// deleteAction deletes an action. It fails with a NotFoundError, or with a ReferredError if a
	// plan was made from it.
	deleteAction(ctx context.Context, name Name) error

	// insertPlan counts a use of an available action and adds a plan made from it, both or neither.
	// It fails with errRedefined unless the stored action is like of, from which the plan was made.
	// It archives an action that is not reusable, and sets the plan's root from its parent. It
	// fails with a NotFoundError for the action or the parent, an ArchivedError, or an
	// AlreadyExistsError.
	insertPlan(ctx context.Context, p Plan, of Action) (Plan, error)
	// findPlans returns the plans that match a filter, ordered by identifier: one state of the
	// store.
	findPlans(ctx context.Context, f PlanFilter) ([]Plan, error)
	// swapPlan replaces a plan if it still has the version held, and returns the new plan and true.
	// Otherwise it changes nothing, and returns the present plan and false.
	//
	// This method and those that change changesets carry the fence of a claim, 0 for none, or
	// AnyFence of package domain. They fail with a ClaimedError if it is not that of the claim in
	// force. A terminal state ends the claim.
	swapPlan(ctx context.Context, next Plan, held, fence int64) (Plan, bool, error)
	// deletePlan deletes a plan, with its changesets and its claim, and returns the plan as it was.
	// It fails with a NotFoundError, with a ReferredError if the plan has subplans, or with a
	// ClaimedError.
	deletePlan(ctx context.Context, planID string, fence int64) (Plan, error)
	// claimPlan gives an unclaimed plan to a holder. It fails with a NotFoundError, a FinishedError
	// or a ClaimedError.
	claimPlan(ctx context.Context, planID, holder string, ttl time.Duration) (Claim, error)
	// renewClaim extends a claim that is in force. It fails with a NotFoundError or a ClaimedError.
	renewClaim(ctx context.Context, c Claim, ttl time.Duration) (Claim, error)
	// releaseClaim ends a claim, unless there is a later one. It fails with a
	// NotFoundError or a ClaimedError.
	releaseClaim(ctx context.Context, c Claim) error

	// startChangeset closes the open changeset of a plan, if there is one, and opens a new one, in
	// one step. It fails with a NotFoundError for the plan, an AlreadyExistsError, or, like
	// recordChange, a FinishedError.
	startChangeset(ctx context.Context, planID, id string, at time.Time, fence int64) error
	// recordChange adds an entry to the open changeset of a plan and returns the changeset's
	// identifier, all in one step. It fails with a NotFoundError for the plan, or with
	// ErrNoActiveChangeset.
	recordChange(ctx context.Context, planID string, entry Entry, fence int64) (string, error)
	// finishChangeset closes a changeset of the plan, if it is still open. It fails with a
	// NotFoundError.
	finishChangeset(ctx context.Context, planID, id string, at time.Time, fence int64) error
	// changesets returns the changesets of a plan, oldest first: one state of
	// the store. It fails with a NotFoundError for the plan.
	changesets(ctx context.Context, planID string) ([]Changeset, error)

	// events returns the store of the plans' events.
	events() events.Store

	// close releases what the store holds. It is called once, possibly while other methods are
	// under way.
	close() error
}
