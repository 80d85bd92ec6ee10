package bundle

import (
	"cmp"
	"strings"

	"github.com/jacquard-go/jacquard/internal/junit"
)

// junit makes a suite of each package and a case of each test. A test without a verdict, or with a
// known failure, is skipped rather than passed.
func (r *Run) junit() (all junit.Suites) {
	for _, p := range r.Packages {
		s := junit.Suite{Name: p.Name, Time: junit.Seconds(p.Took)}
		if p.Trouble != "" {
			s.Cases = append(s.Cases, junit.Case{Class: p.Name, Name: "(package)", Failure: &junit.Text{Message: firstLine(p.Trouble), Body: p.Trouble}})
		}
		for _, t := range p.Tests {
			c := junit.Case{Class: p.Name, Name: t.Name, Time: junit.Seconds(t.Took), File: t.Place.File}
			f := t.Finding
			switch {
			case t.Failed():
				c.Failure = &junit.Text{Message: f.Message, Kind: f.Kind, Body: t.text()}
			case f.Known:
				c.Skipped, c.Output = &junit.Text{Message: "known failure " + f.Signature + ": " + f.Message}, t.text()
			case t.Word == "SKIP":
				c.Skipped = &junit.Text{Message: cmp.Or(f.Reason, t.Why, "skipped by the test")}
			default:
				c.Output = t.Notes
			}
			s.Cases = append(s.Cases, c)
		}
		all.Suites = append(all.Suites, s)
	}
	return all
}

// text returns everything that is reported of a failure.
func (t *Test) text() string {
	var parts []string
	for _, part := range []string{t.Output, t.Notes, t.Finding.Report} {
		if part = strings.Trim(part, "\n"); part != "" {
			parts = append(parts, part)
		}
	}
	if label, _, _ := strings.Cut(t.Finding.Judged(), ":"); !strings.Contains(t.Finding.Report, label+":") {
		parts = append(parts, t.Finding.Judged())
	}
	return strings.Join(parts, "\n\n") + "\n"
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
