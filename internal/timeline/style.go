package timeline

import "strings"

// A style is a text style, visible only with colours.
type style uint8

const (
	plain  style = iota
	strong       // titles, names of threads
	faint        // places, frames, what matters less
	bad          // violated, the failing step
	good         // holds
	warn         // blocked, preempted
	data         // values
	mark         // conflicts
)

// codes are the ANSI SGR parameters of each style: the eight basic colours,
// which every terminal theme keeps readable.
var codes = [...]string{plain: "", strong: "1", faint: "2", bad: "1;31", good: "32", warn: "33", data: "36", mark: "1;35"}

// A span is text in one style.
type span struct {
	text  string
	style style
}

// A line is a row of spans. Its maker limits its width.
type line []span

func (l line) width() int {
	n := 0
	for _, s := range l {
		n += width(s.text)
	}
	return n
}

// add returns l with s at its end, in one span with what went before if the
// style is the same.
func (l line) add(s span) line {
	if last := len(l) - 1; last >= 0 && l[last].style == s.style {
		l[last].text += s.text
		return l
	}
	return append(l, s)
}

// pad returns l filled with blanks to n cells.
func (l line) pad(n int) line {
	if missing := n - l.width(); missing > 0 {
		return l.add(span{text: strings.Repeat(" ", missing)})
	}
	return l
}

// A page collects finished lines.
type page struct {
	text  strings.Builder
	width int
	color bool
}

// print adds one line, without the blanks at its end.
func (p *page) print(l line) {
	for len(l) > 0 {
		last := &l[len(l)-1]
		if last.text = strings.TrimRight(last.text, " "); last.text != "" {
			break
		}
		l = l[:len(l)-1]
	}
	for _, s := range l {
		p.paint(s)
	}
	p.text.WriteByte('\n')
}

func (p *page) paint(s span) {
	if code := codes[s.style]; p.color && code != "" {
		p.text.WriteString("\x1b[" + code + "m" + s.text + "\x1b[0m")
		return
	}
	p.text.WriteString(s.text)
}

// gap adds an empty line, except at the top.
func (p *page) gap() {
	if p.text.Len() > 0 {
		p.text.WriteByte('\n')
	}
}

// paragraph adds text after a label, wrapped, with later lines indented to the end of the label.
func (p *page) paragraph(label span, text ...span) {
	indent := width(label.text)
	f := flow{width: p.width - indent}
	for _, s := range text {
		f.add(s)
	}
	for i, l := range f.lines {
		first := label
		if i > 0 {
			first = span{text: strings.Repeat(" ", indent)}
		}
		p.print(append(line{first}, l...))
	}
}

// verbatim adds one line of free text and keeps its spacing. If the line is too wide it is wrapped,
// with later lines indented like the first.
func (p *page) verbatim(indent, text string, st style) {
	text = clean(strings.ReplaceAll(text, "\t", "    "))
	if width(indent)+width(text) <= p.width {
		p.print(line{{indent, plain}, {text, st}})
		return
	}
	own := strings.TrimLeft(text, " ")
	indent += strings.Repeat(" ", min(len(text)-len(own), p.width/4))
	p.paragraph(span{text: indent}, span{own, st})
}
