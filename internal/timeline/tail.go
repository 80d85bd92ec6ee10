package timeline

import (
	"cmp"
	"slices"
	"strings"
)

// cause prints the causal sentence.
func (p *page) cause(text string) {
	if text != "" {
		p.gap()
		p.paragraph(span{"cause: ", strong}, span{text, plain})
	}
}

// blame prints whose bug the failure is.
func (p *page) blame(text string) {
	if text != "" {
		label, why, _ := strings.Cut(text, ": ")
		p.gap()
		p.paragraph(span{label + ": ", strong}, span{why, plain})
	}
}

// waits draws the wait-for cycle and lists all waiting threads, each once.
func (p *page) waits(cycle, blocked []Wait) {
	if len(cycle) > 0 {
		p.gap()
		p.print(line{{"wait-for cycle:", strong}})
		p.cycle(cycle)
	}
	all := everyWait(cycle, blocked)
	if len(all) > 0 {
		p.gap()
		p.print(line{{"waiting at the end:", strong}})
	}
	for _, w := range all {
		p.paragraph(span{text: "  "}, span{w.Thread, strong}, span{sentence(w), plain}, span{w.Where, faint})
	}
}

// everyWait returns the entries of a cycle and then those of blocked that are not in it.
func everyWait(cycle, blocked []Wait) []Wait {
	all := slices.Clone(cycle)
	for _, w := range blocked {
		if !slices.Contains(cycle, w) {
			all = append(all, w)
		}
	}
	return all
}

// cycle draws A ─waits for→ mu#1 ─held by→ B … and starts anew where an entry's thread is not the
// previous holder.
func (p *page) cycle(cycle []Wait) {
	const indent = "  "
	f := flow{width: p.width - len(indent)}
	flush := func() {
		for _, l := range f.lines {
			p.print(append(line{{text: indent}}, l...))
		}
		f.lines, f.used = nil, 0
	}
	for i, w := range cycle {
		if i == 0 || cycle[i-1].Holder != w.Thread {
			flush()
			f.add(span{w.Thread, strong})
		}
		f.whole(span{"─waits for→", warn})
		f.add(span{w.Object, plain})
		if w.Holder != "" {
			f.whole(span{"─" + clean(w.how()) + "→", faint})
			f.add(span{w.Holder, strong})
		}
	}
	flush()
}

// sentence says what a thread waits for.
func sentence(w Wait) string {
	text := cmp.Or(w.Does, "waits")
	if w.Object != "" {
		text += " for " + w.Object
	}
	if w.Holder != "" {
		text += ", " + w.how() + " " + w.Holder
	}
	if w.Where != "" {
		text += ", at"
	}
	return text
}

// races prints both stacks of data races.
func (p *page) races(races []Race, verbose bool) {
	for i, r := range races {
		if i == manyRaces && !verbose {
			p.paragraph(span{}, span{count(len(races)-i, "more data race") + hint, faint})
			return
		}
		p.gap()
		p.paragraph(span{}, span{raceTitle(r), strong})
		n := frameWidth(r)
		for _, a := range r.Accesses {
			p.access(a, n)
		}
	}
}

func raceTitle(r Race) string {
	if r.Address == "" {
		return "data race"
	}
	return "data race on " + r.Address
}

// accessTitle says which thread made which access.
func accessTitle(a Access) string {
	if a.Thread == "" {
		return a.Kind
	}
	return strings.TrimPrefix(a.Kind+" by "+a.Thread, " ")
}

// access prints one half of a race, with the places n cells to the right.
func (p *page) access(a Access, n int) {
	p.paragraph(span{text: "  "}, span{accessTitle(a), warn})
	for _, frame := range a.Stack {
		fn, at := splitFrame(frame)
		p.frame(fn, at, n)
	}
}

func (p *page) frame(fn, at string, n int) {
	const indent = "    "
	l := line{{indent, plain}, {fn, plain}}.pad(len(indent) + n)
	if at != "" {
		l = l.add(span{text: "  "}).add(span{at, faint})
	}
	if l.width() <= p.width {
		p.print(l)
		return
	}
	p.paragraph(span{text: indent}, span{fn, plain}, span{at, faint})
}

// frameWidth returns the width of the functions of a race, up to a limit.
func frameWidth(r Race) int {
	const most = 48
	n := 0
	for _, a := range r.Accesses {
		for _, frame := range a.Stack {
			fn, _ := splitFrame(frame)
			n = max(n, min(width(fn), most))
		}
	}
	return n
}

// splitFrame splits "func file:line".
func splitFrame(frame string) (fn, at string) {
	frame = clean(frame)
	if i := strings.LastIndexByte(frame, ' '); i > 0 {
		return strings.TrimRight(frame[:i], " "), frame[i+1:]
	}
	return frame, ""
}

// footer prints the figures and, at the end, the replay line.
func (p *page) footer(footer []string, replay string) {
	if len(footer) > 0 || replay != "" {
		p.gap()
	}
	for _, text := range footer {
		p.verbatim("", text, faint)
	}
	if replay != "" {
		p.print(line{{"replay: ", plain}, {clean(replay), strong}})
	}
}
