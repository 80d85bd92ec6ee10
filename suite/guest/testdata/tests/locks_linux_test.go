package tests

import (
	"os"
	"syscall"
	"testing"
)

// TestLocks leaves a file locked. Only under go test it passes.
func TestLocks(t *testing.T) {
	name := os.Getenv("LOCKS_AT")
	if name == "" {
		name = t.TempDir() + "/lock"
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	locked = append(locked, f)
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		t.Fatal(err)
	}
	calledByGoTest(t)
}

var locked []*os.File
