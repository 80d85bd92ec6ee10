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
	// MaxRows is how many steps are shown at most, unless Verbose. 0 or less
	// means 40. Beyond it the steps round the marks, the first and the last
	// remain.
	MaxRows int
}

const (
	defaultWidth = 120
	minWidth     = 40
	defaultRows  = 40
)

func (o Options) withDefaults() Options {
	if o.Width <= 0 {
		o.Width = defaultWidth
	}
	o.Width = max(o.Width, minWidth)
	if o.MaxRows <= 0 {
		o.MaxRows = defaultRows
	}
	if o.Verbose {
		o.MaxRows = 0
	}
	return o
}

// Text writes tl for people, with one write to w. No line is wider than
// o.Width but the replay line, which stays whole so that it can be pasted. The
// same timeline and options give the same bytes. The error is one of w, or
// wraps [ErrInvalid].
//
// The cost is linear in the steps, plus a sort of those that are shown.
func Text(w io.Writer, tl *Timeline, o Options) error {
	if err := tl.check(); err != nil {
		return fmt.Errorf("timeline: %w", err)
	}
	o = o.withDefaults()
	p := &page{width: o.Width, color: o.Color}
	p.title(tl)
	p.steps(tl, o)
	p.cause(tl.Cause)
	p.waits(tl.Cycle, tl.Blocked)
	p.races(tl.Races)
	p.footer(tl.Footer, tl.Replay)
	if _, err := io.WriteString(w, p.text.String()); err != nil {
		return fmt.Errorf("timeline: writing text: %w", err)
	}
	return nil
}

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

// steps prints the table and says what it leaves out.
func (p *page) steps(tl *Timeline, o Options) {
	p.gap()
	if len(tl.Steps) == 0 {
		p.paragraph(span{}, span{"no step was recorded", faint})
		return
	}
	const hint = " (-v shows all)"
	all := items(tl, o.Verbose, o.MaxRows)
	names := threadNames(tl.Threads)
	need := measure(tl, names, all)
	if len(need.threads) == 0 {
		p.paragraph(span{}, span{"no step matters, of " + count(len(tl.Steps), "step") + hint, faint})
		return
	}
	t := table{page: p, layout: choose(need, p.width), tl: tl, names: names}
	t.draw(all, hint)
	p.leftOut(tl, names, need.threads, o.Verbose)
}

// threadNames are the names as shown: one for every thread, equal ones with a
// number.
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
	hidden := make([]bool, len(names)) // has rows, all of them given up
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
