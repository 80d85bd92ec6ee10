package source

import (
	"strconv"
	"strings"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// Inner reports whether an operation within functions of package sync is invisible to the
// program. The functions are listed innermost first.
func Inner(functions []string, atomic string) bool {
	_, kind, _ := syncOperation(functions, atomic, Steps{})
	return kind == SiteInner
}

// OnlyCaches reports whether a package's synchronisation is ignored, except in observed
// functions.
func OnlyCaches(pkg string) bool {
	return Matches(trusted, pkg) && !Matches(effective, pkg) && !Matches(gathered, pkg)
}

// Observed reports whether a function is observed.
func Observed(function string) bool { return (&Site{User: Frame{Function: function}}).observed() }

// Near returns how near a stack is to targets, and the index of the nearest one. Each frame
// is a function, a file and a line, as in "bank.Put bank.go:18", innermost first.
func Near(targets []string, stack ...string) (schedule.Nearness, uint8) {
	var all []Frame
	for _, frame := range stack {
		function, at, _ := strings.Cut(frame, " ")
		file, line, _ := strings.Cut(at, ":")
		n, _ := strconv.Atoi(line)
		all = append(all, Frame{function, file, n})
	}
	return aimed(targets, all)
}
