package suite

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/suite/output"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// news returns the notes about tests that did not fail, for runs that report only failures.
func (r *run) news() string {
	var b strings.Builder
	for _, t := range r.tests {
		if text := r.noted(t); text != "" && !t.failed() {
			word := "PASS"
			if len(t.known()) > 0 {
				word = t.word()
			}
			fmt.Fprintf(&b, "--- %s: %s (%.2fs)\n%s", word, t.name, t.took.Seconds(), output.Indent(text))
		}
	}
	return b.String()
}

// noted returns the notes on a test.
func (r *run) noted(t *test) string {
	var b strings.Builder
	for _, n := range t.notes {
		if !n.old || r.told() {
			b.WriteString(n.line + "\n")
		}
	}
	return b.String() + r.lines(t)
}

// story returns the section of a test: its output in the discovery run, with the result.
func (r *run) story(t *test, discovered string) string {
	if !t.failed() {
		if len(t.known()) > 0 {
			discovered = verdictOf(t.name).ReplaceAllString(discovered, "") // a known failure does not count
		}
		doubt := ""
		text, failed, subtests := output.Unfailed(t.name, discovered)
		switch discovered = text; {
		case failed:
			doubt = t.discovered.Reason + "\n"
		case len(subtests) > 0 && t.cut:
			doubt = "by then had failed: " + named(subtests) + "\n"
		}
		if r.told() && output.VerdictLine(t.name, discovered) == nil {
			discovered = r.begun(t, discovered) + fmt.Sprintf("%s--- %s: %s (0.00s)\n", r.marker(), t.word(), t.name)
		}
		return r.before(t, discovered, output.Indent(r.figures(t)+doubt+r.noted(t)))
	}
	text := discovered
	if t.result != nil && t.result.Verdict == violated {
		text = t.result.Output
	}
	return r.failure(t, text)
}

// failure returns the section of a failed test.
func (r *run) failure(t *test, text string) string {
	text = r.begun(t, text)
	text = passed(t.name).ReplaceAllString(text, "") // exploring has overruled the discovery run
	if output.VerdictLine(t.name, text) == nil {
		text += r.marker() + "--- FAIL: " + t.name + " (0.00s)\n"
	}
	why := t.last().Report
	if t.died != "" {
		why = t.died + "\n" + t.words
	}
	why = r.noted(t) + why
	if r.told() {
		return r.before(t, text, output.Indent(why)) // a test's output precedes its verdict
	}
	return r.before(t, text, "") + output.Indent(why)
}

// begun returns the output of a test as whole lines, after its RUN line if all tests are reported.
func (r *run) begun(t *test, text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if line := "=== RUN   " + t.name + "\n"; r.told() && !strings.Contains(text, line) {
		text = output.Marker + line + text
	}
	return text
}

// before inserts lines before the verdict line of a test, in which it sets the time taken.
func (r *run) before(t *test, text, lines string) string {
	at := output.VerdictLine(t.name, text)
	if at == nil {
		return text
	}
	said := text[:at[0]]
	if said != "" && !strings.HasSuffix(said, "\n") {
		said += "\n"
	}
	if r.cfg.JSON && lines != "" {
		lines = output.Marker + "=== NAME  " + t.name + "\n" + lines // whatever test was named last
	}
	return said + lines + r.attribute(t) + fmt.Sprintf("%s--- %s: %s (%.2fs)", r.marker(), text[at[2]:at[3]], t.name, t.took.Seconds()) + text[at[1]:]
}

// marker returns the prefix of package testing's lines.
func (r *run) marker() string {
	if r.told() {
		return output.Marker
	}
	return ""
}

// passed matches the line that says that a test has passed, with those of its subtests.
func passed(name string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\x16?--- PASS: ` + regexp.QuoteMeta(name) + ` \(.*\)\n(?:    .*\n)*`)
}

// verdictOf matches the verdict line of a test, with the lines below it.
func verdictOf(name string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\x16?--- (?:PASS|FAIL): ` + regexp.QuoteMeta(name) + ` \(.*\)\n(?:    .*\n)*`)
}

