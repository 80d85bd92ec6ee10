package tests

import (
	"fmt"
	"os"
	"testing"
	"time"
)

// TestTemporaryFiles changes files that only it has to do with.
func TestTemporaryFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "own")
	write(t, os.DevNull)
}

// TestOthersFiles changes one that other tests may have to do with, as it does not.
func TestOthersFiles(t *testing.T) {
	write(t, "others")
	if err := os.Remove("others"); err != nil {
		t.Error(err)
	}
}

func write(t *testing.T, name string) {
	if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
		t.Error(err)
	}
}

// Example_elsewhere has another goroutine print. What it has written is all that comes before
// package testing gives the standard output back.
func Example_elsewhere() {
	go fmt.Println("x")
	time.Sleep(time.Millisecond)
	// Output: x
}
