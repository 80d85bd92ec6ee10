// Package litmus checks the explorer on small concurrent programs.
//
// A [Program] is two to four tasks of one to four operations each, on atomics, locks,
// channels and the like. It can be generated from a seed, run on real goroutines, and
// enumerated: [Enumerate] computes every outcome that sequential consistency and the
// documented steps of package sync allow, by a model that knows nothing of the
// explorer and runs no goroutine.
//
// A search that says it is exhausted must have reached exactly the outcomes that the
// enumerator allows: a missing outcome is a bug that the search could not find, an
// additional outcome is one that cannot happen. Outcomes of plain runs on real
// cores must be allowed too. A program for which they disagree is shrunk to the smallest
// one that still disagrees; see the tests, and make litmus. Errors that are planted in
// the explorer must be found (bench/mutations).
//
// Reports are checked too: each task records what its operations did, and the rows of
// the report's table must say the same.
//
// For the enumerator time passes as in a search without stalls: only when no task can
// run, and everything that is due at one moment happens together. A pool behaves as on
// one processor. Programs with time or pools have no plain runs.
//
// Left out are package-level state, which needs a process for each execution; files, on
// which no search is called exhausted; the number of goroutines; random numbers; and
// readings of the clock.
package litmus
