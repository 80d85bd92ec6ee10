package explore

import "fmt"

// difference runs the default schedule twice more and says where the two part.
func (x *explorer) difference() string {
	a := x.execute(defaultPick{}, x.cfg.Seed, newRecorder())
	b := x.execute(defaultPick{}, x.cfg.Seed, newRecorder())
	for i := range max(len(a.trace.events), len(b.trace.events)) {
		first, second := a.describe(i), b.describe(i)
		if first != second {
			return fmt.Sprintf("Step %d was %s, then %s", i+1, first, second)
		}
	}
	return "They part in code that is not shown"
}

// describe says what step i was, in a form that can be compared between
// executions.
func (ex *execution) describe(i int) string {
	if i >= len(ex.trace.events) {
		return "the end"
	}
	e := ex.trace.events[i]
	if e.log {
		return fmt.Sprintf("a line by %q", ex.name(e.member))
	}
	return fmt.Sprintf("%s by %q at %s %s", e.site.op, ex.name(e.member), where(e.site.user), e.outcome)
}
