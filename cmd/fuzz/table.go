package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/jacquard-go/jacquard/races"
)

// verdict says in a word or two what came of a target.
func (r row) verdict() string {
	switch {
	case r.found != "" && r.want == races.Violated:
		return "found, as it must be"
	case r.found != "":
		return "FOUND"
	case r.want == races.Violated:
		return "not found yet"
	}
	return "nothing found"
}

// wrong reports whether something was found where nothing must be.
func (r row) wrong() bool { return r.found != "" && r.want != races.Violated }

// table shows what came of all targets.
func table(rows []row) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "target\tinputs\tnew\tinterleavings\t\twhat was found")
	due, met := 0, 0
	for _, r := range rows {
		interleavings := "–"
		if r.interleaving > 0 {
			interleavings = fmt.Sprint(r.interleaving)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%s\n", r.target, r.inputs, r.interesting, interleavings, r.verdict(), shorten(r.found))
		if r.want == races.Violated {
			due++
			if r.found != "" {
				met++
			}
		}
	}
	_ = w.Flush() // to a builder
	for _, r := range rows {
		if r.replay != "" {
			fmt.Fprintf(&b, "\n%s\n  %s\n", r.target, r.replay)
		}
	}
	fmt.Fprintf(&b, "\n%d targets; specimens found: %d of %d\n", len(rows), met, due)
	return b.String()
}

// shorten cuts what is too long for a table.
func shorten(s string) string {
	const most = 100
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
