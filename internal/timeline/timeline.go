package timeline

import (
	"errors"
	"fmt"
)

// ErrInvalid is wrapped by the error of [Text], [HTML] and [JSON] for a timeline
// that contradicts itself: a step of a thread that is not listed, or no timeline
// at all.
var ErrInvalid = errors.New("invalid timeline")

// A Timeline is one execution, ready to be shown. It is plain data: any number of goroutines may
// render one at the same time as long as none changes it. Every field may be empty; empty fields
// are not shown.
type Timeline struct {
	// Title says what was run, as in
	// "R4/suggested · change in a stale changeset (#7120)".
	Title string `json:"title"`
	// Verdict is the outcome in one line, as in "violated: check".
	Verdict string `json:"verdict"`
	// Details are the failure's messages. An entry of several lines is shown
	// on as many.
	Details []string `json:"details"`
	// Threads are the goroutines of the execution in order of creation.
	// Step.Thread is an index into it. Names are best distinct; equal ones
	// get a number.
	Threads []Thread `json:"threads"`
	// Steps are in the order in which they took effect.
	Steps []Step `json:"steps"`
	// Cause is one causal sentence.
	Cause string `json:"cause"`
	// Blame says whose bug it is, in one line: "bug of the test: …", "undecided whose bug: …".
	Blame string `json:"blame"`
	// Cycle is the wait-for cycle of a deadlock, in order: the holder of one
	// entry is the thread of the next.
	Cycle []Wait `json:"cycle"`
	// Blocked are the waits at the end (deadlock, leak). Entries that are also in Cycle are shown
	// once.
	Blocked []Wait `json:"blocked"`
	// Races are data races with both stacks.
	Races []Race `json:"races"`
	// Footer holds figures about the execution, one line each, as in
	// "preemptions 1 (of 3 before minimisation), schedule 2, pct".
	Footer []string `json:"footer"`
	// Replay is the command that replays the execution. It is shown on one
	// line whatever its length, so that it can be pasted.
	Replay string `json:"replay"`
}

// A Thread is one goroutine of the execution.
type Thread struct {
	// Name says what it does ("recorder"), or the function it runs.
	Name string `json:"name"`
	// CreatedBy is the name of the creator; "" for the first thread.
	CreatedBy string `json:"createdBy"`
	// Where is the file:line of the go statement.
	Where string `json:"where"`
}

// A Step is one operation of one thread.
type Step struct {
	// Index is the number of the step in the execution, from 1.
	Index int `json:"index"`
	// Thread is the index of its thread in Timeline.Threads.
	Thread int `json:"thread"`
	// Op is the operation: "Mutex.Lock", "map write", "receive", "go".
	Op string `json:"op"`
	// Object is what it works on: "mu#1", "chan#2"; "" if nothing.
	Object string `json:"object"`
	// Where is the file:line of the operation.
	Where string `json:"where"`
	// Func is the function of the operation: "(*Context).RecordChange".
	Func string `json:"func"`
	// Value is what was read or written, as it is to be shown: "→ 3",
	// "0 → 1", `"id2"`; "" if unknown.
	Value string `json:"value"`
	// Outcome is what the step met with, if anything: "blocked",
	// "woken by starter".
	Outcome string `json:"outcome"`
	// Stack holds "func file:line" of the program, innermost first. Text does not show it; a page
	// does for a selected step.
	Stack []string `json:"stack"`
	// Holds are the locks that the thread holds after the step, as shown: "mu", "rw (for reading)".
	Holds []string `json:"holds"`
	// Mark says what is special about the step.
	Mark Mark `json:"marks"`
	// Matters is false for a step that only a verbose text shows. A step with
	// a mark is shown in any case.
	Matters bool `json:"matters"`
}

// shown reports whether the step has a row.
func (s *Step) shown(verbose bool) bool { return verbose || s.Matters || s.Mark != None }

// A Wait says that Thread waits at Where (file:line) for Object, which Holder holds. Object and
// Holder may be unknown.
type Wait struct {
	Thread string `json:"thread"`
	Object string `json:"object"`
	Holder string `json:"holder"`
	// How is the relation of Holder to Object, as in "behind" for one that waits itself but comes
	// first; "" means "held by".
	How   string `json:"how"`
	Where string `json:"where"`
	// Does is what it does again and again instead of waiting.
	Does string `json:"does,omitempty"`
}

// how returns the relation of the holder to the object.
func (w *Wait) how() string {
	if w.How == "" {
		return "held by"
	}
	return w.How
}

// A Race is a pair of accesses to one address, at least one of them a write,
// that nothing orders.
type Race struct {
	// Address names the memory: a variable or field if known, else a number.
	Address  string    `json:"address"`
	Accesses [2]Access `json:"accesses"`
}

// An Access is one half of a data race.
type Access struct {
	// Kind is "read", "write", "atomic write" or the like.
	Kind string `json:"kind"`
	// Thread is the name of the thread.
	Thread string `json:"thread"`
	// Stack holds "func file:line", innermost first.
	Stack []string `json:"stack"`
}

// check returns an error that wraps ErrInvalid if tl cannot be shown.
func (tl *Timeline) check() error {
	if tl == nil {
		return fmt.Errorf("%w: got nil", ErrInvalid)
	}
	for i := range tl.Steps {
		if t := tl.Steps[i].Thread; t < 0 || t >= len(tl.Threads) {
			return fmt.Errorf("%w: Steps[%d].Thread: got %d, want an index into %d threads",
				ErrInvalid, i, t, len(tl.Threads))
		}
	}
	return nil
}
