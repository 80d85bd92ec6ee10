package goker

import (
	"fmt"

	"github.com/jacquard-go/jacquard/explore"
)

// wrong returns a kernel's deviations from the requirements: every search finds the bug,
// every verdict names the cause, every card replays, and nothing is reported for a
// corrected kernel.
func (r *row) wrong(o order) (all []error) {
	fault := func(format string, args ...any) {
		all = append(all, fmt.Errorf(r.kernel.Name+": "+format, args...))
	}
	if len(r.searches) != o.seeds {
		fault("got %d searches, want %d (%s)", len(r.searches), o.seeds, r.died)
	}
	if r.randomDied != "" {
		fault("random walk: got no searches, want %d (%s)", o.seeds, r.randomDied)
	}
	known, ok := causes()[r.kernel.Name]
	if !ok {
		fault("nothing is known of its cause; add it to the table")
	}
	for i, s := range r.searches {
		if !s.Found() {
			fault("seed %d: got %s (%s), want that it never ends", i+1, s.Verdict, s.Summary)
			continue
		}
		if err := known.told(s.Timeline); ok && err != nil {
			fault("seed %d: the cause: %w", i+1, err)
		}
		if s.Replayed != o.replays {
			fault("seed %d: got %d of %d replays alike, then %s", i+1, s.Replayed, o.replays, s.Departed)
		}
	}
	if t := r.twin; t != nil && (t.Verdict != explore.Holds.String() || t.Schedules < o.twins && !t.Exhausted) {
		fault("corrected: got %s after %d schedules (%s), want that it holds", t.Verdict, t.Schedules, t.Summary)
	}
	if l := r.lost; l != nil && !l.Exhausted {
		fault("not repaired: got %s (%s), want all executions to hold", l.Verdict, l.Summary)
	}
	return all
}

// causesTold counts the searches whose verdict names the cause.
func (r *row) causesTold() (n int) {
	known, ok := causes()[r.kernel.Name]
	for _, s := range r.searches {
		if ok && s.Found() && known.told(s.Timeline) == nil {
			n++
		}
	}
	return n
}
