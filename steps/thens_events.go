package steps

import (
	"context"
	"slices"
	"strconv"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// hear reads the events up to the one that is the last when it begins.
func (s *service) hear(ctx context.Context, by asker) (a answer) {
	var last lifecycle.Cursor
	if last, a.err = s.of(by).LastEvent(ctx); a.err != nil {
		return a
	}
	for e, err := range s.of(by).Events(ctx, 0) {
		if a.err = err; err != nil {
			return a
		}
		a.ids, a.at, a.names = append(a.ids, e.PlanID), append(a.at, e.Position), append(a.names, strconv.FormatInt(e.Version, 10))
		if e.Cursor == last {
			return a
		}
	}
	return a
}

// heard checks that all callers, and each instance afterwards, heard the same events, that each
// plan's versions are consecutive, and that its last event has its current position.
func (s *scene) heard([]string) error {
	meanwhile := s.answers(func(verb string) bool { return verb == "hear the events" })
	final, err := s.everywhere("hear the events", "")
	if err != nil {
		return err
	}
	for _, a := range slices.Concat(meanwhile, final) {
		if a.err != nil {
			return violated("%s: %v", a.by, a.err)
		}
		versions := make(map[string]int)
		for i, id := range a.ids {
			if versions[id]++; a.names[i] != strconv.Itoa(versions[id]) {
				return violated("%s heard that plan %s has version %s, want %d", a.by, id, a.names[i], versions[id])
			}
			if i >= len(final[0].ids) || a.ids[i] != final[0].ids[i] || a.names[i] != final[0].names[i] {
				return violated("%s heard the events in another order than others", a.by)
			}
		}
	}
	plans, err := s.ask(0, "list the plans", "")
	if err != nil {
		return err
	}
	for i, id := range plans.ids {
		last := len(final[0].ids) - 1
		for last >= 0 && final[0].ids[last] != id {
			last--
		}
		if last < 0 || final[0].at[last] != plans.at[i] {
			return violated("plan %s is at %s, which nobody has heard", id, plans.at[i])
		}
	}
	return nil
}
