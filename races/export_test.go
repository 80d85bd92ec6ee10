package races

// The bodies, for tests with faulty subjects.
var (
	EnginesBody         = engines
	ActionsBody         = actions
	PlansBody           = plans
	StaleChangesetBody  = staleChangeset
	EmptyChangesetsBody = emptyChangesets
	StaleReadBody       = staleRead
	DoubleApplyBody     = doubleApply
	MigrationsBody      = migrations
	FailedCommitBody    = failedCommit
	ClaimsBody          = claims
	ChangesetPlanBody   = changesetPlan
	LockedFileBody      = lockedFile
	ErrorDetailsBody    = errorDetails
	FailFastBody        = failFast
	LockedTwiceBody     = lockedTwice
	RunTwiceBody        = runTwice
	LeasesBody          = leases
)

// The file that the races on a file of ours start from.
var SharedFile = sharedFile

// The plans in it.
const (
	QueuedPlan   = queuedPlan
	ExecutedPlan = executedPlan
	ReadyPlan    = readyPlan
	BegunPlan    = begunPlan
)
