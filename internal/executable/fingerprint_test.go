package executable_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/jacquard-go/jacquard/internal/executable"
)

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

var hexadecimal = regexp.MustCompile(`^[0-9a-f]{16}$`)

func fingerprint(t *testing.T, path string) string {
	t.Helper()
	got, err := executable.Fingerprint(path)
	if err != nil {
		t.Fatal(err)
	}
	if !hexadecimal.MatchString(got) {
		t.Errorf("got %q, want 16 hexadecimal digits", got)
	}
	return got
}

// Without a usable build ID, the fingerprint depends on each byte.
func TestFingerprintOfContents(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/tiny\n\ngo 1.25.0\n")
	fixed := func(file, text string) string {
		write(t, dir, "main.go", "package main\n\nfunc main() { println(\""+text+"\") }\n")
		path := filepath.Join(dir, file)
		cmd := exec.Command("go", "build", "-ldflags=-buildid=fixed", "-o", path)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return fingerprint(t, path)
	}
	if one, two := fixed("one", "one"), fixed("two", "two"); one == two {
		t.Errorf("two programs with one build ID: got %s for both", one)
	}
	write(t, dir, "a", "text")
	write(t, dir, "b", "other")
	if fingerprint(t, filepath.Join(dir, "a")) == fingerprint(t, filepath.Join(dir, "b")) {
		t.Error("two files: got one fingerprint")
	}
	if _, err := executable.Fingerprint(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want one that says that the file does not exist", err)
	}
}
