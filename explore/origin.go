package explore

import "fmt"

// origin says where a failing schedule is from and how it was reduced.
func (f *Failure) origin(seed uint64) []string {
	size := fmt.Sprintf("%s in %s", plural(f.Preemptions, "preemption"), plural(f.Steps, "step"))
	if r := f.replayed; r != nil {
		if r.Outcome == Exact {
			return []string{size + ", exactly replayed from its card"}
		}
		return []string{size + ", from a card", r.String()}
	}
	return []string{
		fmt.Sprintf("%s, found by %s at schedule %d; seed %d", size, f.Strategy, f.Schedule, seed),
		f.reduction(),
	}
}

// reduction says what minimisation has made of the schedule.
func (f *Failure) reduction() string {
	text := fmt.Sprintf("found with %s in %s", plural(f.Found, "preemption"), plural(f.FoundSteps, "step"))
	if f.Found != f.Preemptions || f.FoundSteps != f.Steps {
		text += fmt.Sprintf("; minimised to %d in %d", f.Preemptions, f.Steps)
	}
	if f.Minimal && f.Preemptions > 0 {
		text += "; fewer preemptions are not enough"
	}
	return text
}
