package lifecycle

import "github.com/jacquard-go/jacquard/lifecycle/internal/domain"

// Plan is a snapshot of one plan: a value of its own, which nothing changes
// behind its owner's back and which may be changed without effect on the
// service. Its times are in UTC, to the microsecond.
//
// ID is a ULID. ParentID is the plan that made this one; empty for a root. RootID is
// the root of the tree of plans; the plan's own ID for a root. Attempt is 1 at first,
// one more after each resume and revert.
//
// Name and Description are the plan's own, or those of its Action. DefinitionOfDone
// is the action's. Profile, the automation profile, is fixed once the plan exists.
// Arguments has every declared argument that has a value, by name. Projects is what
// it works on.
//
// Phase and State are where the plan is; its method Position returns the two
// together. Version is 1 at first, one more after each transition. Archived says that
// it was finished and then put away, see [Service.ArchivePlan]. Claim is the last one;
// its Fence is 0 if there was none.
//
// ChangesetID is the newest changeset of the plan; empty if none was started. Applied
// is how many of its changes are applied: the first so many, see
// [ExecutionContext.Changes]. SandboxRefs are those of the last start_execute.
// DecisionRootID is what the strategy decided; free form.
//
// ErrorMessage says why the last phase errored, was constrained or was cancelled.
// ErrorDetails are by free key, as the failing worker gave them. LastCompletedStep is
// how far the last phase got, for a resume; 0 if unknown. Reversions are oldest
// first, at most [MaxReversions].
//
// CreatedAt is when the plan was made, UpdatedAt the time of its last transition,
// FinishedAt when a terminal state was reached; zero before.
type Plan = domain.Plan

// ProjectLink ties a plan to a project that it works on: its Name; the Alias that
// the plan calls it by, empty for its own name; and ReadOnly if the plan may look and
// not change.
type ProjectLink = domain.ProjectLink

// Reversion records that a plan was sent back: From which position, To which, for
// what Reason, and At which time.
type Reversion = domain.Reversion

// PlanFilter says which plans are wanted: those that have everything that is set.
// The zero value wants all that are not archived.
//
// Phase, State and Action are the plan's; ParentID is the plan that made it. Archived
// wants those also that are archived. After
// wants only those with a greater identifier, so those made later: the last one of
// the page before. Limit wants the first so many of them; 0 all.
type PlanFilter = domain.PlanFilter

// Claim is the right to work on a plan for a time. While it lasts, commands and
// changes of the plan that do not carry its Fence are refused with a
// [*ClaimedError] that names the holder; only [CommandCancel] needs none. When it
// is over, by its time, by [Service.Release] or because another worker has
// claimed the plan since, everything that still carries its Fence is refused. So
// a worker that hangs and wakes up late can do no harm, however long it hung and
// whatever its own clock says.
//
// The time is counted by the database: on PostgreSQL by the server's clock, on
// SQLite by that of the machine, in memory by one that does not jump.
// Config.Clock has no part in it. A clock that jumps can end a claim early or
// late, and never has two workers accepted at once: of two claims one has the
// greater Fence, and only that counts.
//
// PlanID is the plan. Holder is as given; in a [Plan] it is empty if nobody has it
// since it was released. Fence is 1 for the first claim of a plan, one more for each
// later one. ExpiresAt is by the clock of the database. Its method Request returns a
// request, for a command, that carries the claim.
type Claim = domain.Claim

// ClaimedError says that a plan is not the caller's to change: somebody else has
// claimed it, or the claim that he carries is over. Claim is the last one of the
// plan, Yours the fence that the caller carried; 0 for none.
type ClaimedError = domain.ClaimedError

// Operation is what a change did to a path.
type Operation = domain.Operation

// The operations.
const (
	OperationCreate = domain.OperationCreate
	OperationModify = domain.OperationModify
	OperationDelete = domain.OperationDelete
	OperationMove   = domain.OperationMove
)

// Entry is one change that a plan made: the Operation; the Path where the change is,
// after a move where the thing is now; MovedFrom, for a move where it was, optional,
// and empty for the rest; BeforeHash of the content before, empty for a create;
// AfterHash of the content after, empty for a delete; and At, in UTC, to the
// microsecond, zero to have the service's clock fill it in.
type Entry = domain.Entry

// Changeset is a snapshot of one changeset of a plan.
//
// A plan has at most one changeset that is open, always its newest: starting
// one closes the one before it. Finishing closes it too.
//
// ID is a ULID, PlanID the plan. Entries are in the order in which they were
// committed. StartedAt and FinishedAt, which is zero while it is open, are times of
// the service's clock. Its method Open reports whether changes are being recorded in it.
type Changeset = domain.Changeset

// UnappliedError says that an apply was to end with other changes applied than
// the plan has. Nothing was changed. PlanID is the plan, Applied what the caller said,
// Least what it has to be at least, and Recorded at most: the changes that the plan
// has.
type UnappliedError = domain.UnappliedError
