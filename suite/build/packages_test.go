package build_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/jacquard-go/jacquard/suite/build"
)

// Test files that are only for builds with the race detector, or without it, belong to
// such builds, as for go test -race.
func TestListKnowsTheDetector(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":               "module m\n\ngo 1.25\n",
		"with/with.go":         "package with\n",
		"with/with_test.go":    "//go:build race\n\npackage with\n",
		"without/with.go":      "package without\n",
		"without/with_test.go": "//go:build !race\n\npackage without\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, without := range []bool{false, true} {
		pkgs, err := build.How{Dir: dir, NoRace: without}.List(t.Context(), []string{"./..."})
		if err != nil || len(pkgs) != 2 {
			t.Fatalf("got %v, %v", pkgs, err)
		}
		for _, p := range pkgs {
			if want := (p.ImportPath == "m/without") == without; p.Tests() != want {
				t.Errorf("without the detector: %t; %s has tests: %t", without, p.ImportPath, p.Tests())
			}
		}
	}
}
