package steps

import (
	"errors"
	"slices"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// landed checks that no change lands in a changeset after its caller has got a newer one or has
// seen one listed.
func (s *scene) landed([]string) error {
	final, err := s.ask(0, "list the changesets", "")
	if err != nil {
		return err
	}
	for _, k := range s.tasks {
		if err := k.landed(final.sets); err != nil {
			return err
		}
	}
	return nil
}

// landed compares what a caller saw with the changesets in the end.
func (k *task) landed(final []lifecycle.Changeset) error {
	newest := "" // of the changesets that this caller knows
	for _, a := range k.answers {
		switch {
		case a.err != nil:
			return violated("%s: %s: got %v", a.by, a.call, a.err)
		case a.verb == "record a change":
			if in := holders(final, pathOf(a.n)); newest != "" && len(in) == 1 && before(final, in[0], newest) {
				return violated("%s knew of changeset %s, and then its change landed in %s", a.by, newest, in[0])
			}
		case a.verb == "start a changeset", a.verb == "read the plan's changeset":
			newest = later(final, newest, a.id)
		case a.verb == "list the changesets":
			if late := lateIn(final, a.sets, newest); late != "" {
				return violated("%s got changeset %s, and later a change landed in %s", a.by, newest, late)
			}
			for _, c := range a.sets {
				newest = later(final, newest, c.ID)
			}
		}
	}
	return nil
}

// lateIn returns a changeset older than newest that has more entries in the end than it had in a
// listing.
func lateIn(final, listed []lifecycle.Changeset, newest string) string {
	for _, c := range final {
		i := slices.IndexFunc(listed, func(l lifecycle.Changeset) bool { return l.ID == c.ID })
		if newest != "" && i >= 0 && before(final, c.ID, newest) && len(c.Entries) > len(listed[i].Entries) {
			return c.ID
		}
	}
	return ""
}

// before reports whether a is older than b.
func before(all []lifecycle.Changeset, a, b string) bool { return ageOf(all, a) < ageOf(all, b) }

// later returns the newer of two changesets.
func later(all []lifecycle.Changeset, a, b string) string {
	if ageOf(all, b) > ageOf(all, a) {
		return b
	}
	return a
}

// ageOf returns a changeset's index among all, oldest first, or -1.
func ageOf(all []lifecycle.Changeset, id string) int {
	return slices.IndexFunc(all, func(c lifecycle.Changeset) bool { return c.ID == id })
}

// holders returns the changesets that have a change, one for each time they have it.
func holders(all []lifecycle.Changeset, path string) (ids []string) {
	for _, c := range all {
		for _, e := range c.Entries {
			if e.Path == path {
				ids = append(ids, c.ID)
			}
		}
	}
	return ids
}

func (s *scene) recorded([]string) error {
	final, err := s.ask(0, "list the changesets", "")
	if err != nil {
		return err
	}
	for _, a := range s.answers(func(verb string) bool { return verb == "record a change" }) {
		in := holders(final.sets, pathOf(a.n))
		switch {
		case a.err == nil && len(in) != 1:
			return violated("%s has recorded a change, and it is in %q", a.by, in)
		case a.err == nil && a.id != "" && a.id != in[0]:
			return violated("%s was told that its change is in %s, and it is in %s", a.by, a.id, in[0])
		case a.err != nil && !errors.Is(a.err, lifecycle.ErrNoActiveChangeset):
			return violated("%s got %v", a.by, a.err)
		case a.err != nil && len(in) > 0:
			return violated("%s was refused (%v), and its change is in %q", a.by, a.err, in)
		}
	}
	return nil
}

// known checks that each instance lists all changesets with all changes.
func (s *scene) known([]string) error {
	for i := range s.instances {
		listing, err := s.ask(i, "list the changesets", "")
		if err != nil {
			return err
		}
		for _, a := range s.writes() {
			switch {
			case a.err != nil:
				return violated("%s: %s: got %v", a.by, a.call, a.err)
			case a.verb == "start a changeset" && ageOf(listing.sets, a.id) < 0:
				return violated("%s has started changeset %s, and instance %d does not know it", a.by, a.id, i+1)
			case a.verb == "record a change" && len(holders(listing.sets, pathOf(a.n))) != 1:
				return violated("%s has recorded a change, and to instance %d it is in %q", a.by, i+1, holders(listing.sets, pathOf(a.n)))
			}
		}
	}
	return nil
}
