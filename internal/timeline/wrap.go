package timeline

import "strings"

// ellipsis replaces omitted text.
const ellipsis = "…"

// A flow breaks text into lines of a given width. A run of blanks inside a line is kept, because it
// may be part of a value.
type flow struct {
	width int // cells, at least 2 so that every rune fits
	lines []line
	used  int // cells of the last line
}

// add adds the words of s, separated by blanks from each other and from earlier text.
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

// whole adds s without breaking it at blanks. It breaks s only if s is wider than a whole line.
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

// blank returns the blank before a word in the style st, in the same style within a run, so that a
// run is one span.
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

// clip keeps at most n lines and ends the last one with … if lines were dropped.
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

// breakWord splits a word that is wider than n cells, after punctuation in the second half of what
// fits, if there is any: "atomic.Int64." + "Add", and "timeline." + "(*Page).Print".
func breakWord(word string, n int) (head, tail string) {
	head, _ = cut(word, n)
	for i := len(head); i > len(head)/2; i-- {
		if strings.IndexByte("./:_-,)=", word[i-1]) >= 0 || strings.IndexByte("([{", word[i]) >= 0 {
			return word[:i], word[i:]
		}
	}
	return head, word[len(head):]
}

// shortenStart keeps the end of s; for a path, this is the file and the line.
func shortenStart(s string, n int) string {
	if fits(s, n) {
		return s
	}
	return ellipsis + end(s, n-1)
}

// shortenFunc keeps the end of a function's name, from the start of a part if one fits:
// "…RecordChange", not "…).RecordChange".
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

// shortenMiddle keeps both ends of s; for a name, these are the kind and the number.
func shortenMiddle(s string, n int) string {
	if fits(s, n) {
		return s
	}
	head, _ := cut(s, (n-1)/2)
	return head + ellipsis + end(s, n-1-width(head))
}
