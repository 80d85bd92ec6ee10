// Package timeline shows one execution of a concurrent program: a table with
// one column per thread, read from top to bottom, one step a row.
//
//	 # │ first                              │ second                   │ where
//	   │ by body, n_test.go:14              │ by body, n_test.go:15    │
//	───┼────────────────────────────────────┼──────────────────────────┼────────
//	 3 │ read n → 0 ◀ conflict              │                          │ n.go:20
//	── first stopped here, second runs ─────────────────────────────────────────
//	 6 │                                    │ read n → 0               │ n.go:20
//	 7 │                                    │ write n 0 → 1 ◀ conflict │ n.go:21
//	 9 │ write n 0 → 1 (resumed) ◀ conflict │                          │ n.go:21
//
// Below the table come the cause in one sentence, the wait-for cycle of a deadlock, the threads
// that still wait, data races with both stacks, and the line that replays the execution.
//
// Reach for it when an execution is over and someone has to understand it.
// The package holds data and turns it into text ([Text]), an HTML page ([HTML])
// or JSON ([JSON]). It records nothing, runs nothing and decides nothing: which
// steps matter, which two are in conflict and what the cause is are facts that
// the caller brings.
//
// # Layout
//
// [Text] chooses among three layouts and uses the first that gives the
// columns enough room in [Options].Width:
//
//   - the place (file:line, then the function if there is room) in a column of
//     its own at the right, as above: a row holds one step, so one such column
//     serves all threads;
//   - the place below each step, inside the thread's column;
//   - a list with the thread's name in front of each step, when there are too
//     many threads for columns of at least ten cells. It does not say who
//     started a thread; the JSON does.
//
// Text that does not fit is wrapped, and shortened with … after a few lines. No meaning is carried
// by colour alone: every mark is also a sign or a word.
//
// [HTML] draws the same as lanes from top to bottom, for a browser: zoomable,
// with all that is known of a step beside it. It is the one to take for long
// executions.
//
// # Limits
//
// Widths are those of a terminal that draws East Asian ambiguous characters
// (the box lines among them) in one cell. Sequences that a terminal joins into
// one glyph, such as flags, are measured as the sum of their parts.
// Characters that cannot be printed are shown as Go escapes, so a value can
// neither break the table nor send commands to the terminal; which characters
// are printable is what the unicode package of the Go release in use says.
package timeline
