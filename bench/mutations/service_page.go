package mutations

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"
)

// A cell says what came of one instrument and one mutation.
type cell string

// What came of those that have found nothing.
const (
	notRun   cell = "not run"
	notFound cell = "**not found**"
	givenUp  cell = "given up"
	nowhere  cell = "–"
)

// redBefore begins what an instrument says that is red without the mutation.
const redBefore = "red without it: "

// found reports whether the mutation was found.
func (c cell) found() bool { return strings.HasPrefix(string(c), "found") }

// longest is how many characters of what was found a cell tells.
const longest = 70

func found(why string, after time.Duration) cell {
	why = strings.Join(strings.Fields(strings.ReplaceAll(why, "|", "/")), " ")
	if text := []rune(why); len(text) > longest {
		why = string(text[:longest]) + "…"
	}
	return cell(fmt.Sprintf("found after %.0f s: %s", after.Seconds(), why))
}

// known reads the cells off the page, if there is one.
func (s comparison) known() ([][]cell, error) {
	cells := make([][]cell, len(shipped))
	rows := make(map[string]int)
	for i, m := range shipped {
		rows[m.name] = i
		cells[i] = make([]cell, len(instruments))
		for j := range cells[i] {
			cells[i][j] = notRun
		}
	}
	text, err := os.ReadFile(s.page.File)
	if errors.Is(err, fs.ErrNotExist) {
		return cells, nil
	}
	for line := range strings.Lines(string(text)) {
		parts := strings.Split(strings.TrimSpace(line), " | ")
		i, ok := rows[strings.TrimPrefix(parts[0], "| ")]
		if !ok || len(parts) != len(instruments)+1 {
			continue
		}
		for j, part := range parts[1:] {
			cells[i][j] = cell(strings.TrimSuffix(part, " |"))
		}
	}
	return cells, err
}

const introduction = `# Which instrument finds what is wrong

Each line is a small change of package cache, of package lifecycle or of those beneath
it that breaks what they promise: M1 to M10 and C1 to C3 put a step between a look and
what is done by it, those from H1 on are harder. Each was made by itself, and the
instruments looked for it in the rows that are about it: features in the scenarios of a
tag, stress in the campaigns of ours, fuzz in the targets of ours from an empty corpus,
soak on a SQLite file, and the tests of lifecycle/explored. A cell says what was found
first, and after how long; where it says “–” the instrument has nothing to do with what
is broken, such as soak, which has several processes, with what is in the memory of one.
Where it says “red without it” the instrument has complained of the tree without the
change already, and was not asked about it.

`

// told is the page.
func (s comparison) told(ctx context.Context, known [][]cell) string {
	var b strings.Builder
	b.WriteString(introduction)
	b.WriteString("The last run: " + s.page.Made(ctx, s.budgets()))
	b.WriteString("| mutation | " + strings.Join(names(), " | ") + " |\n|---" + strings.Repeat("|---", len(instruments)) + "|\n")
	for i, m := range shipped {
		b.WriteString("| " + m.name)
		for _, c := range known[i] {
			b.WriteString(" | " + string(c))
		}
		b.WriteString(" |\n")
	}
	b.WriteString("\n" + summary(known))
	return b.String()
}

func (s comparison) budgets() string {
	how := map[bool]string{true: "as in make test, "}[s.short] + map[bool]string{true: "features and lifecycle/explored without the race detector, "}[s.norace]
	return how + fmt.Sprintf("stress for %v, fuzz for %s a target, soak for %v", s.stress, s.fuzz, s.soak)
}

// summary counts.
func summary(known [][]cell) string {
	var b strings.Builder
	for j, look := range instruments {
		n := map[bool]int{}
		for i := range known {
			switch c := known[i][j]; c {
			case notRun, nowhere:
			default:
				n[c.found()]++
			}
		}
		fmt.Fprintf(&b, "- %s: found %d of the %d that it was asked for\n", look.name, n[true], n[true]+n[false])
	}
	three := 0
	for _, cells := range known {
		n := 0
		for _, c := range cells {
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
