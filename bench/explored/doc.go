// Package explored holds the guarantees of package cache as bodies for an explorer of schedules, a row each, and bodies
// in which known races of other caches show.
//
// Reach for it to see that a guarantee holds in every schedule that was tried and not only in those that a machine
// happens to run: the command explored of cmd/bench runs the rows, in as many schedules as asked for. The rows are named
// after the table in the documentation of package cache; a letter tells several rows of one guarantee apart.
//
// A body is small: a few goroutines and calls, so that a few thousand schedules are a fair part of all. It says what
// must come of every schedule, and takes nothing for granted that the guarantee does not say.
//
// What it cannot do: it works in a process under control only (see explore.Controlled), and the schedules are
// sequentially consistent ones.
package explored
