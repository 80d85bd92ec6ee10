// Package asreported is the code of #3950, #1281, #7120 and #7424 as the reports describe it, in plain Go. It keeps their
// bugs on purpose, so that they can be detected: it must not be used, and not be fixed. Package reported says which lines
// of the original each file stands for; package assuggested is the same with the reporters' fixes.
//
// Nothing in this package is safe for concurrent use, as #3950, #1281 and #7120 say of the original. Each report tells
// how two callers collide:
//
//   - #3950: [NewUnitOfWork] and [MigrationRunner.Engine] both find no engine for a URL and each makes one: two databases.
//   - #1281: two calls of [PlanLifecycleService.CreateAction] both find the name free, and one action is lost. A listing that
//     has made room for the present plans meets one more, and panics, as Python's "dictionary changed size during iteration"
//     does. Any two calls can collide in an unsynchronised map, which Go may answer with a fatal error.
//   - #7120: [PlanExecutionContext.StartChangeset] has updated the store and not yet the list, and a change is recorded in the
//     previous changeset; [PlanExecutionContext.FinishChangeset] empties the list between the guard of
//     [PlanExecutionContext.RecordChange] and its index, which panics.
//   - #7424: of two instances of [PersistedService] on one file, one keeps reading from its cache a plan that the other has
//     moved on, and moves it a second time.
//
// And of the related races in the same code:
//
//   - #7420: two units of work on one engine both find it without a schema in [UnitOfWork.EnsureMigrated], and both run the migration.
//   - #7137: [PersistedService.StartStrategize] changes the object in the cache and then commits; if the commit fails, the cache keeps
//     a state that the database does not have.
//   - #7989: two workers both pass the guard of [PersistedService.Execute], and both do the work.
//   - #7731: another instance of [PersistedChangesets] does not know of a changeset that this one has started.
//   - #5456: one [PlanFile] reads while another commits, which fails because the database is locked.
//   - #9081: two calls of [SubplanExecution.Fail] copy the same details, and the one that writes back last drops the other's.
//   - #7582: [SubplanExecution.FailFast] reports a subplan that it never began as complete, and merges one that was still running.
//   - #7406, #9638: two calls of [LockService.Acquire] both find that a lock has expired, and both take it; or both find none, and one
//     gets the database's error.
//   - #7357: two calls of [AsyncWorker.Poll] both find a job queued, and both run it.
//   - #4372: a worker that dies after [PersistedService.StartStrategize] leaves a plan that no other worker can start.
package asreported
