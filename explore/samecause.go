package explore

import (
	"regexp"
	"slices"
	"strings"
)

// cause says what failed, in words that are the same whenever it fails for the
// same reason: the failing check without its figures, the functions of a racing
// pair, the set of those that wait and where, the place of a panic. Two
// failures of one kind and one cause are taken to be the same bug.
func (ex *execution) cause() string {
	o := &ex.out
	switch o.kind {
	case KindCheck:
		return classOf(o.message)
	case KindPanic, KindFatal:
		return classOf(o.message) + " in " + crashPlace(o.stack)
	case KindRace:
		return o.races[0].cause()
	case KindDeadlock, KindLeak:
		return ex.waiting()
	}
	return ""
}

// figures are the parts of a message that say how much and not what.
var figures = regexp.MustCompile(`0x[0-9a-fA-F]+|\d+|"(?:[^"\\]|\\.)*"`)

// notLinearizable begins the message about a history that is not.
const notLinearizable = "not linearizable"

// classOf is the first line of a message without figures and quotations.
func classOf(message string) string {
	message, _, _ = strings.Cut(message, "\n")
	if strings.HasPrefix(message, notLinearizable) {
		message, _, _ = strings.Cut(message, ":") // which operations they are is chance
	}
	return figures.ReplaceAllString(message, "#")
}

// crashPlace is the innermost function of the program on a stack.
func crashPlace(stack []uintptr) string {
	for _, f := range resolve(stack) {
		if pkg := packageOf(f.function); !machinery(pkg) && !matches(trusted, pkg) {
			return plainFunction(f.function)
		}
	}
	return ""
}

// cause is the pair of functions that race, in either order.
func (r RaceReport) cause() string {
	var both []string
	for _, a := range r.Accesses {
		function := ""
		if len(a.Stack) > 0 {
			function, _, _ = strings.Cut(a.Stack[0], " ")
		}
		if a.pc != 0 {
			function = functionAt(a.pc)
		}
		both = append(both, a.kind()+" in "+function)
	}
	slices.Sort(both)
	return strings.Join(both, "; ")
}

// waiting is the set of goroutines that can never go on, and where they wait.
// Goroutines that differ by number only are alike. The execution must have a
// tracker for it.
func (ex *execution) waiting() string {
	var all []string
	for _, id := range ex.out.blocked {
		all = append(all, classOf(ex.identity(id))+" "+ex.places.last(id).plain())
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "; ")
}
