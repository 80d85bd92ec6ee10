package timeline

import (
	"encoding/json"
	"fmt"
	"io"
)

// JSON writes tl as one indented JSON object and a newline. Field names are
// stable and in lower camel case; every field is present, and an empty list is
// [], never null. Marks are lists of names. The same timeline gives the same
// bytes. The error is one of w, or wraps [ErrInvalid].
func JSON(w io.Writer, tl *Timeline) error {
	if err := tl.check(); err != nil {
		return fmt.Errorf("timeline: %w", err)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // for human readers: <-, &x and generic types are common
	enc.SetIndent("", "  ")
	if err := enc.Encode(withLists(*tl)); err != nil {
		return fmt.Errorf("timeline: writing JSON: %w", err)
	}
	return nil
}

// withLists returns a copy of tl in which no list is nil. It does not change what tl points at.
func withLists(tl Timeline) Timeline {
	tl.Details = list(tl.Details)
	tl.Threads = list(tl.Threads)
	steps := make([]Step, len(tl.Steps))
	for i, step := range tl.Steps {
		step.Stack, step.Holds = list(step.Stack), list(step.Holds)
		steps[i] = step
	}
	tl.Steps = steps
	tl.Cycle = list(tl.Cycle)
	tl.Blocked = list(tl.Blocked)
	tl.Footer = list(tl.Footer)
	races := make([]Race, len(tl.Races))
	for i, race := range tl.Races {
		for j := range race.Accesses {
			race.Accesses[j].Stack = list(race.Accesses[j].Stack)
		}
		races[i] = race
	}
	tl.Races = races
	return tl
}

func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
