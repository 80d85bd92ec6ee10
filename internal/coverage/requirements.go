package coverage

import (
	"fmt"
	"slices"
	"strings"
)

// A Requirement is something that an operation should have done in some execution,
// because the code was written for it.
type Requirement struct {
	Spot
	Want    string `json:"want"`    // what it should have done: "contended"
	Missing string `json:"missing"` // the message if it was not met: "this Lock was never contended"
	Met     int    `json:"met"`     // how many times it was met
	Of      int    `json:"of"`      // how many times the operation was begun
}

// Requirements returns the requirements of all operations, by file and line.
func (l *Listing) Requirements(in Sources) (all []Requirement) {
	ops := slices.Clone(l.Operations)
	slices.SortStableFunc(ops, func(a, b Operation) int { return a.compare(b.Spot) })
	for _, op := range ops {
		if op.Times > 0 {
			all = append(all, op.requirements(in)...)
		}
	}
	return all
}

func (op Operation) requirements(in Sources) []Requirement {
	this := "this " + op.Op
	if op.Alike { // DPOR leaves out waits that are unobservable
		switch op.Kind {
		case Send, Receive:
			return nil
		case Lock:
			op.Waited += op.Rivals
		}
	}
	switch op.Kind {
	case Lock:
		return []Requirement{op.want(op.Waited, "contended", this+" was never contended")}
	case Try, CompareAndSwap:
		return []Requirement{op.want(op.Refused, "failed", this+" never failed"), op.want(op.Times-op.Refused, "succeeded", this+" never succeeded")}
	case Send, Receive:
		return []Requirement{op.want(op.Waited, "blocked", this+" never blocked"), op.want(op.Times-op.Waited, "did not block", this+" always blocked")}
	case Wait:
		return []Requirement{op.want(op.Waited, "waited", "this Wait never waited")}
	case Signal:
		return []Requirement{
			op.want(op.Times-op.Refused, "met somebody who waits", this+" never met anybody who waits"),
			op.want(op.Refused, "met nobody", this+" always met somebody who waits"),
		}
	case Once:
		return []Requirement{op.want(op.Waited, "raced", "this Once never raced")}
	case Stop:
		return []Requirement{op.want(op.Refused, "came too late", "this Stop never came too late: the time limit never fired")}
	case Select:
		return op.selects(in)
	}
	return nil
}

func (op *Operation) want(met int, want, missing string) Requirement {
	return Requirement{op.Spot, want, missing, met, op.Times}
}

// selects returns the requirements of a select: each case is taken, and it blocks
// unless it has a default.
func (op *Operation) selects(in Sources) (all []Requirement) {
	clauses, known := in.clauses(op.Spot, len(op.Cases))
	for i := range op.Cases {
		at := i
		if i >= op.Sends { // the compiler has receives in reverse
			at = len(op.Cases) - 1 - (i - op.Sends)
		}
		what := fmt.Sprintf("case %d of this select", i+1)
		if known {
			what = clauses.text(i, op.Sends)
		}
		missing := what + " was never chosen"
		if limits(what) {
			missing += ": this time limit never fired"
		}
		all = append(all, op.want(op.Cases[at], "chose "+what, missing))
	}
	if known && clauses.others || op.Refused > 0 {
		return append(all, op.want(op.Refused, "chose the default", "the default of this select was never chosen"))
	}
	return append(all, op.want(op.Waited, "blocked", "this select never blocked"))
}

// limits reports whether a case waits for a time limit.
func limits(clause string) bool {
	return slices.ContainsFunc([]string{".Done()", "time.After(", "imer.C", "imeout"}, func(s string) bool { return strings.Contains(clause, s) })
}
