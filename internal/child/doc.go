// Package child starts another process of one of our programs, exchanges messages with
// it, and finds out how it ended. No other package does this: the command uses it for
// the test binaries of packages, an exploration for its workers, a stress or soak run
// for its processes.
//
// [Start] takes an [exec.Cmd] and [Options] and returns a [Process]. [Conn.Send] and
// [Process.Receive] transfer one value per message, as lines of JSON or as a stream of
// gob, over the child's standard input and output; or over two pipes of their own, so
// that a program under test may use its standard streams. The child finds these pipes
// by their numbers ([Beside]) or by their paths.
//
// A child always ends, and takes with it what it has started:
//   - [Process.Kill] kills it, [Process.End] asks it to end first, and the end of
//     Start's context does what End does.
//   - [Process.Receive] ends it if it says nothing for longer than
//     [Options].Silence.
//   - [Process.Close] hangs up, waits a while, kills it, and frees its
//     resources. Every process must be closed.
//   - If this process dies, the system kills the child (on Linux); an [Options].Heir
//     notices this and ends itself.
//
// An [Exit] says how it ended: its state, why this process ended it, and its last
// words, which are what it wrote to its standard error.
//
// [Again] returns a command that runs this test binary again for one test, with the
// user's own arguments: a fresh process that reaches the same point. It can be given
// work there by messages beside its standard streams. Package workers starts its
// processes in this way.
package child
