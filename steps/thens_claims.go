package steps

import (
	"errors"
	"slices"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// claimsKept checks that a caller that has claimed a plan can keep it until it gives the plan back,
// and not afterwards, whatever others do.
func (s *scene) claimsKept([]string) error {
	for _, k := range s.tasks {
		has := false
		for _, a := range k.answers {
			kept := a.verb == "keep the plan"
			switch {
			case a.verb == "claim the plan" && a.err != nil && !errors.Is(a.err, lifecycle.ErrClaimed),
				kept && has && a.err != nil:
				return violated("%s: %s: got %v", a.by, a.call, a.err)
			case kept && !has && a.err == nil:
				return violated("%s does not have the plan, and keeps it", a.by)
			case a.verb == "claim the plan":
				has = has || a.err == nil
			case a.verb == "give the plan back":
				has = false
			}
		}
	}
	return nil
}

// broughtHome checks that each recorded change was applied, by the caller that applied the plan.
func (s *scene) broughtHome([]string) error {
	var home []string
	for _, a := range s.answers(func(verb string) bool { return verb == "bring the plan home" }) {
		if a.err != nil {
			return violated("%s got %v", a.by, a.err)
		}
		home = append(home, a.ids...)
	}
	for _, a := range s.answers(func(verb string) bool { return verb == "record a change" }) {
		n := 0
		for _, path := range home {
			if path == pathOf(a.n) {
				n++
			}
		}
		if want := map[bool]int{true: 1}[a.err == nil]; n != want || a.err != nil && !errors.Is(a.err, lifecycle.ErrFinished) {
			return violated("%s recorded a change, %v, and it was brought home %d times", a.by, a.err, n)
		}
	}
	return nil
}

// placed checks that later changes come after those that a listing has shown.
func (s *scene) placed([]string) error {
	final, err := s.ask(0, "list the changesets", "")
	if err != nil {
		return err
	}
	now := pathsOf(final.sets)
	for _, a := range s.answers(func(verb string) bool { return verb == "record a change" || verb == "list the changesets" }) {
		if a.err != nil {
			return violated("%s: %s: got %v", a.by, a.call, a.err)
		}
		if was := pathsOf(a.sets); len(was) > len(now) || !slices.Equal(was, now[:len(was)]) {
			return violated("%s listed the changes %q, and afterwards they are %q", a.by, was, now)
		}
	}
	return nil
}

// sealed checks that a changeset that a listing has shown closed has as many changes in the end as
// it had there.
func (s *scene) sealed([]string) error {
	final, err := s.ask(0, "list the changesets", "")
	if err != nil {
		return err
	}
	for _, a := range s.answers(func(verb string) bool { return verb == "list the changesets" }) {
		for _, c := range a.sets {
			now := final.sets[ageOf(final.sets, c.ID)]
			if !c.Open() && len(now.Entries) != len(c.Entries) {
				return violated("%s saw changeset %s closed with %d changes, and it has %d", a.by, c.ID, len(c.Entries), len(now.Entries))
			}
		}
		if a.err != nil {
			return violated("%s: %s: got %v", a.by, a.call, a.err)
		}
	}
	return nil
}

// pathsOf returns the paths that the changesets change, in order.
func pathsOf(all []lifecycle.Changeset) (paths []string) {
	for _, c := range all {
		for _, e := range c.Entries {
			paths = append(paths, e.Path)
		}
	}
	return paths
}
