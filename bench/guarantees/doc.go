// Package guarantees determines what caches guarantee by running them: each row is a probe, each column a peer, and the
// result is a table in Markdown.
//
// Use it to compare with another library (write an adapter for package peers), or with another version of one. The
// command guarantees of cmd/bench makes the table in docs/guarantees.md.
//
// A probe can kill its process or hang for ever, and some libraries make it do so. So each runs in a process of its
// own, and each of its waits has a bound: what has not happened by then counts as not happening. The bounds are much longer
// than the waits (microseconds), but if the machine stands still for that long, a probe can be wrong; run it again.
//
// Limits: a probe sees one schedule, or a few thousand, that the machine happens to run. Package explored checks that a
// guarantee holds in all schedules.
package guarantees
