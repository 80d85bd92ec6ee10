package tests

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestTemporaryFiles changes files that only it uses.
func TestTemporaryFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "own")
	write(t, os.DevNull)
}

// TestOthersFiles changes a file that other tests may use.
func TestOthersFiles(t *testing.T) {
	write(t, "others")
	if err := os.Remove("others"); err != nil {
		t.Error(err)
	}
}

// TestRootsFiles does so below an os.Root. TestLooksBelowRoot only reads there.
func TestRootsFiles(t *testing.T) {
	r := root(t)
	defer r.Close()
	if err := errors.Join(r.Mkdir("others-too", 0o700), r.Remove("others-too")); err != nil {
		t.Error(err)
	}
}

func TestLooksBelowRoot(t *testing.T) {
	r := root(t)
	defer r.Close()
	if _, err := r.Stat("go.mod"); err != nil {
		t.Error(err)
	}
}

func root(t *testing.T) *os.Root {
	r, err := os.OpenRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestStartsOthers starts a process, which may change anything.
func TestStartsOthers(t *testing.T) {
	if err := exec.Command(os.Args[0], "-test.run=^$").Run(); err != nil {
		t.Error(err)
	}
}

func write(t *testing.T, name string) {
	if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
		t.Error(err)
	}
}

// In Example_elsewhere another goroutine prints. The example's output is all that is written
// before package testing restores the standard output.
func Example_elsewhere() {
	go fmt.Println("x")
	time.Sleep(time.Millisecond)
	// Output: x
}

// TestRemovesAll can see one of two files while they are removed. Package testing removes the files
// of the first subtest so too.
func TestRemovesAll(t *testing.T) {
	t.Run("first", func(t *testing.T) { _ = os.MkdirAll(t.TempDir()+"/a/b/c/d", 0o700) })
	dir := t.TempDir() + "/a/"
	if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(dir+"one", nil, 0o600), os.WriteFile(dir+"other", nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	removed := make(chan bool)
	go func() {
		_ = os.RemoveAll(dir)
		close(removed)
	}()
	look := func(name string) bool {
		_, err := os.Stat(dir + name)
		return err == nil
	}
	one, other := look("one"), look("other")
	if again := look("one"); !one && other || !other && again {
		t.Error("one of two is there")
	}
	<-removed
}
