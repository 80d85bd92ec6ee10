// Package guest runs the tests of a package under many schedules, inside the package's own test
// binary. The overlay adds this package to the binary and makes package testing call it for each
// test; the tests themselves are not changed. A [protocol.Request] says what to do, and
// [protocol.Event]s report the results; without a request the tests run as usual.
//
// One schedule of a test is one go test -count=1 of it: package testing runs it from a root of its
// own, with subtests, parallel ones, clean-ups, temporary directories and a context. A failure
// reported by any of its goroutines is the outcome of that schedule. A fuzz target is a test of its
// seeds and its corpus. TestMain runs once for the process, without control.
//
// Between schedules the environment and the working directory are restored. Package variables keep
// their values, as with -count. A failure that only such values explain is not reported, because
// each failure is repeated in a process of its own before it is reported.
package guest
