// Package asreported is the code of #3950, #1281, #7120 and #7424 as the reports describe it, in plain Go. Its bugs are kept alive
// on purpose: it is here to be caught in the act and must not be used, nor put right. Package reported says which lines of the
// original each file stands for; package assuggested is the same with the reporters' fixes.
//
// Nothing in this package is safe for concurrent use, which is what #3950, #1281 and #7120 say of it; each report tells how two
// callers meet:
//
//   - #3950: [NewUnitOfWork] and [MigrationRunner.Engine] both find no engine for a URL and each makes one: two databases.
//   - #1281: two calls of [PlanLifecycleService.CreateAction] both find the name free, and one action is lost. A listing that
//     has made room for the plans there are meets one more, and panics, as Python's "dictionary changed size during iteration"
//     does; and any two calls meet in an unsynchronised map, which Go may answer with a fatal error.
//   - #7120: [PlanExecutionContext.StartChangeset] has told the store and not yet the list, and a change lands in the changeset
//     before; [PlanExecutionContext.FinishChangeset] empties the list between the guard of
//     [PlanExecutionContext.RecordChange] and its index, which panics.
//   - #7424: two instances of [PersistedService] on one file: one goes on reading from its cache what the other has long moved
//     on, and moves the plan a second time.
//
// And of the related races in the same code:
//
//   - #7420: two units of work on one engine both find it without a schema in [UnitOfWork.EnsureMigrated], and both run the migration.
//   - #7137: [PersistedService.StartStrategize] changes the object in the cache and then commits; if the commit fails, the cache keeps
//     what the database does not have.
//   - #7989: two workers both pass the guard of [PersistedService.Execute], and both do the work.
//   - #7731: another instance of [PersistedChangesets] does not know of a changeset that this one has started.
//   - #5456: one [PlanFile] reads while another commits, which is told that the database is locked.
//   - #9081: two calls of [SubplanExecution.Fail] copy the same details, and the one that writes back last drops the other's.
//   - #7582: [SubplanExecution.FailFast] says that a subplan which it never began is complete, and merges one that was still running.
//   - #7406, #9638: two calls of [LockService.Acquire] both find that a lock has expired, and both take it; or both find none, and one gets
//     the database's error.
//   - #7357: two calls of [AsyncWorker.Poll] both find a job queued, and both run it.
//   - #4372: who has called [PersistedService.StartStrategize] and is not heard of again leaves a plan that nobody can start.
package asreported
