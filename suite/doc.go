// Package suite runs the existing tests of a package under control: each test, unmodified, under
// many schedules instead of one.
//
// [Run] builds the test binary of each package with the overlay of the runtime and with package
// suite/guest, which is its counterpart inside the binary. A first process runs every test once, as
// go test does, and reports which tests are concurrent. Each of those is then explored in a process
// of its own, which gets its time in turns: the package has a budget, a share of that of all
// packages, and the test that yields most new executions gets the next turn. Processes that still
// run when the budget is over are killed. A failure is reported as soon as it is reduced.
//
// If there are fewer tests than processes, spare processes help others by running their schedules. One process for each
// test still decides which schedules there are and in which order they count, so helpers do not change the result. A
// failure comes with its report, its card, and the command that replays the card; [Replay] does so.
//
// The output is that of go test. When the context ends or the time of a package is over, its
// processes are killed with all that they have started, in the second case with a dump of their
// goroutines; on Linux also when the process that runs them is killed itself. Their temporary files
// are in a folder that is removed afterwards.
//
// A test may spend an eighth of the package's remaining time in its first schedule, or five seconds
// if that is more and no more than half, so that time is left for others. If much is left at the end,
// a test that did not come to its end runs once more. A test that cannot be controlled to its end is
// run without control, for half of that.
//
// The state of exploring is kept in the cache directory as long as the test binary stays the same:
// the next run continues where this one ended.
package suite
