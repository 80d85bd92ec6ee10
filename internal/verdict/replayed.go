package verdict

import (
	"fmt"

	"github.com/jacquard-go/jacquard/internal/engine"
)

// An Outcome says how far a card could be followed, and to what end.
type Outcome int

// The outcomes. The zero value is Diverged: nothing is concluded by default.
const (
	// Diverged: the execution could not follow the card; see
	// [Replayed].Divergence.
	Diverged Outcome = iota
	// Exact: the same program took the same course up to the last step.
	Exact
	// ReAnchored: the program differs from the card's, and the operations that the card
	// names led to a failure of the same kind and the same cause.
	ReAnchored
	// Gone: the program differs from the card's; all operations that the card names
	// occurred where the card has them, and nothing failed.
	Gone
	// Otherwise: the program differs from the card's; all operations that the card
	// names occurred where the card has them, and it failed in another way.
	Otherwise
)

var outcomeNames = [...]string{
	Diverged: "diverged", Exact: "exactly replayed", ReAnchored: "re-anchored", Gone: "no longer fails", Otherwise: "fails differently",
}

func (o Outcome) String() string { return outcomeNames[o] }

// A Replayed is what [Replay] found.
type Replayed struct {
	Outcome Outcome
	// Result is that of the execution. It is Violated, with a Failure, if the outcome
	// is Exact, ReAnchored or Otherwise, and Unknown otherwise: one schedule that
	// does not fail implies nothing for others. The failure's card is one for this
	// program.
	Result *Result
	// Divergence says where the execution left the card, if it did.
	Divergence *Divergence
	// Toolchain is what built the card's program, such as "go1.26.8
	// linux/amd64".
	Toolchain string
	// Executions is how many executions were needed.
	Executions int

	Was engine.Kind // the kind of failure in the card
}

// A Divergence is the first place at which an execution could not follow a
// card.
type Divergence struct {
	Decision  int    // its number in the card, from 1
	Decisions int    // number of decisions in the card
	Expected  string // the goroutine, its operation and function, and the goroutine to run
	Got       string
	Void      string // why the execution shows nothing although it has followed the card; else ""
}

func (d *Divergence) String() string {
	if d.Void != "" {
		return d.Void
	}
	return fmt.Sprintf("first divergence at decision %d of %d: expected %s; got %s", d.Decision, d.Decisions, d.Expected, d.Got)
}

// String describes the outcome in one line.
func (r *Replayed) String() string {
	switch r.Outcome {
	case Diverged:
		return r.Divergence.String()
	case ReAnchored:
		return fmt.Sprintf("re-anchored: the program has changed since the card was made (by %s), and fails in the same way", r.Toolchain)
	case Gone:
		return fmt.Sprintf("no longer fails: the program has changed since the card was made (by %s), and the schedule that led to a failure (%s) passes now", r.Toolchain, r.Was)
	case Otherwise:
		return fmt.Sprintf("fails differently: the program has changed since the card was made (by %s), and the schedule that led to a failure (%s) leads to another one (%s)",
			r.Toolchain, r.Was, r.Result.Failure.Kind)
	}
	return r.Outcome.String()
}
