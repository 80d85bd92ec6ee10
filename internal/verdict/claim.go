package verdict

import (
	"fmt"
	"strings"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
)

// Summary is the result in a few words, as in the tables of cmd/races.
func (r *Result) Summary() string {
	switch r.Verdict {
	case Violated:
		return fmt.Sprintf("schedule %d, %s, %s, %s", r.Failure.Schedule, source.Plural(r.Failure.Preemptions, "preemption"), r.Failure.Kind, r.Failure.Strategy)
	case Holds:
		return r.extent()
	}
	return r.Reason
}

// Differing says how the executions differ that an unbounded search distinguishes.
func (r *Result) Differing() string {
	if r.Mirrored {
		return "by happens-before, and not only by who is who of goroutines that are alike"
	}
	return "by happens-before"
}

// extent describes what was explored without a failure, and what was not.
func (r *Result) extent() string {
	text := ""
	switch {
	case r.Unbounded && r.Searched == 1:
		text = r.exhausted() + ": 1 execution, and no other that differs " + r.Differing()
	case r.Unbounded:
		text = fmt.Sprintf("%s: all %s that differ %s", r.exhausted(), source.Plural(r.Searched, "execution"), r.Differing())
	case r.Exhausted:
		text = fmt.Sprintf("%s: %s", r.exhausted(), source.Plural(r.Searched, "schedule"))
	default:
		text = fmt.Sprintf("sampled %s, %d distinct by happens-before", source.Plural(r.Schedules, "schedule"), r.Distinct)
	}
	return text + source.Prefixed("; ", r.Unexplored())
}

// exhausted describes the extent of a complete search, with its bounds.
func (r *Result) exhausted() string {
	text := "exhausted"
	if !r.Unbounded {
		text += " at ≤ " + source.Plural(r.Bound, "preemption")
	}
	switch {
	case !r.Timed:
	case r.Stall == 0:
		text += ", nobody held up until a timer fired"
	case r.Unbounded:
		text += fmt.Sprintf(", stalls up to %v", r.Stall)
	default:
		text += fmt.Sprintf(", stalls up to %v counted as such", r.Stall)
	}
	if r.Looked {
		text += ", nobody held up between two looks at the clock"
	}
	if r.Together {
		text += ", timers due together firing together"
	}
	if r.Kept {
		text += ", what outlives a schedule as an earlier one left it"
	}
	if r.Pooled {
		text += ", pools losing nothing"
	}
	switch {
	case r.Drew && r.Ranged:
		text += ", random numbers and order of maps of one seed"
	case r.Drew:
		text += ", random numbers of one seed"
	case r.Ranged:
		text += ", order of maps of one seed"
	}
	return text
}

// Claim describes the extent of a complete search, for the line of a test; or why there
// can be none. It is "" if there was no search, or it is incomplete.
func (r *Result) Claim() string {
	switch {
	case r.Unbounded:
		return r.exhausted() + source.Prefixed("; ", r.Unexplored())
	case r.Unseen != "":
		return "cannot be exhausted: " + r.Unseen
	case r.Incomplete != "":
		return "cannot be exhausted: " + r.Incomplete
	case r.Exhausted:
		return r.exhausted() + source.Prefixed("; ", r.Unexplored())
	}
	return ""
}

// Unexplored describes, in one clause, what a verdict of Holds does not cover, besides
// what [Result].Outside lists. No other code decides this.
func (r *Result) Unexplored() string {
	var all []string
	if r.Exhausted && r.Cut {
		all = append(all, fmt.Sprintf("who spins %d times taken to wait", engine.SpinTurns[0]))
	}
	if !r.Exhausted && r.Unseen != "" {
		all = append(all, r.Unseen)
	}
	if text := r.Novelty.String(); text != "" && !r.Unbounded {
		all = append(all, text)
	}
	if r.RacesUnchecked {
		all = append(all, "data races were not looked for")
	}
	return strings.Join(all, "; ")
}
