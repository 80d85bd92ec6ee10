package lifecycle

import "github.com/jacquard-go/jacquard/lifecycle/internal/domain"

// Plan is a snapshot of one plan. It is a copy: the service never changes it, and changing it has
// no effect on the service. Its times are in UTC, to the microsecond.
//
// ID is a ULID. ParentID is the plan that made this one; empty for a root. RootID is
// the root of the tree of plans; the plan's own ID for a root. Attempt is 1 at first,
// one more after each resume and revert.
//
// Name and Description are the plan's own, or those of its Action. DefinitionOfDone is the
// action's. Profile, the automation profile, is fixed. Arguments has every declared argument that
// has a value, by name. Projects lists the projects that the plan works on.
//
// Phase and State are the plan's position; its method Position returns the two together. Version is
// 1 at first, one more after each change that makes an event. Archived says that it was archived,
// see [Service.ArchivePlan]. Claim is the last claim; its Fence is 0 if there was none.
//
// ChangesetID is the newest changeset of the plan; empty if none was started. Applied is how many
// of its changes are applied, counted in the order of [ExecutionContext.Changes]. SandboxRefs are
// those of the last start_execute. DecisionRootID is what the strategy decided; free form.
//
// ErrorMessage says why the last phase errored, was constrained or was cancelled. ErrorDetails are
// by free key, as the failing workers gave them. LastCompletedStep is how far the last phase got,
// for a resume; 0 if unknown. Reversions are ordered oldest first, at most [MaxReversions].
//
// CreatedAt is when the plan was made, UpdatedAt the time of its last change, FinishedAt when a
// terminal state was reached; zero before.
type Plan = domain.Plan

// ProjectLink ties a plan to a project that it works on: its Name; the Alias that the plan calls it
// by, empty for its own name; and ReadOnly if the plan may read but not change it.
type ProjectLink = domain.ProjectLink

// Reversion records one revert of a plan: From which position, To which, for what Reason, and At
// which time.
type Reversion = domain.Reversion

// PlanFilter selects plans: those that match all fields that are set. The zero value selects all
// that are not archived.
//
// Phase, State and Action are the plan's; ParentID is the plan that made it. Archived includes
// archived plans. After selects plans with a greater identifier, so created later; for paging, it
// is the last one of the page before. Limit bounds their number to the first ones; 0 means all.
type PlanFilter = domain.PlanFilter

// Claim is the right to work on a plan for a time. While it lasts, commands and changes of the plan
// that do not carry its Fence are refused with a [*ClaimedError] that names the holder; only
// [CommandCancel] needs no claim. Once it is over, because it expired, was released by
// [Service.Release], or another worker has claimed the plan since, everything that still carries
// its Fence is refused. So a worker that hangs and wakes up late can do no harm, however long it
// hung and whatever its own clock says.
//
// The database measures the time: on PostgreSQL by the server's clock, on SQLite by the machine's,
// in memory by a clock that does not jump. Config.Clock is never used for it. A clock that jumps
// can end a claim early or late, but never makes two workers hold the plan at once: of two claims
// one has the greater Fence, and only that one counts.
//
// PlanID is the plan. Holder is as given; in a [Plan] it is empty if the last claim was released.
// Fence is 1 for the first claim of a plan, one more for each later one. ExpiresAt is by the clock
// of the database. Its method Request returns a request, for a command, that carries the claim.
type Claim = domain.Claim

// ClaimedError says that the caller may not change a plan: another worker has claimed it, or the
// caller's claim is over. Claim is the plan's last claim, Yours the fence that the caller carried;
// 0 for none.
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

// Entry is one change that a plan made: the Operation; the Path that changed, after a move the new
// one; MovedFrom, for a move the old path, optional, and empty for other operations; BeforeHash of
// the content before, empty for a create; AfterHash of the content after, empty for a delete; and
// At, in UTC, to the microsecond, zero for the time of the service's clock.
type Entry = domain.Entry

// Changeset is a snapshot of one changeset of a plan.
//
// A plan has at most one open changeset, always its newest: starting one closes the one before it.
// Finishing closes it too.
//
// ID is a ULID, PlanID the plan. Entries are in the order in which they were
// committed. StartedAt and FinishedAt, which is zero while it is open, are times of
// the service's clock. Its method Open reports whether changes are being recorded in it.
type Changeset = domain.Changeset

// UnappliedError says that an apply was to end with a number of applied changes that the plan
// cannot have. Nothing was changed. PlanID is the plan, Applied the number that the caller gave,
// Least the smallest and Recorded the largest number allowed; Recorded is the number of changes
// that the plan has.
type UnappliedError = domain.UnappliedError
