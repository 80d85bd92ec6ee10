package touched_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/touched"
)

// A change touches the packages of its files, and those that import them, also in their
// tests; a test's file touches only its own package.
func TestPackages(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	write("module/go.mod", "module example.com/m\n\ngo 1.25\n")
	write("module/README.md", "m\n")
	write("module/a/a.go", "package a\n")
	write("module/a/a_test.go", "package a\n")
	write("module/b/b.go", "package b\n\nimport _ \"example.com/m/a\"\n")
	write("module/c/c.go", "package c\n\nimport _ \"example.com/m/b\"\n")
	write("module/d/d.go", "package d\n")
	write("module/d/d_test.go", "package d_test\n\nimport _ \"example.com/m/c\"\n")
	write("module/d/testdata/in.txt", "in\n")
	write("module/e/e.go", "package e\n\nimport _ \"embed\"\n\n//go:embed page.css\nvar _ string\n")
	write("module/e/page.css", "p {}\n")
	git("add", ".")
	git("commit", "-q", "-m", "begin")
	for _, c := range []struct{ file, want string }{
		{"", ""},
		{"module/README.md", ""},
		{"module/a/a.go", "a b c d"},
		{"module/a/a_test.go", "a"},
		{"module/a/new.go", "a b c d"},
		{"module/b/b.go", "b c d"},
		{"module/d/testdata/in.txt", "d"},
		{"module/e/page.css", "e"},
		{"module/go.mod", "a b c d e"},
		{"outside.go", ""},
	} {
		if c.file != "" {
			text, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(c.file))) // some are new
			if len(text) == 0 {
				text = []byte("package " + filepath.Base(filepath.Dir(c.file)) + "\n")
			}
			write(c.file, string(text)+"\n")
		}
		got, err := touched.Packages(t.Context(), filepath.Join(dir, "module"), "main", nil)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for name := range strings.FieldsSeq(c.want) {
			want = append(want, "example.com/m/"+name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", c.file, got, want)
		}
		git("reset", "-q", "--hard")
		git("clean", "-q", "-f", "-d")
	}
	write("other/go.mod", "module example.com/m/f\n\ngo 1.25\n")
	write("other/f.go", "package f\n\nimport _ \"example.com/m/a\"\n")
	write("go.work", "go 1.25\n\nuse (\n\t./module\n\t./other\n)\n")
	git("add", ".")
	git("commit", "-q", "-m", "a workspace")
	write("module/a/a.go", "package a // changed\n")
	for _, in := range []string{"", "module", "other"} {
		got, err := touched.Packages(t.Context(), filepath.Join(dir, in), "HEAD", nil)
		if want := []string{"example.com/m/a", "example.com/m/b", "example.com/m/c", "example.com/m/d", "example.com/m/f"}; err != nil || !slices.Equal(got, want) {
			t.Errorf("in %q of a workspace: got %q, %v, want %q", in, got, err, want)
		}
	}
	if _, err := touched.Packages(t.Context(), dir, "none", nil); err == nil || !strings.Contains(err.Error(), "git merge-base: ") {
		t.Errorf("got %v, want what git says of a commit that is not there", err)
	}
}
