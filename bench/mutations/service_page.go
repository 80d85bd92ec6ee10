package mutations

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// A cell is the result of one instrument for one mutation.
type cell string

// Results of instruments that have found nothing.
const (
	notRun   cell = "not run"
	notFound cell = "**not found**"
	givenUp  cell = "given up"
	nowhere  cell = "–"
)

// redBefore is the prefix of the result of an instrument that fails without the mutation too.
const redBefore = "red without it: "

// found reports whether the mutation was found.
func (c cell) found() bool { return strings.HasPrefix(string(c), "found") }

// longest is how many characters of a finding a cell shows.
const longest = 70

func found(why string, after time.Duration) cell {
	why = strings.Join(strings.Fields(strings.ReplaceAll(why, "|", "/")), " ")
	if text := []rune(why); len(text) > longest {
		why = string(text[:longest]) + "…"
	}
	return cell(fmt.Sprintf("found after %.0f s: %s", after.Seconds(), why))
}

// A line holds the results for a mutation, by instrument.
type line struct {
	cells []cell
	at    []string // by instrument: the commit that was measured; empty if none was
}

// earlier stands for the commit of results in a page that does not name it.
const earlier = "earlier"

// note records the result of an instrument at a commit.
func (l line) note(instrument int, c cell, commit string) {
	if c == nowhere || c == notRun {
		commit = ""
	}
	l.cells[instrument], l.at[instrument] = c, commit
}

// commits returns text that says which commit was measured with which instruments.
func (l line) commits() string {
	var order []string
	with := make(map[string][]string)
	for j, look := range instruments {
		if at := l.at[j]; at != "" {
			if with[at] == nil {
				order = append(order, at)
			}
			with[at] = append(with[at], look.name)
		}
	}
	for i, at := range order {
		order[i] = at + ": " + strings.Join(with[at], ", ")
	}
	return strings.Join(order, "; ")
}

// commitOf returns the commit of an instrument from the text of commits.
func commitOf(commits, instrument string) string {
	for part := range strings.SplitSeq(commits, "; ") {
		at, with, _ := strings.Cut(part, ": ")
		if slices.Contains(strings.Split(with, ", "), instrument) {
			return at
		}
	}
	return earlier
}

// known reads the lines from the page, if there is one, or from several pages in one file.
func (s comparison) known() ([]line, error) {
	lines := make([]line, len(shipped))
	rows := make(map[string]line)
	for i, m := range shipped {
		lines[i] = line{make([]cell, len(instruments)), make([]string, len(instruments))}
		rows[m.name] = lines[i]
		for j := range instruments {
			lines[i].note(j, notRun, "")
		}
	}
	text, err := os.ReadFile(s.page.File)
	if errors.Is(err, fs.ErrNotExist) {
		return lines, nil
	}
	for text := range strings.Lines(string(text)) {
		parts := strings.Split(text, "|") // the first and the last part are outside the table
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		if len(parts) < len(instruments)+3 {
			continue
		}
		l, ok := rows[parts[1]]
		for j, look := range instruments {
			if c := cell(parts[j+2]); ok && c != notRun {
				l.note(j, c, commitOf(parts[len(instruments)+2], look.name))
			}
		}
	}
	return lines, err
}

const introduction = `# Which instrument finds what is wrong

Each line is a small change of package cache, of package lifecycle or of those beneath
it that breaks what they promise: M1 to M10 and C1 to C3 put a step between a look and
what is done by it, those from H1 on are harder, E1 to E3 are about events. Each was made
by itself, and the instruments looked for it in the rows that are about it: features in the scenarios of a
tag, stress in the campaigns of ours, fuzz in the targets of ours from an empty corpus,
soak on a SQLite file, and the tests of lifecycle/explored, or of cache/explored for what
no service does to a cache. A cell says what was found
first, and after how long; where it says “–” the instrument has nothing to do with what
is broken: soak, which has several processes, with what is in the memory of one; soak and
lifecycle/explored, which open each store once and then begin, with two who make an
engine or migrate it at a time.
Where it says “red without it” the instrument has complained of the tree without the
change already, and was not asked about it. The last column says which commit was
measured with which instrument: a run asks again what it is told to, and leaves the rest.

`

// told returns the page.
func (s comparison) told(ctx context.Context, known []line) string {
	var b strings.Builder
	b.WriteString(introduction)
	b.WriteString("The last run: " + s.page.Made(ctx, s.budgets()))
	b.WriteString("| mutation | " + strings.Join(names(), " | ") + " | measured |\n|---" + strings.Repeat("|---", len(instruments)+1) + "|\n")
	for i, m := range shipped {
		b.WriteString("| " + m.name)
		for _, c := range known[i].cells {
			b.WriteString(" | " + string(c))
		}
		b.WriteString(" | " + known[i].commits() + " |\n")
	}
	b.WriteString("\n" + summary(known))
	return b.String()
}

func (s comparison) budgets() string {
	how := map[bool]string{true: "with -short, "}[s.short] + map[bool]string{true: "features and lifecycle/explored without the race detector, "}[s.norace]
	return how + fmt.Sprintf("stress for %v, fuzz for %s a target, soak for %v", s.stress, s.fuzz, s.soak)
}

// summary counts the mutations that each instrument found.
func summary(known []line) string {
	var b strings.Builder
	for j, look := range instruments {
		n := map[bool]int{}
		for i := range known {
			switch c := known[i].cells[j]; c {
			case notRun, nowhere:
			default:
				n[c.found()]++
			}
		}
		fmt.Fprintf(&b, "- %s: found %d of the %d that it was asked for\n", look.name, n[true], n[true]+n[false])
	}
	three := 0
	for _, l := range known {
		n := 0
		for _, c := range l.cells {
			if c.found() {
				n++
			}
		}
		if n >= 3 {
			three++
		}
	}
	fmt.Fprintf(&b, "- found by three or more: %d of %d\n", three, len(known))
	return b.String()
}
