package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A run that is told to end tells what it has done, and notes it for the next one.
func TestInterruptStress(t *testing.T) {
	dir := t.TempDir()
	junit, state := filepath.Join(dir, "junit.xml"), filepath.Join(dir, "state.json")
	r := tested.Start(t, nil, "stress", "-time", "30s", "-junit", junit, "-state", state)
	for _, err := os.Stat(state); err != nil; _, err = os.Stat(state) { // until the first campaign has ended
		time.Sleep(10 * time.Millisecond)
	}
	if err := r.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	r.Interrupted(t)
	for path, want := range map[string]string{junit: `classname="R1/ours" name="body"`, state: `"done":["R1/ours body"`} {
		if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: got %s, %v, want %s in it", path, text, err, want)
		}
	}
}
