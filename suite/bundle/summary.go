package bundle

import (
	"fmt"
	"html"
	"strings"
)

// mostSummary is below GitHub's limit for the summary of a step, in bytes.
const mostSummary = 900_000

// Summary returns the run as Markdown: the failures, and as many reports as fit.
func (r *Run) Summary() string {
	var b strings.Builder
	n := r.Counts()
	fmt.Fprintf(&b, "### Jacquard: %s\n\n%s\n", r.Word(), n)
	if why := r.Lacks(); why != "" {
		fmt.Fprintf(&b, "\n%s\n", why)
	}
	if n.Failed+n.Known > 0 {
		b.WriteString("\n| test | failure | where |\n|---|---|---|\n")
	}
	var reports strings.Builder
	for _, p := range r.Packages {
		for _, t := range p.Tests {
			if !t.Told() {
				continue
			}
			what := t.Finding.Kind + ": " + t.Finding.Message
			if !t.Failed() {
				what = "known · " + what
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(t.Name), cell(what), cell(t.Place.String()))
			fmt.Fprintf(&reports, "\n<details><summary>%s.%s</summary>\n\n<pre>%s</pre>\n</details>\n", html.EscapeString(p.Name), html.EscapeString(t.Name), html.EscapeString(t.text()))
		}
		if p.Trouble != "" {
			fmt.Fprintf(&reports, "\n<details><summary>%s</summary>\n\n<pre>%s</pre>\n</details>\n", html.EscapeString(p.Name), html.EscapeString(p.Trouble))
		}
	}
	if text := reports.String(); b.Len()+len(text) < mostSummary {
		b.WriteString(text)
	} else {
		b.WriteString("\nThe reports are too long for this page: index.html of the run has them.\n")
	}
	return b.String()
}

// cell escapes a text for a Markdown table.
func cell(text string) string {
	text = strings.NewReplacer("|", "\\|", "\n", " ", "`", "'").Replace(text)
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}
