package lifecycle

import (
	"context"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/events"
	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
)

// What the stores on databases run their statements on, and what answers.
type (
	session = engine.Session
	row     = statements.Row
)

// reads is what can be read of actions and plans.
type reads interface {
	// action returns an action, or a NotFoundError.
	action(ctx context.Context, name Name) (Action, error)
	// actions returns all actions by name: one state of the store.
	actions(ctx context.Context) ([]Action, error)
	// plan returns a plan, or a NotFoundError.
	plan(ctx context.Context, id string) (Plan, error)
	// plans returns the plans that are not archived by identifier: one state of
	// the store.
	plans(ctx context.Context) ([]Plan, error)
}

// store keeps actions, plans and changesets. There is one in memory, in
// memory_store.go, and one for each kind of database: database_store.go with
// sqlite_store.go or postgres_store.go. The conformance tests run against all.
//
// Every method is atomic and takes its place in one order of all of them, in
// which a method that begins after another has returned comes later. Whoever
// calls from whatever process sees the same order. Values go in and come out
// by value, and share nothing with the store afterwards.
type store interface {
	reads

	// insertAction adds an action, or fails with an AlreadyExistsError.
	insertAction(ctx context.Context, a Action) error
	// archiveAction makes an available action unavailable. It fails with a
	// NotFoundError or an ArchivedError.
	archiveAction(ctx context.Context, name Name, at time.Time) (Action, error)

	// deleteAction deletes an action. It fails with a NotFoundError, or with a
	// ReferredError if there is a plan of it.
	deleteAction(ctx context.Context, name Name) error

	// insertPlan counts a use of an available action and adds a plan of it,
	// both or neither. It fails with errRedefined unless the action is like the one
	// that the plan was made of. It archives an action that is not reusable, and
	// fills in the plan's root from its parent. It fails with a NotFoundError for the
	// action or the parent, an ArchivedError, or an AlreadyExistsError.
	insertPlan(ctx context.Context, p Plan, of Action) (Plan, error)
	// findPlans returns the plans that a filter wants by identifier: one state
	// of the store.
	findPlans(ctx context.Context, f PlanFilter) ([]Plan, error)
	// swapPlan replaces a plan if it still has the version held. If not, it
	// changes nothing and returns the plan that is there and false. The plan
	// returned otherwise is the new one.
	//
	// This and what changes changesets carry the fence of a claim, 0 for none,
	// or AnyFence of package domain. They fail with a ClaimedError if it is not the one that
	// stands. A terminal state ends the claim.
	swapPlan(ctx context.Context, next Plan, held, fence int64) (Plan, bool, error)
	// deletePlan deletes a plan, with its changesets and its claim, and returns
	// how it was. It fails with a NotFoundError, with a ReferredError if there is a
	// plan of which it is the parent, or with a ClaimedError.
	deletePlan(ctx context.Context, planID string, fence int64) (Plan, error)
	// claimPlan gives a plan that nobody has to a holder. It fails with a
	// NotFoundError, a FinishedError or a ClaimedError.
	claimPlan(ctx context.Context, planID, holder string, ttl time.Duration) (Claim, error)
	// renewClaim makes a claim that is not over last for longer. It fails with a
	// NotFoundError or a ClaimedError.
	renewClaim(ctx context.Context, c Claim, ttl time.Duration) (Claim, error)
	// releaseClaim ends a claim, unless there is a later one. It fails with a
	// NotFoundError or a ClaimedError.
	releaseClaim(ctx context.Context, c Claim) error

	// startChangeset closes the open changeset of a plan, if there is one, and
	// opens a new one, at once. It fails with a NotFoundError for the plan or
	// an AlreadyExistsError, and like the next with a FinishedError.
	startChangeset(ctx context.Context, planID, id string, at time.Time, fence int64) error
	// recordChange adds an entry to the open changeset of a plan and returns
	// its identifier: which one is open is decided in the same step. It fails
	// with a NotFoundError for the plan, or with ErrNoActiveChangeset.
	recordChange(ctx context.Context, planID string, entry Entry, fence int64) (string, error)
	// finishChangeset closes a changeset of a plan. One that is closed stays
	// as it is. It fails with a NotFoundError.
	finishChangeset(ctx context.Context, planID, id string, at time.Time, fence int64) error
	// changesets returns the changesets of a plan, oldest first: one state of
	// the store. It fails with a NotFoundError for the plan.
	changesets(ctx context.Context, planID string) ([]Changeset, error)

	// events is where what has happened to plans is kept.
	events() events.Store

	// close releases what the store holds. It is called once, and other
	// methods may be under way.
	close() error
}
