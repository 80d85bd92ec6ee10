package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
)

// Difference says where two recorded executions first differ.
func Difference(a, b *engine.Execution) string {
	first, second := a.Trace.(*Recorder), b.Trace.(*Recorder)
	for i := range max(len(first.events), len(second.events)) {
		was, is := first.describe(a, i), second.describe(b, i)
		if was != is {
			return fmt.Sprintf("Step %d was %s, then %s", i+1, was, is)
		}
	}
	return "They part in code that is not shown"
}

// describe returns a description of step i that can be compared between executions.
func (r *Recorder) describe(ex *engine.Execution, i int) string {
	if i >= len(r.events) {
		return "the end"
	}
	e := r.events[i]
	if e.log {
		return fmt.Sprintf("a line by %q", ex.Name(e.task))
	}
	text := fmt.Sprintf("%s by %q", cmp.Or(fmt.Sprint(e.Site.Op), "a step"), ex.Name(e.task))
	if where := source.Where(e.Site.User); where != "" {
		text += " at " + where
	}
	return strings.TrimSpace(text + " " + e.outcome)
}
