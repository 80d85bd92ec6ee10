package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/races"
)

// printTable prints the main job's table: a row for each race, and under it
// what happened in each cell that is violated. It writes once.
func printTable(out io.Writer, catalogue []races.Race, cells verdicts, canaries int, seed uint64) error {
	var b strings.Builder
	fmt.Fprintf(&b, "races · %s %s/%s · controlled · race detector on · seed %d\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, seed)
	printRows(&b, catalogue, cells)
	printHappened(&b, cells)
	fmt.Fprintf(&b, "\n  %s told apart first: the instrument is in order\n", command.Plural(canaries, "planted program"))
	wrong := cells.wrong()
	printWrong(&b, wrong)
	if len(wrong) == 0 {
		fmt.Fprintf(&b, "  all %d cells are what they must be\n", len(cells))
	}
	if id := worthShowing(cells); id != "" {
		fmt.Fprintf(&b, "  show one:   %s replay %s\n", invocation, id)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func printRows(b *strings.Builder, catalogue []races.Race, cells verdicts) {
	w := aligned(b)
	fmt.Fprint(w, "  race\t\tas reported\tas suggested\tours\n")
	for _, r := range catalogue {
		row := []string{fmt.Sprintf("  %s %s", r.ID, r.Title), fmt.Sprintf("#%d", r.Issue)}
		for _, column := range races.Columns() {
			text := noCell
			if c, ok := r.Cell(column); ok {
				text = cells.text(c.ID)
			}
			row = append(row, text)
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush() // a builder takes everything
}

// noCell stands where a race has no cell: no fix was suggested.
const noCell = "–"

// text is what the table says of the cell with that identifier.
func (v verdicts) text(id string) string {
	if j, ok := v.find(id); ok {
		return j.short()
	}
	return "not run"
}

func printHappened(b *strings.Builder, cells verdicts) {
	w := aligned(b)
	said := false
	for _, j := range cells {
		o := j.answer.Outcome
		if o == nil || o.Kind == "" {
			continue
		}
		if !said {
			fmt.Fprint(w, "\n  what happened\n")
			said = true
		}
		fmt.Fprintf(w, "  %s\t%s\n", j.ID, command.OneLine(o.Message))
		if n := len(o.Races); n > 0 {
			fmt.Fprintf(w, "\tand, noted besides, %s\n", command.Plural(n, "data race"))
		}
	}
	_ = w.Flush() // a builder takes everything
}

// aligned makes columns as wide as what is in them.
func aligned(b *strings.Builder) *tabwriter.Writer {
	return tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
}

// short is a cell of the table.
func (j judged) short() string {
	o := j.answer.Outcome
	if o == nil {
		return "! error"
	}
	mark := map[string]string{"violated": "✗", "holds": "✓"}[o.Verdict]
	if mark == "" {
		mark = "?"
	}
	if !j.right() {
		mark = "!" + mark
	}
	switch {
	case o.Verdict == "violated":
		return fmt.Sprintf("%s schedule %d, %d preempt, %s", mark, o.Schedule, o.Preemptions, o.Strategy)
	case o.Verdict != "holds":
		return mark + " unknown"
	case o.Unbounded:
		return fmt.Sprintf("%s exhausted (all %d)", mark, o.Searched)
	case o.Exhausted:
		return fmt.Sprintf("%s exhausted (≤%d, %d)", mark, o.Bound, o.Searched)
	}
	return fmt.Sprintf("%s sampled %d, %d distinct", mark, o.Schedules, o.Distinct)
}

func printWrong(out io.Writer, wrong verdicts) {
	for _, j := range wrong {
		fmt.Fprintf(out, "  WRONG %s: got %s; want %s\n", j.ID, j.got(), j.wanted())
	}
}

// worthShowing is the cell whose execution is to be looked at first: one that
// should not have failed, or that of a suggested fix that does not fix.
func worthShowing(cells verdicts) string {
	best := ""
	for _, j := range cells {
		if j.answer.Outcome == nil || j.answer.Outcome.Card == "" {
			continue
		}
		if !j.right() {
			return j.ID
		}
		if best == "" || j.ID == "R4/suggested" {
			best = j.ID
		}
	}
	return best
}
