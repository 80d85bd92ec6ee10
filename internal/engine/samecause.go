package engine

import (
	"regexp"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/source"
)

// Cause describes the failure in words that are the same whenever it has the same
// reason: the failing check without its figures, the functions of a racing pair, the
// set of waiting goroutines and where they wait, the place of a panic. Two failures of
// the same kind and cause are taken to be the same bug.
func (ex *Execution) Cause() string {
	o := &ex.Out
	switch o.Kind {
	case KindCheck:
		return ClassOf(o.Message)
	case KindPanic, KindFatal:
		return ClassOf(o.Message) + " in " + crashPlace(o.Stack)
	case KindRace:
		return racing(o.Races[0])
	case KindDeadlock, KindLeak:
		return ex.waiting()
	}
	return ""
}

// figures matches the numbers and quotations in a message.
var figures = regexp.MustCompile(`0x[0-9a-fA-F]+|\d+|"(?:[^"\\]|\\.)*"`)

// NotLinearizable begins the message about a history that is not linearizable.
const NotLinearizable = "not linearizable"

// ClassOf returns the first line of a message without figures and quotations.
func ClassOf(message string) string {
	message, _, _ = strings.Cut(message, "\n")
	if strings.HasPrefix(message, NotLinearizable) {
		message, _, _ = strings.Cut(message, ":") // the operations that follow vary by chance
	}
	return figures.ReplaceAllString(message, "#")
}

// Like reports whether two executions ended in the same way, but for figures and quotations.
func (o *Outcome) Like(other *Outcome) bool {
	return o.Kind == other.Kind && ClassOf(o.Message) == ClassOf(other.Message)
}

// crashPlace returns the program's innermost function on a stack.
func crashPlace(stack []uintptr) string {
	for _, f := range source.Resolve(stack) {
		if pkg := source.PackageOf(f.Function); !source.Machinery(pkg) && !source.Utility(pkg) {
			return source.PlainFunction(f.Function)
		}
	}
	return ""
}

// racing describes the pair of functions that race, regardless of their order.
func racing(r RaceReport) string {
	var both []string
	for _, a := range r.Accesses {
		function := ""
		if len(a.Stack) > 0 {
			function, _, _ = strings.Cut(a.Stack[0], " ")
		}
		if a.PC != 0 {
			function = source.FunctionAt(a.PC)
		}
		both = append(both, a.Kind()+" in "+function)
	}
	slices.Sort(both)
	return strings.Join(both, "; ")
}

// waiting describes the set of goroutines that can never continue, and where they
// wait. Goroutines that differ only by number are alike, the first of them too. The execution must have a
// tracker.
func (ex *Execution) waiting() string {
	var all []string
	for _, id := range ex.Out.Blocked {
		name := strings.TrimSuffix(ClassOf(ex.Identity(id)), " ##")
		all = append(all, name+" "+ex.Tracker.Last(id).plain())
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "; ")
}
