package suite

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/suite/output"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A teller prints the results of a package as soon as they are known. It is safe for concurrent
// use.
type teller struct {
	mu   sync.Mutex
	out  io.Writer
	err  error // of the first failed write
	told map[*test]bool
	at   map[int]bool // sections that were printed
}

func newTeller(out io.Writer) *teller {
	return &teller{out: out, told: make(map[*test]bool), at: make(map[int]bool)}
}

// write prints a text, without package testing's markers unless they will be converted to JSON.
func (r *run) write(text string) {
	if !r.cfg.JSON {
		text = strings.ReplaceAll(output.NamesNone.ReplaceAllString(text, ""), output.Marker, "")
	}
	if _, err := io.WriteString(r.teller.out, text); err != nil && r.teller.err == nil {
		r.teller.err = err
	}
}

// settle marks a test's result as final, and prints what can be printed now.
func (r *run) settle(t *test) {
	r.teller.mu.Lock()
	defer r.teller.mu.Unlock()
	t.pending = false
	r.tell(false)
}

// settleBut marks the results of all tests as final except those still being explored, and those that
// may be run once more.
func (r *run) settleBut(rest []*exploration) {
	r.teller.mu.Lock()
	defer r.teller.mu.Unlock()
	for _, t := range r.tests {
		t.pending = t.cut && !r.again || slices.ContainsFunc(rest, func(x *exploration) bool { return x.test == t })
	}
	r.tell(false)
}

// tell prints what go test prints for a package: if all tests are reported, everything in their
// order; otherwise the failures, after all other output. Before the last call, a test that is still
// explored delays those after it, except failures.
func (r *run) tell(last bool) {
	failed := last && !r.ok() || r.failedSoFar()
	switch {
	case !r.told() && !failed && last:
		r.write(r.news())
		return
	case !r.told() && !failed:
		return
	}
	named := make(map[string]*test)
	for _, t := range r.tests {
		named[t.name] = t
	}
	waiting := false
	for i, s := range r.text {
		if r.teller.at[i] {
			continue
		}
		t := named[s.Test]
		if t != nil && t.pending && !last {
			waiting = true
		}
		if waiting && (t == nil || t.pending || !t.failed()) {
			continue
		}
		r.teller.at[i] = true
		r.write(r.section(t, s.Text))
	}
	if !last {
		return
	}
	for _, t := range r.tests {
		if !r.teller.told[t] && (t.failed() || r.told()) { // it, or an earlier test, has closed the standard output
			r.write(r.section(t, ""))
		}
	}
	if !r.told() {
		r.write(r.news())
	}
}

// section returns what to print for a section of a test, or of none.
func (r *run) section(t *test, text string) string {
	if t == nil || r.teller.told[t] {
		return text
	}
	r.teller.told[t] = true
	story := r.story(t, text)
	if t.announced && r.cfg.JSON {
		story = strings.Replace(story, output.Marker+"=== RUN   "+t.name+"\n", output.Marker+"=== NAME  "+t.name+"\n", 1)
	}
	return story
}

// failedSoFar reports whether a test with a final result has failed.
func (r *run) failedSoFar() bool {
	for _, t := range r.tests {
		if !t.pending && t.failed() {
			return true
		}
	}
	return false
}

// announce prints at once that a test has failed.
func (r *run) announce(t *test, e protocol.Event) {
	if t.excuses(e) {
		return
	}
	text := fmt.Sprintf("%s.%s fails", r.ImportPath, t.name)
	if e.Message != "" {
		text += ": " + oneLine(e.Message)
	}
	if e.Found && e.Strategy != "" {
		how := "; it is being reduced"
		switch {
		case e.Another:
			how = ", beside the first"
		case e.Reduced:
			how = ""
		}
		text += fmt.Sprintf(" (%s, found by %s at schedule %s%s)", e.Kind, e.Strategy, output.Thousands(e.Schedules), how)
	}
	if !r.cfg.JSON {
		r.cfg.Found(text)
		return
	}
	r.teller.mu.Lock()
	defer r.teller.mu.Unlock()
	if r.teller.told[t] {
		return
	}
	head := output.Marker + "=== NAME  " + t.name + "\n"
	if !t.announced {
		head = output.Marker + "=== RUN   " + t.name + "\n"
	}
	t.announced = true
	r.write(head + output.Indent(text))
}

// brief describes a failure on one line.
func brief(kind, message string) string { return kind + ": " + oneLine(message) }

