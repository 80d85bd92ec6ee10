// Package guest runs the tests of a package under many schedules, from inside
// of the package's own test binary. The binary is built with the overlay, which
// adds this package to it and lets package testing ask it when a test is to be
// run; the tests themselves know nothing of it. What to do is in a
// [protocol.Request], and what comes of it is told in [protocol.Event]s; without
// a request the tests run as ever.
//
// One schedule of a test is what go test -count=1 makes of it: package testing
// runs it from a root of its own, with subtests, parallel ones, clean-ups,
// temporary directories and a context. What a test says, in whichever goroutine,
// is taken for the outcome of that schedule. A fuzz target is
// a test of its seeds and its corpus. TestMain runs once for the process and outside of
// control.
//
// Between schedules the environment and the working directory are put back.
// What packages keep in variables stays, as it does with -count: a failure that
// only they explain is not reported, because each failure is repeated in a
// process of its own before it is told.
package guest
