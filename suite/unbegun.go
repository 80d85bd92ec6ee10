package suite

import (
	"regexp"
	"slices"
	"strings"
)

// unbegun are the tests that there was no time to begin.
func (r *run) unbegun() (names []string) {
	if !r.partial {
		return nil
	}
	return r.remaining()
}

// remaining are the tests that the package's files declare, as far as they are to be
// run, and that have not begun.
func (r *run) remaining() (names []string) {
	elsewhere := r.elsewhere()
	for _, name := range r.Declared() {
		began := slices.Contains(elsewhere, name) || slices.ContainsFunc(r.tests, func(t *test) bool { return t.name == name })
		if !began && chosen(r.cfg.Run, name, true) && !(r.cfg.Skip != "" && deep(r.cfg.Skip) == "" && chosen(r.cfg.Skip, name, false)) {
			names = append(names, name)
		}
	}
	return names
}

// chosen reports whether a pattern chooses a top-level test.
func chosen(pattern, name string, empty bool) bool {
	top, _, _ := strings.Cut(pattern, "/")
	if top == "" {
		return empty
	}
	matched, err := regexp.MatchString(top, name)
	return matched && err == nil
}

// Chosen reports whether a pattern of go test's flag -run chooses a top-level test.
func Chosen(pattern, name string) bool { return chosen(pattern, name, true) }

// mostNamed is how many are named of those that were not begun.
const mostNamed = 10

// named are names with commas, and how many more there are.
func named(names []string) string {
	if len(names) <= mostNamed {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:mostNamed], ", ") + " and " + thousands(len(names)-mostNamed) + " more"
}

// missed says which tests were not begun.
func (r *run) missed() string {
	names := r.unbegun()
	if len(names) == 0 || r.cfg.JSON {
		return ""
	}
	return "jacquard: not begun: " + named(names) + "\n"
}
