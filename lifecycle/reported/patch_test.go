package reported_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
)

var update = flag.Bool("update", false, "rewrite testdata/suggested.diff")

// TestTheSuggestedPatch shows the four suggested fixes as the difference between two directories. It fails when a specimen changes
// in one variant only, or when a fix grows.
func TestTheSuggestedPatch(t *testing.T) {
	const golden = "testdata/suggested.diff"
	got := suggestedPatch(t)
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the suggested patch has changed; if that is meant, run go test -update here\n%s", diff.Diff(golden, want, "now", got))
	}
}

// untouched are the files of asreported that no suggested fix changes. They are not in assuggested.
var untouched = []string{"async_worker.go", "lock_service.go", "persisted_changesets.go", "plan_file.go", "subplan_execution.go"}

// suggestedPatch compares the two variants file by file. It omits package clauses and package documentation, which always differ.
func suggestedPatch(t *testing.T) []byte {
	t.Helper()
	before, after := specimens(t, "asreported"), specimens(t, "assuggested")
	if len(before) != len(after)+len(untouched) {
		t.Errorf("got %d files in asreported, %d of them untouched, and %d in assuggested, want the rest", len(before), len(untouched), len(after))
	}
	var patch []byte
	for _, path := range before {
		name := filepath.Base(path)
		if slices.Contains(untouched, name) {
			continue
		}
		patch = append(patch, diff.Diff("asreported/"+name, source(t, "asreported", name), "assuggested/"+name, source(t, "assuggested", name))...)
	}
	return patch
}

func specimens(t *testing.T, directory string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(directory, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, path := range all {
		if filepath.Base(path) != "doc.go" {
			files = append(files, path)
		}
	}
	return files
}

func source(t *testing.T, directory, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(directory, name))
	if err != nil {
		t.Fatal(err)
	}
	_, body, ok := bytes.Cut(text, []byte("package "+directory+"\n"))
	if !ok {
		t.Fatalf("%s/%s: no package clause", directory, name)
	}
	return body
}
