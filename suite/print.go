package suite

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// print is what go test prints of a package's tests: with all of them told of,
// everything in the order of the tests; else what failed, after all that was
// written.
func (r *run) print() string {
	var b strings.Builder
	told := make(map[*test]bool)
	for _, s := range r.text {
		t := r.find(s.test)
		if t == nil || told[t] {
			b.WriteString(s.text)
			continue
		}
		told[t] = true
		b.WriteString(r.story(t, s.text))
	}
	for _, t := range r.tests {
		if !told[t] && (t.failed() || r.told()) { // it, or one before it, has closed the standard output
			b.WriteString(r.story(t, ""))
		}
	}
	if !r.told() {
		b.WriteString(r.news())
	}
	return b.String()
}

// news are the notes about tests that did not fail, where not all are told of.
func (r *run) news() string {
	var b strings.Builder
	for _, t := range r.tests {
		if text := r.noted(t); text != "" && !t.failed() {
			fmt.Fprintf(&b, "--- PASS: %s (%.2fs)\n%s", t.name, t.took.Seconds(), indent(text))
		}
	}
	return b.String()
}

// noted is what is to be said of a test.
func (r *run) noted(t *test) string {
	var b strings.Builder
	for _, n := range t.notes {
		if !n.old || r.told() {
			b.WriteString(n.line + "\n")
		}
	}
	return b.String()
}

// find returns the test of that name, nil if there is none.
func (r *run) find(name string) *test {
	i := slices.IndexFunc(r.tests, func(t *test) bool { return t.name == name })
	if i < 0 {
		return nil
	}
	return r.tests[i]
}

// story is the section of a test, as it was surveyed, with what came of it.
func (r *run) story(t *test, surveyed string) string {
	if !t.failed() {
		if r.told() && verdictLine(t.name, surveyed) == nil {
			surveyed = r.begun(t, surveyed) + fmt.Sprintf("%s--- %s: %s (0.00s)\n", r.marker(), t.word(), t.name)
		}
		return r.before(t, surveyed, indent(r.figures(t)+r.noted(t)))
	}
	text := surveyed
	if t.result != nil && t.result.Verdict == violated {
		text = t.result.Output
	}
	return r.failure(t, text)
}

// failure is the section of a test that failed.
func (r *run) failure(t *test, text string) string {
	text = r.begun(t, text)
	text = passed(t.name).ReplaceAllString(text, "") // the survey's word is not the last one
	if verdictLine(t.name, text) == nil {
		text += r.marker() + "--- FAIL: " + t.name + " (0.00s)\n"
	}
	why := t.last().Report
	if t.died != "" {
		why = t.died + "\n" + t.words
	}
	why = r.noted(t) + why
	if r.told() {
		return r.before(t, text, indent(why)) // all that is of a test comes before its verdict
	}
	return r.before(t, text, "") + indent(why)
}

// begun is what a test has written, as whole lines and with the one that says
// that it runs, if tests are told of.
func (r *run) begun(t *test, text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if line := "=== RUN   " + t.name + "\n"; r.told() && !strings.Contains(text, line) {
		text = marker + line + text
	}
	return text
}

// before puts lines of a test before that of its verdict, in which it puts the time
// that was needed.
func (r *run) before(t *test, text, lines string) string {
	at := verdictLine(t.name, text)
	if at == nil {
		return text
	}
	said := text[:at[0]]
	if said != "" && !strings.HasSuffix(said, "\n") {
		said += "\n"
	}
	if r.cfg.JSON && lines != "" {
		lines = marker + "=== NAME  " + t.name + "\n" + lines // whoever was named last
	}
	return said + lines + fmt.Sprintf("%s--- %s: %s (%.2fs)", r.marker(), text[at[2]:at[3]], t.name, t.took.Seconds()) + text[at[1]:]
}

// marker is what package testing's lines begin with.
func (r *run) marker() string {
	if r.told() {
		return marker
	}
	return ""
}

// passed is the line that says that a test has passed, with those of its
// subtests.
func passed(name string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\x16?--- PASS: ` + regexp.QuoteMeta(name) + ` \(.*\)\n(?:    .*\n)*`)
}

// figures say how a test was explored, and what was not controlled; "" if there
// was nothing to explore.
func (r *run) figures(t *test) string {
	e := t.last()
	var parts []string
	switch {
	case e.Own:
		parts = append(parts, "explores by itself")
	case t.unknown() != "":
		parts = append(parts, "unknown: "+t.unknown())
	case t.concurrent():
		parts = append(parts, fmt.Sprintf("%s, %s distinct, %s", plural(e.Schedules, "schedule"), thousands(e.Distinct), plural(e.Points, "point")))
		if e.Coarse {
			parts = append(parts, fmt.Sprintf("after %s in turns of many operations", plural(r.cfg.MaxSteps, "step")))
		}
	}
	switch {
	case t.before:
		parts = append(parts, "explored by an earlier run")
	case e.Exhausted && t.concurrent():
		parts = append(parts, "exhausted")
	case e.Incomplete != "" && t.concurrent():
		parts = append(parts, "cannot be exhausted: "+e.Incomplete)
	case e.Bound != nil && t.concurrent():
		parts = append(parts, "exhausted at ≤ "+plural(*e.Bound, "preemption"))
	case t.explorable() && t.result == nil:
		parts = append(parts, "not explored: "+r.short(t))
	}
	if len(e.Outside) > 0 {
		parts = append(parts, "not controlled: "+strings.Join(e.Outside, ", "))
	}
	if len(e.Leaked) > 0 {
		parts = append(parts, "left behind: "+strings.Join(e.Leaked, ", "))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + "\n"
}

// short is why a test was not explored.
func (r *run) short(t *test) string {
	if r.stop() {
		return "another test has failed"
	}
	if r.waits(t) {
		return fmt.Sprintf("it starts other processes, and %d schedules would take more than the budget of %v", fewest, r.cfg.Budget)
	}
	if least := (&exploration{test: t}).least(); least > r.cfg.Budget {
		return fmt.Sprintf("that would take more than %v, and the budget is %v", least.Round(time.Second), r.cfg.Budget)
	}
	return "the budget was over"
}

// summary is the line of the package.
func (r *run) summary(took time.Duration) string {
	word := "ok  "
	if !r.ok() {
		word = "FAIL"
	}
	line := fmt.Sprintf("%s\t%s\t%.3fs", word, r.ImportPath, took.Seconds())
	switch {
	case len(r.tests) > 0:
		line += "\t" + r.tally().String()
	case r.idle && r.ok():
		line += " [no tests to run]"
	}
	return line + "\n"
}
