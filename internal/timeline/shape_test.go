package timeline_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/jacquard-go/jacquard/internal/timeline"
)

var (
	escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")
	rowLine = regexp.MustCompile(`^ *[0-9]+ ?│`)
)

// cells is the width of a line whose characters the tests chose: a second
// opinion on the package's own measure, good for these scripts only.
func cells(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Mn):
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana), strings.ContainsRune("ー👍🏽ｆｕｌ", r):
			n += 2
		default:
			n++
		}
	}
	return n
}

// checkShape checks what must be true of every text: nothing too wide,
// nothing unprintable, straight columns, no more rows than allowed, and colour
// that only adds.
func checkShape(t *testing.T, tl *timeline.Timeline, o timeline.Options, got string) {
	t.Helper()
	o.Color = true
	coloured := text(t, tl, o)
	o.Color = false
	plain := text(t, tl, o)
	if stripped := escapes.ReplaceAllString(coloured, ""); stripped != plain {
		t.Errorf("coloured text without its escapes: got\n%s\nwant\n%s", stripped, plain)
	}
	if stripped := escapes.ReplaceAllString(got, ""); stripped != plain {
		t.Errorf("second text: got\n%s\nwant\n%s", plain, stripped)
	}
	if plain == "" || !strings.HasSuffix(plain, "\n") {
		t.Fatalf("text: got %q, want lines", plain)
	}
	lines := strings.Split(strings.TrimSuffix(plain, "\n"), "\n")
	checkLines(t, lines, tl, o)
	checkColumns(t, lines)
	checkRows(t, lines, tl, o)
}

func checkLines(t *testing.T, lines []string, tl *timeline.Timeline, o timeline.Options) {
	t.Helper()
	limit := o.Width
	if limit <= 0 {
		limit = 120
	}
	limit = max(limit, 40)
	for i, line := range lines {
		if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("line %d cannot be printed: %q", i+1, line)
		}
		if strings.TrimRight(line, " ") != line {
			t.Errorf("line %d ends in blanks: %q", i+1, line)
		}
		if i == len(lines)-1 && tl.Replay != "" {
			if !strings.HasPrefix(line, "replay:") {
				t.Errorf("last line: got %q, want the replay line", line)
			}
			continue
		}
		if n := cells(line); n > limit {
			t.Errorf("line %d: got %d cells, want at most %d: %q", i+1, n, limit, line)
		}
	}
}

// positions lists the cells in which r stands.
func positions(line string, r rune) []int {
	var all []int
	at := 0
	for _, c := range line {
		if c == r {
			all = append(all, at)
		}
		at += cells(string(c))
	}
	return all
}

// checkColumns checks that the bars of every row of the table stand below the
// crosses of the rule.
func checkColumns(t *testing.T, lines []string) {
	t.Helper()
	rule := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "┼") })
	if rule < 0 {
		return
	}
	want := positions(lines[rule], '┼')
	for i, line := range lines {
		if !strings.Contains(line, "│") {
			continue
		}
		if got := positions(line, '│'); !slices.Equal(got, want) {
			t.Errorf("line %d: got bars at %v, want %v: %q", i+1, got, want, line)
		}
	}
}

// checkRows checks the number of rows, and that every mark is there if all
// rows are.
func checkRows(t *testing.T, lines []string, tl *timeline.Timeline, o timeline.Options) {
	t.Helper()
	want, conflicts, failed := 0, 0, 0
	for _, s := range tl.Steps {
		if o.Verbose || s.Matters || s.Mark != timeline.None {
			want++
		}
		if s.Mark.Has(timeline.Conflict) {
			conflicts++
		}
		if s.Mark.Has(timeline.Failed) {
			failed++
		}
	}
	got := 0
	for _, line := range lines {
		if rowLine.MatchString(line) {
			got++
		}
	}
	limit, complete := o.MaxRows, o.Verbose || got == want
	switch {
	case o.Verbose, limit > 0 && want <= limit:
		limit = want
	case limit <= 0 && got < want && got >= 12 && (len(lines) <= 40 || got == 12):
		limit = got // what a screen holds
	case limit <= 0:
		limit = want
	}
	if got != limit {
		t.Errorf("rows: got %d, want %d", got, limit)
	}
	all := strings.Join(lines, "\n")
	if !complete {
		conflicts, failed = min(conflicts, strings.Count(all, "◀ conflict")), min(failed, limit)
	}
	if got := strings.Count(all, "◀ conflict"); got != conflicts {
		t.Errorf("conflicts: got %d, want %d", got, conflicts)
	}
	if got := strings.Count(all, "✗ failed"); got != failed {
		t.Errorf("failed steps: got %d, want %d", got, failed)
	}
}
