package guest

import (
	"path"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// untimed returns the cause of a timing failure without the delayed goroutine.
func untimed(c protocol.Cause) protocol.Cause {
	if c.Kind == protocol.Timing {
		c.Kind, c.Cause, _ = strings.Cut(c.Cause, ": ")
	}
	return c
}

// sought reports whether a failure is one that go test has printed: a check with the same message
// except for numbers, a panic likewise and in the same function, a race between the same functions,
// or the same kind of waiting in one of the waiting functions.
func sought(s protocol.Sought, found protocol.Cause, messages []string) bool {
	found = untimed(found)
	says := func(m string) bool { return strings.Contains(engine.ClassOf(m), engine.ClassOf(s.Message)) }
	names := func(f string) bool { return strings.Contains(found.Cause, bare(f)) }
	switch engine.Kind(s.Kind) {
	case engine.KindCheck:
		return found.Kind == s.Kind && slices.ContainsFunc(messages, says)
	case engine.KindPanic:
		crashed := found.Kind == s.Kind || found.Kind == string(engine.KindFatal)
		return crashed && slices.ContainsFunc(messages, says) && (len(s.Functions) == 0 || slices.ContainsFunc(s.Functions, names))
	case engine.KindRace:
		return found.Kind == s.Kind && !slices.ContainsFunc(s.Functions, func(f string) bool { return !names(f) })
	case engine.KindDeadlock:
		waits := stuck(found.Kind) || found.Kind == string(engine.KindLivelock)
		return waits && (len(s.Functions) == 0 || found.Cause == "" || slices.ContainsFunc(s.Functions, names))
	}
	return true // only the fact of failing is known
}

// bare returns a function's name without its package path and the numbers of its literals.
func bare(function string) string {
	name, _, _ := strings.Cut(path.Base(function), ".func")
	return name
}
