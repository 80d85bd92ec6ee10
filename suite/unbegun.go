package suite

import (
	"regexp"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/suite/output"
)

// unbegun returns the tests that were not begun for lack of time.
func (r *run) unbegun() (names []string) {
	if !r.partial {
		return nil
	}
	return r.remaining()
}

// remaining returns the tests that the package's files declare, that are selected and that have not
// begun.
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

// chosen reports whether a pattern selects a top-level test.
func chosen(pattern, name string, empty bool) bool {
	top, _, _ := strings.Cut(pattern, "/")
	if top == "" {
		return empty
	}
	matched, err := regexp.MatchString(top, name)
	return matched && err == nil
}

// Chosen reports whether a pattern of go test's flag -run selects a top-level test.
func Chosen(pattern, name string) bool { return chosen(pattern, name, true) }

// mostNamed bounds the names of tests that were not begun.
const mostNamed = 10

// named joins names with commas, and says how many are left out.
func named(names []string) string {
	if len(names) <= mostNamed {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:mostNamed], ", ") + " and " + output.Thousands(len(names)-mostNamed) + " more"
}

// missed lists the tests that were not begun.
func (r *run) missed() string {
	names := r.unbegun()
	if len(names) == 0 || r.cfg.JSON {
		return ""
	}
	return "jacquard: not begun: " + named(names) + "\n"
}
