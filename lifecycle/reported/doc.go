// Package reported, with its two sub-packages, contains known bugs on purpose. It is for demonstrating them, never for
// use: only a test harness should import it.
//
// They are those of four public reports against the CleverAgents core, which is written in Python:
//
//   - #3950, two engines for one in-memory database (engine_cache.py line 15, unit_of_work.py lines 76-84, migration_runner.py
//     lines 248-253): engine_cache.go, unit_of_work.go, migration_runner.go;
//   - #1281, unprotected dictionaries of actions and plans (plan_lifecycle_service.py lines 213-214): lifecycle_service.go;
//   - #7120, the unsynchronised list of active changesets (plan_execution_context.py lines 175-190): execution_context.go;
//   - #7424, a get_plan that trusts its cache (plan_lifecycle_service.py, get_plan and list_plans): persisted_service.go.
//
// In the same code are bugs of more reports, each reduced to its mechanism: #7420, migrations that each unit of work runs
// for itself (unit_of_work.go); #7137, a plan that is changed in memory before its commit fails, #7989, work that starts
// without a claim, and #4372, plans that are started without a lease (persisted_service.go); and, in files of their own,
// #7731, changesets whose plan only one instance knows (persisted_changesets.go), #5456, engines without a write-ahead
// log that do not wait for locks (plan_file.go), #7406 and #9638, locks that are read and then taken (lock_service.go),
// #7357, jobs that are listed and then started (async_worker.go), and #9081 and #7582, error details that are written
// back whole, and a fail-fast execution that reports subplans that never ran as complete (subplan_execution.go).
//
// Each is written twice in plain Go, in files of the same names:
//
//   - asreported is the code as the report describes it: the dictionaries are maps, a check is followed by an act, and nothing
//     is locked that the report does not lock;
//   - assuggested is the same with the fix that the reporter proposed, taken literally and no further. It has only the files
//     that one of the four fixes changes.
//
// So the difference between the two directories is the four suggested patches. It is kept, and checked, in
// testdata/suggested.diff.
//
// # What this package holds
//
// This package itself holds the correct parts around the bugs: the factory of engines, the store of changesets, the
// tables of plans and of changes in SQLite, and the making of actions and plans from a caller's input. They are safe for
// concurrent use, and each says how.
//
// # What was chosen where Python and Go differ
//
// The dictionaries hold pointers, and a look-up returns the object in the dictionary and not a copy of it, as in Python.
// A method that changes a plan changes it for every holder. The identifiers of plans and changesets come from a function
// that the caller provides and that must be safe for concurrent use. Timestamps are left zero: no report depends on them.
//
// # What this package cannot do
//
// It has no yield, sleep, hook or build tag that would provoke a race: the specimens fail as often as such code fails. It
// covers the methods that the reports are about, and those needed to set up the scenario.
package reported
