// Package explored holds the guarantees of package cache as bodies for an explorer of schedules, a row each, and bodies
// that show known races of other caches.
//
// Use it to check that a guarantee holds in every schedule that is tried, not only in those that a machine
// happens to run: the command explored of cmd/bench runs the rows, in as many schedules as requested. The rows are named
// after the table in the documentation of package cache; a letter distinguishes several rows of one guarantee.
//
// A body is small: a few goroutines and calls, so that a few thousand schedules are a fair share of all. It asserts what
// must hold in every schedule, and relies on nothing that the guarantee does not promise.
//
// Limits: it works only in a process under control (see explore.Controlled), and its schedules are
// sequentially consistent.
package explored
