package mutations

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A page keeps what an earlier run found, with its commit, and what no instrument has looked for.
func TestPageKeepsCells(t *testing.T) {
	var s comparison
	s.page.File = filepath.Join(t.TempDir(), "page.md")
	lines, err := s.known()
	if err != nil || lines[0].cells[0] != notRun {
		t.Fatalf("without a page: got %q, %v, want %q", lines[0].cells[0], err, notRun)
	}
	lines[0].note(0, found("two | have\nwon", 2*time.Second), "abcdef0")
	lines[0].note(1, found(strings.Repeat("long ", 50), 0), "abcdef1 with uncommitted changes")
	lines[0].note(2, notFound, "abcdef0")
	lines[1].note(0, givenUp, "abcdef1")
	lines[1].note(3, nowhere, "abcdef1")
	text := s.told(t.Context(), lines)
	if want := " | abcdef0: features, fuzz; abcdef1 with uncommitted changes: stress |\n"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	if want := "features: found 1 of the 2 that it was asked for\n"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	for _, c := range []struct{ page, at string }{
		{text, "abcdef0"},
		{strings.ReplaceAll(text, "abcdef0: features, fuzz; abcdef1 with uncommitted changes: stress |", "|"), earlier},
		{strings.ReplaceAll(text, " | abcdef0: features, fuzz; abcdef1 with uncommitted changes: stress", ""), earlier},
	} {
		if err := os.WriteFile(s.page.File, []byte(c.page), 0o600); err != nil {
			t.Fatal(err)
		}
		again, err := s.known()
		if err != nil || !reflect.DeepEqual(again[0].cells, lines[0].cells) || again[0].at[0] != c.at {
			t.Errorf("got %q, %v, want %q at %s", again[0], err, lines[0], c.at)
		}
		if c.at != earlier && !reflect.DeepEqual(again, lines) {
			t.Errorf("got %q, want %q", again, lines)
		}
	}
	var other comparison // a run with another instrument
	two, err := other.known()
	if err != nil {
		t.Fatal(err)
	}
	two[0].note(3, notFound, "abcdef2")
	if err := os.WriteFile(s.page.File, []byte(text+other.told(t.Context(), two)), 0o600); err != nil {
		t.Fatal(err)
	}
	lines[0].note(3, notFound, "abcdef2")
	if both, err := s.known(); err != nil || !reflect.DeepEqual(both, lines) {
		t.Errorf("of two pages: got %q, %v, want %q", both, err, lines)
	}
}

// The result of fuzzing for a target is read from its table.
func TestFuzzed(t *testing.T) {
	const text = "FuzzR2Ours  400  7  120  FOUND  violated: two have won\n"
	if got := fuzzed.FindStringSubmatch(text); len(got) != 3 || got[1] != "FuzzR2Ours" || got[2] != "violated: two have won" {
		t.Errorf("got %q", got)
	}
}

// A failure without a mutation does not count as found with it, and is checked once for each place.
func TestRedBefore(t *testing.T) {
	after := regexp.MustCompile(` after \d+ s`)
	m := shipped[0]
	m.tags = "@R2"
	for _, c := range []struct {
		without, with, want string
	}{
		{"", "lost", "found: lost"},
		{"", "", string(notFound)},
		{"slow", "lost", redBefore + "found: slow"},
	} {
		var asked []string
		look := instrument{
			name:  "features",
			where: func(m broken) string { return m.tags },
			build: func(*rig, context.Context) (string, error) { return "", nil },
			ask: func(_ context.Context, _ *rig, _ string, _ broken, mutant string) (string, error) {
				asked = append(asked, mutant)
				if mutant == mutantEnv+"=0" {
					return c.without, nil
				}
				return c.with, nil
			},
		}
		b := &rig{comparison: comparison{limit: time.Minute}, baselines: make(map[[2]string]cell)}
		for range 2 {
			got, err := b.ask(t.Context(), look, m, 1)
			if got := after.ReplaceAllString(string(got), ""); err != nil || got != c.want {
				t.Errorf("%q without, %q with: got %q, %v, want %q", c.without, c.with, got, err, c.want)
			}
		}
		want := []string{mutantEnv + "=0", mutantEnv + "=1", mutantEnv + "=1"}
		if c.without != "" {
			want = want[:1]
		}
		if !reflect.DeepEqual(asked, want) {
			t.Errorf("asked with %q, want %q", asked, want)
		}
	}
	if c := redBefore + found("slow", 0); c.found() {
		t.Errorf("%q counts as found", c)
	}
}

// A mutation is selected by whole words of its name.
func TestCalled(t *testing.T) {
	m := mutation{name: "M10 plans are listed without the gate"}
	for words, want := range map[string]bool{"": true, "M10": true, "listed without": true, "the gate": true, "M1": false, "10": false, "list": false} {
		if got := m.called(words); got != want {
			t.Errorf("%q: got %v, want %v", words, got, want)
		}
	}
}
