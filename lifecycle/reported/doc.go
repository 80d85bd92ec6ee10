// Package reported, with its two sub-packages, keeps known bugs alive on purpose. It is for showing them, never for use: nothing
// but a test harness should import it.
//
// They are those of four public reports against the CleverAgents core, which is written in Python:
//
//   - #3950, two engines for one in-memory database (engine_cache.py line 15, unit_of_work.py lines 76-84, migration_runner.py
//     lines 248-253): engine_cache.go, unit_of_work.go, migration_runner.go;
//   - #1281, unprotected dictionaries of actions and plans (plan_lifecycle_service.py lines 213-214): lifecycle_service.go;
//   - #7120, the unsynchronised list of active changesets (plan_execution_context.py lines 175-190): execution_context.go;
//   - #7424, a get_plan that trusts its cache (plan_lifecycle_service.py, get_plan and list_plans): persisted_service.go.
//
// In the same code are bugs of more reports, each reduced to its mechanism: #7420, migrations that each unit of work runs for
// itself (unit_of_work.go); #7137, a plan that is changed in memory before its commit fails, #7989, work that is begun without a
// claim, and #4372, plans that are begun without a lease (persisted_service.go); and, in files of their own, #7731, changesets whose
// plan only one instance knows (persisted_changesets.go), #5456, engines without a write-ahead log that wait for no lock (plan_file.go),
// #7406 and #9638, locks that are read and then taken (lock_service.go), #7357, jobs that are listed and then begun (async_worker.go),
// and #9081 and #7582, error details that are written back whole, and an execution that fails fast and takes what never ran for
// complete (subplan_execution.go).
//
// Each is written twice in plain Go, in files of the same names:
//
//   - asreported is the code as the report describes it: the dictionaries are maps, a check is followed by an act, and nothing
//     is locked that the report does not lock;
//   - assuggested is the same with the fix that the reporter proposed, taken literally and no further. It has no file
//     that none of the four fixes is about.
//
// So the difference between the two directories is the four suggested patches. It is kept, and checked, in
// testdata/suggested.diff.
//
// # What this package holds
//
// This package itself has what stands round the bugs and takes no part in them: what makes an engine, the store of changesets, the
// tables of plans and of changes in SQLite, and how an action or a plan is made from what a caller says. Those parts are right: they are safe
// for concurrent use, and each says how.
//
// # What was chosen where Python and Go differ
//
// The dictionaries hold pointers, and what is looked up is the object in the dictionary and not a copy of it, as in Python. A
// method that changes a plan changes it for everyone who holds it. The identifiers of plans and changesets come from a function
// that the caller provides and that must be safe for concurrent use. Timestamps are left zero: no report turns on them.
//
// # What this package cannot do
//
// It has no yield, no sleep, no hook and no build tag that would help a race along: the specimens fail as often as such code fails.
// It covers the methods that the reports are about, and those that are needed to set the scene.
package reported
