package mutations

import (
	"os"
	"path/filepath"
	"reflect"
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
