package suite

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/suite/output"
)

// A tally counts tests, and how they were explored.
type tally struct {
	tests, concurrent, own int
	unknown, outside, once int
	unexplored             []string // why tests with schedules to choose from ran only the first, each reason once
	first                  int      // how many such tests there are
	schedules, distinct    int
	what                   []string // what was not controlled, each once
	told                   bool     // each test is reported, so the tally need not explain

	halted         bool          // the run was interrupted
	begun, unbegun int           // tests without enough time: during or before their first schedule
	open           []openTest    // tests that could use more time
	longest        time.Duration // the largest need of a package
	times          int           // how many times the time such tests need
}

// tally returns the package's tally.
func (r *run) tally() (n tally) {
	n.told, n.halted = r.told(), r.halted != nil
	for _, t := range r.tests {
		n.count(t)
		if t.explorable() && !t.failed() && (t.result == nil || t.result.Schedules < 2 && t.result.Claim == "" && t.unknown() == "") {
			n.first++
			n.leave([]string{r.short(t)})
		}
		if t.cut {
			n.begun++
			n.times = max(n.times, times(t.left))
		}
		if o, ok := r.open(t); ok {
			n.open = append(n.open, o)
		}
	}
	n.unbegun = len(r.unbegun())
	n.longest = r.need(n.open)
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
	if t.failedOnce() {
		n.once++
	}
	if len(e.Outside) > 0 {
		n.outside++
		n.name(e.Outside)
	}
	if t.concurrent() {
		n.concurrent++
		n.schedules += e.Schedules + e.Besides
		n.distinct += e.Distinct
	}
}

// leave records why tests were not explored.
func (n *tally) leave(why []string) {
	for _, text := range why {
		if !slices.Contains(n.unexplored, text) {
			n.unexplored = append(n.unexplored, text)
		}
	}
}

// waits separates the name of a goroutine from what it has waited for.
const waits = "\" waited for "

// name records what was not controlled, without details.
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
	n.once += o.once
	n.outside += o.outside
	n.schedules += o.schedules
	n.distinct += o.distinct
	n.first += o.first
	n.halted = n.halted || o.halted
	n.begun += o.begun
	n.unbegun += o.unbegun
	n.open = append(n.open, o.open...)
	n.longest = max(n.longest, o.longest)
	n.times = max(n.times, o.times)
	n.leave(o.unexplored)
	n.name(o.what)
	n.told = n.told || o.told
}

// closing returns the last lines: a total, if there are several packages, and what more time would
// have been used for.
func (n *tally) closing(c Config, packages, failed int) string {
	text := ""
	if packages > 1 {
		text = output.Plural(packages, "package")
		if failed > 0 {
			text += fmt.Sprintf(", %d failed", failed)
		}
		text += ": " + n.String() + "\n"
	}
	return text + n.more(c)
}

func (n tally) String() string {
	text := output.Plural(n.tests, "test")
	if n.concurrent > 0 {
		text += fmt.Sprintf(", %d concurrent, %s (%s distinct)", n.concurrent, output.Plural(n.schedules, "schedule"), output.Thousands(n.distinct))
	}
	if n.first > 0 && !n.told {
		text += fmt.Sprintf(", %d run only once (%s)", n.first, strings.Join(n.unexplored, ", "))
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
	if n.once > 0 {
		text += fmt.Sprintf(", %d failed once and not again", n.once)
		if !n.told {
			text += " (-v says why)"
		}
	}
	if n.outside > 0 {
		text += fmt.Sprintf(", %d not wholly controlled (%s)", n.outside, strings.Join(n.what, ", "))
	}
	if n.begun > 0 {
		text += fmt.Sprintf(", %d cut off in the first schedule", n.begun)
	}
	if n.unbegun > 0 {
		text += fmt.Sprintf(", %d not begun", n.unbegun)
	}
	return text
}