// oneLine shortens a message to one line: its first line and, if that is only a place in the code,
// as in testify's messages, the part after "Error:", or else the next line.
func oneLine(message string) string {
	lines := strings.FieldsFunc(message, func(r rune) bool { return r == '\n' })
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	if len(lines) < 2 || !strings.HasSuffix(lines[0], ":") {
		return child.FirstLine(message)
	}
	at := max(slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "Error:") }), 1)
	text := lines[0] + " " + strings.TrimSpace(strings.TrimPrefix(lines[at], "Error:"))
	if at++; strings.HasSuffix(text, ":") && at < len(lines) {
		text += " " + strings.Join(lines[at:min(at+2, len(lines))], ", ")
	}
	return text
}

// asFound returns a failure that there was no time to finish.
func (r *run) asFound(t *test, found protocol.Event, why string) *protocol.Event {
	if t.reduced != nil {
		e := *t.reduced
		e.Found, e.Reduced = false, false
		e.Report += fmt.Sprintf("\n%s before all that it hides was looked for\n", why) + r.othersFound(t)
		return &e
	}
	e := t.discovered
	e.Found = false
	e.Schedules, e.Distinct = found.Schedules, max(found.Distinct, 1)
	if found.Card == "" {
		seenOnce(&e, found, why)
		e.Report += r.othersFound(t)
		return &e
	}
	fails(&e, found)
	var b strings.Builder
	fmt.Fprintf(&b, "violated: %s\n  %s\n\n", e.Kind, e.Message)
	size := output.Plural(e.Preemptions, "preemption") + " in " + output.Plural(e.Steps, "step")
	if e.Quantum {
		size += ", besides those of goroutines that had run for long"
	}
	fmt.Fprintf(&b, "%s, found by %s at schedule %s; seed %d\n", size, e.Strategy, output.Thousands(e.Schedules), r.cfg.Seed)
	if found.Instead {
		fmt.Fprintf(&b, "%s before all that it hides was looked for\n", why)
	} else {
		fmt.Fprintf(&b, "%s before it was reduced, and tried again in a process of its own\n", why)
	}
	if e.Kind == protocol.Timing {
		b.WriteString("goroutines were held up in it; whether it fails without that is not known\n")
	}
	req := r.request(protocol.Explore)
	fmt.Fprintf(&b, "replay: %s\n", req.ReplayLine(t.name, e.Card))
	e.Report = b.String() + r.othersFound(t)
	return &e
}

// othersFound describes the failures besides the one reported.
func (r *run) othersFound(t *test) (text string) {
	for _, other := range t.beside {
		text += "\n" + r.otherFound(t, other)
	}
	return text
}

// fails makes e's verdict that of a failure as it was found.
func fails(e *protocol.Event, found protocol.Event) {
	e.Verdict, e.Reason, e.Blame, e.Evidence = violated, "", "", ""
	e.Kind, e.Message, e.Cause, e.Card, e.Strategy = found.Kind, found.Message, found.Cause, found.Card, found.Strategy
	e.Schedule, e.Preemptions, e.Quantum, e.Steps = found.Schedules, found.Preemptions, found.Quantum, found.Steps
}

// seenOnce sets the result for a failure that was not repeated for lack of time. If it may not be
// due to the schedule, the verdict is unknown.
func seenOnce(e *protocol.Event, found protocol.Event, why string) {
	doubt := found.Doubt
	if doubt == "" && e.Depends {
		doubt = "it may be of what is outside"
	}
	if doubt != "" && found.Kind != race {
		e.Verdict, e.Reason = unknown, fmt.Sprintf("schedule %s failed (%s), but %s, and %s", output.Thousands(found.Schedules), brief(found.Kind, found.Message), doubt, why)
		return
	}
	found.Card = "" // its card was not confirmed
	fails(e, found)
	e.Report = fmt.Sprintf("violated: %s\n  %s\n\nseen once, in schedule %s; there was no time to run that again: %s\n", found.Kind, oneLine(found.Message), output.Thousands(found.Schedules), why)
}

// otherFound describes a further failure.
func (r *run) otherFound(t *test, e protocol.Event) string {
	doubt := ""
	if e.Unconfirmed {
		doubt = ", not confirmed yet"
	}
	text := fmt.Sprintf("another failure%s: %s\n  %s\nfound by %s at schedule %s\n", doubt, e.Kind, e.Message, e.Strategy, output.Thousands(e.Schedules))
	if e.Card != "" {
		req := r.request(protocol.Explore)
		text += fmt.Sprintf("replay: %s\n", req.ReplayLine(t.name, e.Card))
	}
	return text
}
