package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	document := filepath.Join(t.TempDir(), "BENCHMARKS.md")
	if err := os.WriteFile(document, []byte("# Title\n"+place.Begin+"\nold\n"+place.End+"\nrest\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	args := []string{"-rounds", "2", "-turn", "200", "-rows", "miss", "-o", document}
	if err := run(t.Context(), args, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	text := string(written)
	if strings.Contains(text, "old") || !strings.Contains(text, out.String()) || !strings.HasSuffix(text, place.End+"\nrest\n") {
		t.Errorf("the table is not in its place:\n%s", text)
	}
	for _, want := range []string{"| miss, ns | ", "Commit ", "go run ./cmd/speed -rounds 2", "xsync/v3 v3.", "- a miss takes"} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	for want, args := range map[string][]string{
		`no row has "nonsense"`: {"-rows", "nonsense"},
		"want none":             {"more"},
		"flag provided":         {"-nonsense"},
		"no such file":          {"-rows", "miss", "-rounds", "1", "-turn", "2", "-o", filepath.Join(t.TempDir(), "none.md")},
	} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", args, err, want)
		}
	}
}
