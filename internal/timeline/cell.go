package timeline

import "strings"

// Lines of a cell that may describe what the step did: operation and object leave some for the
// value. The outcome and the marks come after these and are never cut.
const (
	maxOpLines   = 4
	maxStepLines = 6
)

// maxOutcome is how many cells of an outcome are shown.
const maxOutcome = 60

// cell says what a step did, in lines of n cells at most.
func cell(s *Step, n int) []line {
	base := plain
	if !s.shown(false) {
		base = faint
	}
	f := flow{width: n}
	limit := (n + 1) * (maxStepLines + 1) // cells; more would be clipped
	for _, text := range []string{s.Op, s.Object} {
		text, _ = cut(text, limit)
		f.add(span{text, base})
	}
	f.clip(maxOpLines)
	value, _ := cut(s.Value, limit)
	f.add(span{value, data})
	f.clip(maxStepLines)
	if s.Outcome != "" {
		f.add(span{"(" + shortenMiddle(clean(s.Outcome), maxOutcome) + ")", warn})
	}
	for _, sign := range signs(s.Mark) {
		f.whole(sign)
	}
	return f.lines
}

// signs returns the words for a step's marks. Stopped has none: the line below the step shows it.
func signs(m Mark) []span {
	var all []span
	if m.Has(Preempted) {
		all = append(all, span{"(resumed)", warn})
	}
	if m.Has(Conflict) {
		all = append(all, span{"◀ conflict", mark})
	}
	if m.Has(Failed) {
		all = append(all, span{"✗ failed", bad})
	}
	return all
}

// place returns the place of a step, in n cells.
func place(s *Step, n int) line {
	if s.Where == "" {
		return nil
	}
	return line{{shortenStart(clean(s.Where), n), faint}}
}

// places returns the place of a step, with the line number on a line of its own if both do not fit
// in n cells.
func places(s *Step, n int) []line {
	at := clean(s.Where)
	i := strings.LastIndexByte(at, ':')
	if width(at) <= n || i < 0 {
		if l := place(s, n); l != nil {
			return []line{l}
		}
		return nil
	}
	return []line{{{shortenStart(at[:i], n), faint}}, {{shortenStart(at[i:], n), faint}}}
}

// natural returns the width that the step needs to be on one line, up to a limit.
func natural(s *Step) int {
	const enough = 400
	n := 0
	for _, l := range cell(s, enough) {
		n = max(n, l.width())
	}
	return n
}
