package toolchain_test

import (
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/jacquard-go/jacquard/internal/toolchain"
)

var hexadecimal = regexp.MustCompile(`^[0-9a-f]{16}$`)

func fingerprint(t *testing.T, path string) string {
	t.Helper()
	got, err := toolchain.Fingerprint(path)
	if err != nil {
		t.Fatal(err)
	}
	if !hexadecimal.MatchString(got) {
		t.Errorf("got %q, want 16 hexadecimal digits", got)
	}
	return got
}

// A fingerprint says which program it is, not where it was built.
func TestFingerprint(t *testing.T) {
	for _, test := range []bool{false, true} {
		build := func(text string) string {
			dir := program(t, text)
			write(t, dir, "main_test.go", "package main\n\nimport \"testing\"\n\nfunc TestIt(*testing.T) { main() }\n")
			return fingerprint(t, mustBuild(t, toolchain.Request{Dir: dir, Cache: t.TempDir(), Test: test}))
		}
		first, second, other := build("same"), build("same"), build("other")
		if first != second {
			t.Errorf("test %t: two builds of one program: got %s and %s", test, first, second)
		}
		if first == other {
			t.Errorf("test %t: two programs: got %s for both", test, first)
		}
	}
}

// Without a build ID to trust, each byte counts.
func TestFingerprintOfContents(t *testing.T) {
	dir := program(t, "no build ID")
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
	if _, err := toolchain.Fingerprint(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want one that says that the file does not exist", err)
	}
}
