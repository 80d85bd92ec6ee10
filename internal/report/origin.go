package report

import (
	"fmt"

	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// An Origin says where a failing schedule comes from.
type Origin struct {
	Seed     uint64
	Command  string            // replays a card, whose place is "%s"; "" if there is none
	Replayed *verdict.Replayed // set if the schedule is from a card
}

// lines says where the schedule comes from and how it was reduced.
func (o Origin) lines(f *verdict.Failure) []string {
	size := fmt.Sprintf("%s in %s", source.Plural(f.Preemptions, "preemption"), source.Plural(f.Steps, "step"))
	if f.Quantum {
		size += ", besides those of goroutines that had run for long"
	}
	if r := o.Replayed; r != nil {
		if r.Outcome == verdict.Exact {
			return []string{size + ", exactly replayed from its card"}
		}
		return []string{size + ", from a card", r.String()}
	}
	if f.Strategy == verdict.ByCard {
		return []string{fmt.Sprintf("%s, as it was found, tried again in a process of its own; seed %d", size, o.Seed)}
	}
	return []string{
		fmt.Sprintf("%s, found by %s at schedule %d; seed %d", size, f.Strategy, f.Schedule, o.Seed),
		reduction(f),
	}
}

// reduction says what minimisation has achieved.
func reduction(f *verdict.Failure) string {
	text := fmt.Sprintf("found with %s in %s", source.Plural(f.Found, "preemption"), source.Plural(f.FoundSteps, "step"))
	enough := "fewer preemptions are not enough"
	if f.Found < f.Preemptions { // nothing else costs more than a preemption
		text += ", and a goroutine held up for longer"
		enough = "without that " + enough
	}
	if f.Found != f.Preemptions || f.FoundSteps != f.Steps {
		text += fmt.Sprintf("; minimised to %d in %d", f.Preemptions, f.Steps)
	}
	if f.Minimal && f.Preemptions > 0 {
		text += "; " + enough
	}
	return text
}
