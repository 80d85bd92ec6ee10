package timeline

import "strings"

// ellipsis stands for what was left out.
const ellipsis = "…"

// A flow breaks text into lines of a given width. A run of blanks inside a
// line stays as it is, since it may be part of a value.
type flow struct {
	width int // cells, at least 2 so that every rune fits
	lines []line
	used  int // cells of the last line
}

// add adds the words of s, each separated from what is before it by a blank.
func (f *flow) add(s span) {
	if s.text == "" {
		return
	}
	words := strings.Split(clean(s.text), " ")
	for i, word := range words {
		if word == "→" && i+1 < len(words) {
			words[i+1] = "→ " + words[i+1] // never at the end of a line
			continue
		}
		f.whole(span{word, s.style})
	}
}

// whole adds s without breaking it at blanks; only if it is wider than a
// whole line is it broken at all.
func (f *flow) whole(s span) {
	room := f.width - f.used - 1
	switch {
	case len(f.lines) == 0:
		f.newline()
	case fits(s.text, room):
		f.put(f.blank(s.style))
	default:
		f.newline()
	}
	for !fits(s.text, f.width) {
		head, tail := breakWord(s.text, f.width)
		f.put(span{head, s.style})
		f.newline()
		s.text = tail
	}
	f.put(s)
}

// blank is the blank before a word in the style st: of the same style inside
// one run, so that a run is one span.
func (f *flow) blank(st style) span {
	last := f.lines[len(f.lines)-1]
	if len(last) > 0 && last[len(last)-1].style == st {
		return span{" ", st}
	}
	return span{text: " "}
}

func (f *flow) newline() {
	f.lines = append(f.lines, nil)
	f.used = 0
}

func (f *flow) put(s span) {
	last := &f.lines[len(f.lines)-1]
	*last = last.add(s)
	f.used += width(s.text)
}

// clip keeps at most n lines and ends the last one with … if any went.
func (f *flow) clip(n int) {
	if len(f.lines) <= n {
		return
	}
	f.lines = f.lines[:n]
	last := f.lines[n-1]
	f.lines[n-1] = nil
	f.used = 0
	for _, s := range last {
		head, _ := cut(s.text, f.width-1-f.used)
		f.put(span{head, s.style})
	}
	f.put(span{text: ellipsis})
}

// breakWord splits a word that is wider than n cells, at punctuation if there
// is some in the second half of what fits: "atomic.Int64." + "Add", and
// "timeline." + "(*Page).Print".
func breakWord(word string, n int) (head, tail string) {
	head, _ = cut(word, n)
	for i := len(head); i > len(head)/2; i-- {
		if strings.IndexByte("./:_-,)=", word[i-1]) >= 0 || strings.IndexByte("([{", word[i]) >= 0 {
			return word[:i], word[i:]
		}
	}
	return head, word[len(head):]
}

// shortenStart keeps the end of s: of a path, that is the file and the line.
func shortenStart(s string, n int) string {
	if fits(s, n) {
		return s
	}
	return ellipsis + end(s, n-1)
}

// shortenFunc keeps the end of a function's name, from the start of a part if
// one fits: "…RecordChange", not "…).RecordChange".
func shortenFunc(name string, n int) string {
	if fits(name, n) {
		return name
	}
	tail := end(name, n-1)
	if i := strings.IndexAny(tail, "./"); i >= 0 && i+1 < len(tail) {
		tail = tail[i+1:]
	}
	return ellipsis + tail
}

// shortenMiddle keeps both ends of s: of a name, that is the kind and the
// number.
func shortenMiddle(s string, n int) string {
	if fits(s, n) {
		return s
	}
	head, _ := cut(s, (n-1)/2)
	return head + ellipsis + end(s, n-1-width(head))
}
