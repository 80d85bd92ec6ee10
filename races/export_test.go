package races

// The bodies, for the tests that give them subjects made to be wrong.
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

// The file with which the races on files of ours begin, for the test that makes it again.
var SharedFile = sharedFile

// The plans in it.
const (
	QueuedPlan   = queuedPlan
	ExecutedPlan = executedPlan
	ReadyPlan    = readyPlan
	BegunPlan    = begunPlan
)
