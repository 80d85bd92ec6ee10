package mutations

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMutationsApply: each mutation changes one function of package cache as it is, and all go into it together.
func TestMutationsApply(t *testing.T) {
	dir := t.TempDir()
	if err := copyTree(dir, "../../cache"); err != nil {
		t.Fatal(err)
	}
	if err := mutate(dir, mutations); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "flight.go"))
	if err != nil || !strings.Contains(string(text), "func (f *flight[K, V]) startMutant1(") || !strings.Contains(string(text), "startOriginal(") {
		t.Errorf("flight.go: %v, want versions of start:\n%s", err, text)
	}
}

func TestMutationsThatDoNotApply(t *testing.T) {
	const text = "package a\n\nfunc f() int { return 1 }\n\nvar x = 1\n"
	for _, m := range []mutation{
		{old: "return 2", new: "return 3"},
		{old: "1", new: "3"},
		{old: "var x = 1", new: "var x = 2"},
		{old: "return 1", new: "return ("},
	} {
		if got, err := schema(text, []mutation{m}, []int{0}); err == nil {
			t.Errorf("%q for %q: got\n%s\nwant an error", m.new, m.old, got)
		}
	}
}

// TestPlantedErrorsApply: so does each error of the explorer.
func TestPlantedErrorsApply(t *testing.T) {
	dir := t.TempDir()
	if err := copyTree(dir, "../../internal"); err != nil {
		t.Fatal(err)
	}
	if err := mutate(dir, planted); err != nil {
		t.Fatal(err)
	}
}

// TestShippedApply: so does each mutation of what ships, and all compile.
func TestShippedApply(t *testing.T) {
	dir := t.TempDir()
	if err := copyTree(dir, "../.."); err != nil {
		t.Fatal(err)
	}
	if err := mutate(dir, changes()); err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		return
	}
	build := exec.CommandContext(t.Context(), "go", "build", "./cache/...", "./lifecycle/...")
	build.Dir = dir
	if text, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}
