// Package litmus holds small concurrent programs against the explorer's word.
//
// A [Program] is two to four tasks of one to four operations each, on atomics, locks,
// channels and the like. It can be generated from a seed, run on real goroutines, and
// enumerated: [Enumerate] computes every outcome that sequential consistency and the
// documented steps of package sync allow, by a model that knows nothing of the
// explorer and runs no goroutine.
//
// A search that says it is exhausted must have reached exactly the outcomes that the
// enumerator allows: one that is missing is a bug that the search could not have
// found, one too many is a report of what cannot happen. What plain runs show on real
// cores must be allowed too. What disagrees is shrunk to the smallest program that
// still does; see the tests, and make litmus. Errors that are planted in the explorer must
// be found (bench/mutations).
//
// Reports are held against programs too: each task writes down what its operations did,
// and the rows of the table must say the same.
//
// Time passes for the enumerator as a search without stalls has it: only when nobody can
// run, and all that is due at one moment happens together. A pool is that of one
// processor. Programs with either are not run plainly.
//
// Left out are package-level state, which needs a process for each execution, files,
// of which no search is called exhausted, how many goroutines there are, random numbers
// and what the clock reads.
package litmus
