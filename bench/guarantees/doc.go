// Package guarantees finds out by running them what caches guarantee: each row is a probe, each column a peer, and the
// result is a table in Markdown.
//
// Reach for it to compare: with another library (write an adapter for package peers), or with another version of one. The
// command guarantees of cmd/bench makes the table that is in docs/guarantees.md.
//
// A probe can kill its process or hang for ever, and some libraries make it do so. So each runs in a process of its
// own, and each of its waits has a bound: what has not happened by then counts as not happening. Bounds are long beside
// what they wait for (microseconds), but on a machine that stands still for as long, a probe can be wrong; run it again.
//
// What it cannot do: a probe sees one schedule, or a few thousand, that the machine happens to run. That a guarantee
// holds in all of them is what package explored is for.
package guarantees
