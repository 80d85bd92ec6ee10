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

// A page has what an earlier run has found, and what nobody has looked for.
func TestPageKeepsCells(t *testing.T) {
	var s comparison
	s.page.File = filepath.Join(t.TempDir(), "page.md")
	cells, err := s.known()
	if err != nil || cells[0][0] != notRun {
		t.Fatalf("without a page: got %q, %v, want %q", cells[0][0], err, notRun)
	}
	cells[0][0], cells[0][1], cells[1][0], cells[1][3] = found("two | have\nwon", 2*time.Second), found(strings.Repeat("long ", 50), 0), notFound, nowhere
	text := s.told(t.Context(), cells)
	if err := os.WriteFile(s.page.File, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := s.known()
	if err != nil || !reflect.DeepEqual(again, cells) {
		t.Errorf("got %q, %v, want %q", again, err, cells)
	}
	if want := "features: found 1 of the 2 that it was asked for\n"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

// What fuzzing says of a target is read from its table.
func TestFuzzed(t *testing.T) {
	const text = "FuzzR2Ours  400  7  120  FOUND  violated: two have won\n"
	if got := fuzzed.FindStringSubmatch(text); len(got) != 3 || got[1] != "FuzzR2Ours" || got[2] != "violated: two have won" {
		t.Errorf("got %q", got)
	}
}

// What is red without a mutation is not found with it, and is asked once for each place.
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

// A mutation is named by whole words.
func TestCalled(t *testing.T) {
	m := mutation{name: "M10 plans are listed without the gate"}
	for words, want := range map[string]bool{"": true, "M10": true, "listed without": true, "the gate": true, "M1": false, "10": false, "list": false} {
		if got := m.called(words); got != want {
			t.Errorf("%q: got %v, want %v", words, got, want)
		}
	}
}
