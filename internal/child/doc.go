// Package child starts another process of a program of ours, talks to it, and
// finds out how it ended. It is the only place that does: the command talks so
// to a package's test binary, an exploration to its workers, a stress or soak run
// to its processes.
//
// [Start] takes an [exec.Cmd] and [Options] and returns a [Process]. Values go to
// and fro by [Conn.Send] and [Process.Receive], one a message, as lines of JSON or
// as a stream of gob. They go over the child's standard input and output; or over two
// pipes of their own, so that a program under test may write what it likes, which the
// child finds by their numbers ([Beside]) or by their paths.
//
// A child always ends, and takes with it what it has started:
//   - [Process.Kill] kills it, [Process.End] asks it first, and the end of Start's
//     context does what End does.
//   - [Process.Receive] ends it if it says nothing for longer than
//     [Options].Silence.
//   - [Process.Close] hangs up, gives it some time, kills it, and frees all
//     that belongs to it. Every process must be closed.
//   - If this process dies, the system kills the child (on Linux); an [Options].Heir
//     notices it and ends itself.
//
// An [Exit] says how it ended: its state, why it was ended from here, and its
// last words, which are what it wrote to its standard error.
//
// [Again] is a command that runs this test binary again for one test, with the
// user's own arguments: a fresh process that comes to the same point. What it is to
// do there can be told it beside its standard files. Package explore starts its
// workers so.
package child
