package speed

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/internal/command/commandtest"
)

func TestCache(t *testing.T) {
	document := filepath.Join(t.TempDir(), "BENCHMARKS.md")
	if err := os.WriteFile(document, []byte("# Title\n"+place.Begin+"\nold\n"+place.End+"\nrest\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := commandtest.Execute(t, Command(), "cache", "-rounds", "2", "-turn", "200", "-rows", "miss", "-o", document)
	if got.Code != command.ExitOK {
		t.Fatal(got.Errs)
	}
	written, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	text := string(written)
	if strings.Contains(text, "old") || !strings.Contains(text, got.Out) || !strings.HasSuffix(text, place.End+"\nrest\n") {
		t.Errorf("the table is not in its place:\n%s", text)
	}
	for _, want := range []string{"| miss, ns | ", "Commit ", "    cd bench && go run ./cmd/bench cache -rounds 2 -turn 200 -rows miss -o ", "xsync/v3 v3.", "- a miss takes"} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
}

func TestCacheRefuses(t *testing.T) {
	for want, args := range map[string][]string{
		`no row has "nonsense"`: {"-rows", "nonsense"},
		"want none":             {"more"},
		"unknown flag":          {"-nonsense"},
		"no such file":          {"-rows", "miss", "-rounds", "1", "-turn", "2", "-o", filepath.Join(t.TempDir(), "none.md")},
	} {
		if got := commandtest.Execute(t, cacheCommand(), args...); got.Code != command.ExitError || !strings.Contains(got.Errs, want) {
			t.Errorf("%q: got code %d and %q, want %d and %q", args, got.Code, got.Errs, command.ExitError, want)
		}
	}
}
