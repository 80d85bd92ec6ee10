package toolchain_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// A new file is as readable as one of os.WriteFile, a replaced one keeps its permissions, and a link
// still leads to it. Nothing else is left.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	file, link, usual := filepath.Join(dir, "ledger"), filepath.Join(dir, "link"), filepath.Join(dir, "usual")
	if err := os.WriteFile(usual, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	want := mode(t, usual)
	for _, step := range []func() error{
		func() error { return toolchain.Replace(file, []byte("one")) },
		func() error { return os.Symlink("ledger", link) },
		func() error { return toolchain.Replace(link, []byte("two")) },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
		if got := mode(t, file); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := toolchain.Replace(link, []byte("three")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if got := mode(t, file); err != nil || string(text) != "three" || got != 0o640 {
		t.Errorf("got %q, %v, %v, want three behind the link, with the permissions that it had", text, got, err)
	}
	if to, err := os.Readlink(link); to != "ledger" {
		t.Errorf("got %q, %v, want that the link stays", to, err)
	}
	if all, err := os.ReadDir(dir); len(all) != 3 {
		t.Errorf("got %v, %v, want three files", all, err)
	}
}

// mode returns the permissions of a file.
func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}
