package suite

import (
	"fmt"
	"slices"
	"strings"
)

// A tally is how many tests there were, and how they were explored.
type tally struct {
	tests, concurrent, own int
	unknown, outside       int
	schedules, distinct    int
	what                   []string // was not controlled, each once
	told                   bool     // of each test, so that nobody has to ask
}

// tally is that of a package.
func (r *run) tally() (n tally) {
	n.told = r.told()
	for _, t := range r.tests {
		n.count(t)
	}
	return n
}

// count counts a test.
func (n *tally) count(t *test) {
	e := t.last()
	n.tests++
	if e.Own {
		n.own++
	}
	if t.unknown() != "" {
		n.unknown++
	}
	if len(e.Outside) > 0 {
		n.outside++
		n.name(e.Outside)
	}
	if t.concurrent() {
		n.concurrent++
		n.schedules += e.Schedules
		n.distinct += e.Distinct
	}
}

// waits is between the name of a goroutine and what it has waited for.
const waits = "\" waited for "

// name notes what was not controlled, without its details.
func (n *tally) name(outside []string) {
	for _, what := range outside {
		if _, waited, ok := strings.Cut(what, waits); ok {
			what = waited
		}
		if i := strings.IndexAny(what, ",:;("); i > 0 {
			what = strings.TrimSpace(what[:i])
		}
		if !slices.Contains(n.what, what) {
			n.what = append(n.what, what)
		}
	}
}

// add adds the tally of another package.
func (n *tally) add(o tally) {
	n.tests += o.tests
	n.concurrent += o.concurrent
	n.own += o.own
	n.unknown += o.unknown
	n.outside += o.outside
	n.schedules += o.schedules
	n.distinct += o.distinct
	n.name(o.what)
	n.told = n.told || o.told
}

// closing is the last line about several packages; "" about one, which has said it
// all.
func (n *tally) closing(packages, failed int) string {
	if packages < 2 {
		return ""
	}
	text := plural(packages, "package")
	if failed > 0 {
		text += fmt.Sprintf(", %d failed", failed)
	}
	return text + ": " + n.String() + "\n"
}

func (n tally) String() string {
	text := plural(n.tests, "test")
	if n.concurrent > 0 {
		text += fmt.Sprintf(", %d concurrent, %s (%s distinct)", n.concurrent, plural(n.schedules, "schedule"), thousands(n.distinct))
	}
	if n.own > 0 {
		text += fmt.Sprintf(", %d explored by themselves", n.own)
	}
	if n.unknown > 0 {
		text += fmt.Sprintf(", %d unknown", n.unknown)
		if !n.told {
			text += " (-v says why)"
		}
	}
	if n.outside > 0 {
		text += fmt.Sprintf(", %d not wholly controlled (%s)", n.outside, strings.Join(n.what, ", "))
	}
	return text
}
