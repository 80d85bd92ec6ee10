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
)

// The file with which R6 and R7 of ours begin, for the test that makes it again.
var SharedFile = sharedFile

// The plans in it.
const (
	QueuedPlan   = queuedPlan
	ExecutedPlan = executedPlan
)
