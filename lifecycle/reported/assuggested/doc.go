// Package assuggested is the code of #3950, #1281, #7120 and #7424 with the fixes that the reporters proposed, taken literally and no
// further. Where a fix falls short its bug is kept alive on purpose: the package is here to be caught in the act and must not be
// used, nor put right. Package reported says which lines of the original each file stands for; package asreported is the same
// without the fixes, and testdata/suggested.diff of package reported is the difference.
//
//   - #3950 locks the whole check-then-act, in both callers. That is right: one URL has one engine.
//   - #1281 locks each access to a dictionary. To create an action takes two, the look-up and the store, and between them
//     another may create it: one action is still lost without an error.
//   - #7120 locks the append, and the guard together with the index. The index is safe now. But the store is told of a
//     changeset before the list is, and a change is recorded after the lock is given back: it still lands in a changeset that
//     its owner treats as closed.
//   - #7424 reads the table in [PersistedService.GetPlan]. Nobody reads an old plan there any more. But to move a plan is still
//     to read it, decide, and write: two instances that have both read execute/complete both apply it.
//     [PersistedService.ListPlans] goes on returning what the cache holds.
//
// The same fixes leave three related races in this code as they are. #3950's finds one engine and does not know whether it is migrated: two
// units of work both run the migration (#7420). #7424's puts right what a get returns, so a commit that failed goes on being seen in
// listings only (#7137); and what [PersistedService.Execute] reads it still decides on long before it writes (#7989).
//
// # Why the plans of #1281 are safe and its actions are not
//
// The same lock round each access that does not help the actions is enough for the plans, because no operation on the plans needs
// two accesses. A plan has a fresh identifier, so nothing is looked up before it is stored: the insertion is one access. Getting
// one is one access. A listing copies all the values in one. Each operation therefore takes effect at one moment, while it holds
// the lock, and is over by the time it returns. So a plan that was returned to its creator is in every later look-up and listing,
// nothing is ever removed, and a listing is the set of plans as it was at one moment: if it has a plan, it has every plan whose
// insertion was over before that one's began.
//
// Two things that look like it are not promised. The dictionary holds objects and a listing holds the same ones, so it is a
// snapshot of which plans there are and not of what they look like: [PlanLifecycleService.StartStrategize] changes a plan in lists
// that were returned before, outside the lock, and races with whoever reads them. And the tracker's use_action also writes to the
// action (#4174), which this specimen leaves out: that would be a write to a shared object, which a lock round the dictionary does
// not cover either.
//
// # Concurrency
//
// [EngineCache] with its two callers is safe for concurrent use. [PlanLifecycleService] and [PlanExecutionContext] keep their
// dictionaries and their list whole when goroutines share them, and what they promise beyond that is said above. A
// [PersistedService] is for one goroutine at a time.
package assuggested
