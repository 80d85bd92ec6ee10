package scratch_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/jacquard-go/jacquard/suite/scratch"
)

// temp makes a folder for the temporary files of a test.
func temp(t *testing.T, test string) (dir string, remove func()) {
	t.Helper()
	f, err := scratch.New("binary", test)
	if err != nil {
		t.Fatal(err)
	}
	return f.Dir, f.Remove
}

// empty checks that nothing is in a folder.
func empty(t *testing.T, dir string) {
	t.Helper()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("got %v, %v in %s, want nothing", left, err, dir)
	}
}

// A test has the same folder each time, and another one while it has it.
func TestFolder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	first, remove := temp(t, "TestA")
	second, removeSecond := temp(t, "TestA")
	if first == second || len(first) != len(second) {
		t.Errorf("got %s and %s at the same time", first, second)
	}
	other, removeOther := temp(t, "TestB")
	if other == first {
		t.Errorf("got %s for two tests", other)
	}
	for _, remove := range []func(){remove, removeSecond, removeOther} {
		remove()
	}
	empty(t, os.TempDir())
	if again, remove := temp(t, "TestA"); again != first {
		t.Errorf("got %s, want %s again", again, first)
	} else {
		remove()
	}
}

// What a process has left that was killed is gone, and who comes has its folder.
func TestTakenOver(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir, remove := temp(t, "TestA")
	remove()
	if err := os.MkdirAll(filepath.Join(dir, "TestA123", "001"), 0o755); err != nil {
		t.Fatal(err)
	}
	again, remove := temp(t, "TestA")
	defer remove()
	if again != dir {
		t.Errorf("got %s, want %s", again, dir)
	}
	empty(t, again)
}

// What somebody else may have put there is left alone.
func TestNoLink(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir, remove := temp(t, "TestA")
	remove()
	theirs := t.TempDir()
	if err := os.WriteFile(filepath.Join(theirs, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(theirs, dir); err != nil {
		t.Fatal(err)
	}
	other, remove := temp(t, "TestA")
	defer remove()
	if other == dir {
		t.Errorf("got %s, which is a link", other)
	}
	if _, err := os.Stat(filepath.Join(theirs, "file")); err != nil {
		t.Error(err)
	}
}

// It is as open as the folder that it is in.
func TestOpen(t *testing.T) {
	around := t.TempDir()
	t.Setenv("TMPDIR", around)
	for _, mode := range []os.FileMode{0o700, 0o777 | os.ModeSticky} {
		if err := os.Chmod(around, mode); err != nil {
			t.Fatal(err)
		}
		dir, remove := temp(t, "TestA")
		if info, err := os.Stat(dir); err != nil || info.Mode() != mode|os.ModeDir {
			t.Errorf("got %v, %v, want %v", info, err, mode)
		}
		remove()
	}
}