// figures describes how a test was explored, and what was not controlled; "" if there was nothing
// to explore.
func (r *run) figures(t *test) string {
	e := t.last()
	var parts []string
	switch {
	case e.Own:
		parts = append(parts, "explores by itself")
	case t.unknown() != "":
		parts = append(parts, "unknown: "+t.unknown())
	case t.concurrent():
		parts = append(parts, fmt.Sprintf("%s, %s distinct by happens-before, %s", output.Plural(e.Schedules, "schedule"), output.Thousands(e.Distinct), output.Plural(e.Points, "point")))
		if e.Coarse {
			parts = append(parts, fmt.Sprintf("after %s in turns of many operations", output.Plural(r.cfg.MaxSteps, "step")))
		}
	}
	if t.failedOnce() {
		parts = append(parts, "once: "+t.once)
	}
	switch {
	case t.before:
		parts = append(parts, "explored by an earlier run")
	case e.Claim != "" && t.concurrent():
		parts = append(parts, e.Claim)
	case t.explorable() && t.result == nil:
		parts = append(parts, "not explored: "+r.short(t))
	}
	if len(e.Outside) > 0 {
		parts = append(parts, "not controlled: "+strings.Join(e.Outside, ", "))
		if slices.Contains(e.Outside, others) {
			parts = append(parts, "what other processes change on disk is not seen")
		}
	}
	if len(e.Leaked) > 0 {
		parts = append(parts, "left behind: "+strings.Join(e.Leaked, ", "))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + "\n"
}

// short returns why a test was not explored.
func (r *run) short(t *test) string {
	if r.halted != nil {
		return "interrupted"
	}
	if r.stop() {
		return "another test has failed"
	}
	if r.exit != "" {
		return "the process that ran it first failed"
	}
	if r.waits(t) {
		return fmt.Sprintf("it starts other processes, and %d schedules would take more than the budget of %v", fewest, r.cfg.Budget)
	}
	if least := (&exploration{test: t}).least(); least > r.cfg.Budget {
		return fmt.Sprintf("that would take more than %v, and the budget is %v", least.Round(time.Second), r.cfg.Budget)
	}
	return "the budget was over"
}

// mostLeft bounds the tests that are named at the end for leaving goroutines behind.
const mostLeft = 5

// leftBehind lists at the end the tests that leave goroutines behind in every schedule, unless that
// is a failure or not to be reported.
func (r *run) leftBehind() string {
	if r.cfg.JSON || r.cfg.Leaks != protocol.LeaksDiffer {
		return ""
	}
	var b strings.Builder
	n := 0
	for _, t := range r.tests {
		left := t.last().Leaked
		if t.result == nil || t.failed() || len(left) == 0 {
			continue
		}
		if n++; n > mostLeft {
			continue
		}
		fmt.Fprintf(&b, "    %s: %s", t.name, left[0])
		if len(left) > 1 {
			fmt.Fprintf(&b, ", and %d of other kinds", len(left)-1)
		}
		b.WriteString("\n")
	}
	switch {
	case n == 0:
		return ""
	case n > mostLeft:
		fmt.Fprintf(&b, "    and %s more\n", output.Plural(n-mostLeft, "test"))
	}
	return fmt.Sprintf("jacquard: left behind by %s in every schedule that ran (-leaks fail makes that a failure, -leaks note keeps it to -v):\n", output.Plural(n, "test")) + b.String()
}

// timings says at the end if most failures need a delayed goroutine. Of one that was not reduced, which
// is when they are sought without delays, it is not known.
func (r *run) timings() string {
	failed, timing := 0, 0
	for _, t := range r.tests {
		if t.failed() {
			failed++
		}
		if t.failed() && t.died == "" && t.last().Kind == protocol.Timing && t.last().FoundSteps > 0 {
			timing++
		}
	}
	if r.cfg.JSON || timing < 2 || 2*timing <= failed {
		return ""
	}
	return fmt.Sprintf("jacquard: %d of the %s that failed fail only where a goroutine that could run is held up while a timer fires, as on a busy machine: they rely on a sleep or a time-out (-stall 0 holds nobody up; up to %v now)\n",
		timing, output.Plural(failed, "test"), r.cfg.Stall)
}

// paces lists at the end the tests that take far longer in some schedules than in others.
func (r *run) paces() string {
	var b strings.Builder
	for _, t := range r.tests {
		if pace := t.last().Pace; pace != "" && !t.failed() && !r.cfg.JSON {
			fmt.Fprintf(&b, "    %s: %s\n", t.name, pace)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "jacquard: the schedule decides how long it takes, as where a timer makes up for a lost wake-up:\n" + b.String()
}

// summary returns the package's line.
func (r *run) summary(took time.Duration) string {
	word := "ok  "
	switch {
	case !r.ok():
		word = "FAIL"
	case r.unfinished():
		word = "?   "
	}
	line := fmt.Sprintf("%s\t%s\t%.3fs", word, r.ImportPath, took.Seconds())
	switch {
	case len(r.tests) > 0:
		line += "\t" + r.tally().String()
	case r.idle && r.ok():
		line += " [no tests to run]"
	}
	if r.cfg.Shard.Count > 1 {
		line += fmt.Sprintf(" (shard %v)", r.cfg.Shard)
	}
	switch {
	case r.halted != nil:
		line += " (interrupted)"
	case r.spent:
		line += fmt.Sprintf(" (the budget of %v was over)", r.cfg.Budget)
	}
	return line + "\n"
}
