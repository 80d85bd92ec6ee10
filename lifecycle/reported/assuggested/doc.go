// Package assuggested is the code of #3950, #1281, #7120 and #7424 with the fixes that the reporters proposed, taken
// literally and no further. Where a fix is insufficient the bug is kept on purpose, so that it can be detected: the
// package must not be used, and not be fixed. Package reported says which lines of the original each file stands for;
// package asreported is the same without the fixes, and testdata/suggested.diff of package reported is the difference.
//
//   - #3950 locks the whole check-then-act, in both callers. That is right: one URL has one engine.
//   - #1281 locks each access to a dictionary. Creating an action takes two, the look-up and the store, and between them
//     another call may create it: one action is still lost without an error.
//   - #7120 locks the append, and the guard together with the index. The index is safe now. But the store learns of a
//     changeset before the list does, and a change is recorded after the lock is released: it can still be recorded in a
//     changeset that its owner treats as closed.
//   - #7424 reads the table in [PersistedService.GetPlan], which no longer returns an old plan. But moving a plan still
//     means to read it, decide, and write: two instances that have both read execute/complete both apply it.
//     [PersistedService.ListPlans] still returns what the cache holds.
//
// The same fixes leave three related races. That of #3950 finds one engine, which may not be migrated: two units of work
// both run the migration (#7420). That of #7424 corrects what a get returns, so a failed commit is now visible in
// listings only (#7137); and [PersistedService.Execute] still decides on what it read long before it writes (#7989).
//
// # Why the plans of #1281 are safe and its actions are not
//
// A lock around each access, which does not help the actions, is enough for the plans, because no operation on the plans
// needs two accesses. A plan has a fresh identifier, so nothing is looked up before it is stored: the insertion is one
// access. Getting one is one access. A listing copies all the values in one. So each operation takes effect at one
// moment, while it holds the lock, and is over by the time it returns. Hence a plan that was returned to its creator is
// in every later look-up and listing, because nothing is ever removed, and a listing is the set of plans at one moment:
// if it has a plan, it has every plan whose insertion was over before that one's began.
//
// Two things that look similar are not promised. The dictionary holds objects and a listing holds the same ones, so a
// listing is a snapshot of which plans exist but not of their contents: [PlanLifecycleService.StartStrategize] changes a
// plan in lists that were returned before, outside the lock, and races with their readers. And the tracker's use_action
// also writes to the action (#4174), which this specimen leaves out: that would be a write to a shared object, which a
// lock around the dictionary does not protect either.
//
// # Concurrency
//
// [EngineCache] with its two callers is safe for concurrent use. [PlanLifecycleService] and [PlanExecutionContext] keep
// their dictionaries and their list intact when goroutines share them, and promise only what is said above beyond that. A
// [PersistedService] must be used by one goroutine at a time.
package assuggested
