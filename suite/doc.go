// Package suite runs the existing tests of a package under control: each of
// them, unmodified, under many schedules instead of one.
//
// [Run] builds the test binary of each package with the overlay of the runtime
// and with package suite/guest, which answers to it in there. A first process
// runs every test once, as go test does, and tells which of them have any
// concurrency. Each of those is then explored in a process of its own, which
// gets its time in turns: the package has a budget, a share of what all of them have,
// and the test that meets most new executions gets the next turn. What still runs
// when the budget is over is killed. A failure is told as soon as it is reduced.
//
// Where there are fewer tests than there may be processes, those left over help the
// others by running schedules of theirs. Which schedules there are, and in which order they count, is still decided by one
// process for each test, so the result is the same without helpers. A failure comes
// with its report, its card, and the command that replays the card; [Replay] does so.
//
// What is printed is what go test prints. The processes of a package are killed
// with all that they have started when the context ends or their time is over,
// then with a dump of their goroutines; on Linux also when the process that runs
// them is killed itself. Their temporary files go to a folder that is removed
// after them.
//
// A test may take an eighth of what is left of the package's time in its first schedule, or
// five seconds if that is more and no more than half, so that the others have some. One that
// cannot be controlled to its end is run without control, for half of that.
//
// What was explored is remembered, for as long as the test binary stays the
// same, in the cache directory: the next run goes on where this one ended.
package suite
