package timeline

import (
	"fmt"
	"io"
	"strings"
)

// Options say how [Text] shows a timeline. The zero value is a plain text of
// 120 columns.
type Options struct {
	// Color adds ANSI colours. They repeat what signs and words say.
	Color bool
	// Width is the width of the text in terminal cells. 0 or less means 120;
	// less than 40 is taken as 40.
	Width int
	// Verbose shows every step, those that do not matter included.
	Verbose bool
	// NoSteps leaves out the steps, for a failure that they do not explain.
	NoSteps bool
	// MaxRows bounds the steps shown, unless Verbose. 0 or less means as many as keep the text to
	// about 40 lines, and at least 12. Beyond it the steps around the marks, the first and the last
	// remain.
	MaxRows int
}

const (
	defaultWidth = 120
	minWidth     = 40
	screen       = 40 // lines
	leastRows    = 12
	manyRaces    = 1 // shown with their stacks, unless Verbose
)

func (o Options) withDefaults() Options {
	if o.Width <= 0 {
		o.Width = defaultWidth
	}
	o.Width = max(o.Width, minWidth)
	o.MaxRows = max(o.MaxRows, 0)
	if o.Verbose {
		o.MaxRows = 0
	}
	return o
}

// Text writes tl for people, with one write to w. No line is wider than o.Width except the replay
// line, which stays whole so that it can be pasted. The same timeline and options give the same
// bytes. The error is one of w, or wraps [ErrInvalid].
//
// The cost is linear in the steps, plus a sort of those that are shown.
func Text(w io.Writer, tl *Timeline, o Options) error {
	if err := tl.check(); err != nil {
		return fmt.Errorf("timeline: %w", err)
	}
	o = o.withDefaults()
	text := fitted(tl, o)
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("timeline: writing text: %w", err)
	}
	return nil
}

// fitted returns the text with as many rows as fit on a screen, unless the options say otherwise. A
// row may take several lines, so this needs a few tries.
func fitted(tl *Timeline, o Options) string {
	if o.Verbose || o.MaxRows > 0 {
		return written(tl, o)
	}
	o.MaxRows = screen
	for {
		text := written(tl, o)
		over := strings.Count(text, "\n") - screen
		if over <= 0 || o.MaxRows == leastRows {
			return text
		}
		o.MaxRows = max(o.MaxRows-max(over/2, 1), leastRows)
	}
}

func written(tl *Timeline, o Options) string {
	p := &page{width: o.Width, color: o.Color}
	p.title(tl)
	p.steps(tl, o)
	p.cause(tl.Cause)
	p.blame(tl.Blame)
	p.waits(tl.Cycle, tl.Blocked)
	p.races(tl.Races, o.Verbose)
	p.footer(tl.Footer, tl.Replay)
	return p.text.String()
}

// hint says how to see what is left out.
const hint = " (-v shows all)"

func (p *page) title(tl *Timeline) {
	if tl.Title != "" {
		p.paragraph(span{}, span{tl.Title, strong})
	}
	if tl.Verdict != "" {
		p.paragraph(span{}, span{tl.Verdict, verdictStyle(tl.Verdict)})
	}
	for _, detail := range tl.Details {
		for _, text := range strings.Split(strings.TrimRight(detail, "\n"), "\n") {
			p.verbatim("  ", text, plain)
		}
	}
}

func verdictStyle(verdict string) style {
	switch {
	case strings.HasPrefix(verdict, "violated"):
		return bad
	case strings.HasPrefix(verdict, "holds"):
		return good
	}
	return warn
}

// steps prints the table and the names of threads that it leaves out.
func (p *page) steps(tl *Timeline, o Options) {
	if o.NoSteps {
		return
	}
	p.gap()
	if len(tl.Steps) == 0 {
		p.paragraph(span{}, span{"no step was recorded", faint})
		return
	}
	tl, places := shortPlaces(tl)
	all := items(tl, o.Verbose, o.MaxRows)
	names := threadNames(tl.Threads)
	need := measure(tl, names, all)
	if len(need.threads) == 0 {
		p.paragraph(span{}, span{"no step matters, of " + count(len(tl.Steps), "step") + hint, faint})
		return
	}
	t := table{page: p, layout: choose(need, p.width), tl: tl, names: names, dir: places.common()}
	t.draw(all, hint)
	if t.dir == "" || !t.dirFits() {
		p.paragraph(span{}, span{places.files(), faint})
	}
	p.leftOut(tl, names, need.threads, o.Verbose)
}

// threadNames returns a name for every thread, as shown; equal names get a number.
func threadNames(threads []Thread) []string {
	names := make([]string, len(threads))
	uses := map[string]int{}
	for i, t := range threads {
		if names[i] = clean(t.Name); names[i] == "" {
			names[i] = fmt.Sprintf("thread %d", i+1)
		}
		uses[names[i]]++
	}
	seen := map[string]int{}
	for i, name := range names {
		if seen[name]++; uses[name] > 1 {
			names[i] = fmt.Sprintf("%s (%d)", name, seen[name])
		}
	}
	return names
}

// leftOut names the threads that have no row.
func (p *page) leftOut(tl *Timeline, names []string, kept []int, verbose bool) {
	const most = 8
	hasRow := make([]bool, len(names))
	for _, t := range kept {
		hasRow[t] = true
	}
	hidden := make([]bool, len(names)) // has rows, all of them dropped
	for i := range tl.Steps {
		if tl.Steps[i].shown(verbose) {
			hidden[tl.Steps[i].Thread] = true
		}
	}
	var idle, cut []string
	for t, name := range names {
		switch {
		case hasRow[t]:
		case hidden[t]:
			cut = append(cut, name)
		default:
			idle = append(idle, name)
		}
	}
	reason := "no step that matters: "
	if verbose {
		reason = "no step: "
	}
	p.paragraph(span{}, span{some(reason, idle, most), faint})
	p.paragraph(span{}, span{some("only steps that are not shown: ", cut, most), faint})
}

// some lists the first few names after a label; nothing if there are none.
func some(label string, names []string, most int) string {
	if len(names) == 0 {
		return ""
	}
	more := ""
	if extra := len(names) - most; extra > 0 {
		names = names[:most]
		more = fmt.Sprintf(" and %d more", extra)
	}
	return label + strings.Join(names, ", ") + more
}
