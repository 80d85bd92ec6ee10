package tests

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestEndless never ends without control. Under control it panics before its loop.
func TestEndless(*testing.T) {
	if os.Getenv("GOMAXPROCS") != "" {
		panic("under control")
	}
	pair(func(int) {
		for {
			time.Sleep(time.Millisecond) // leaves the processors to others
		}
	})
}

// TestEndlessAndDeaf also ignores the signal that asks for a goroutine dump.
func TestEndlessAndDeaf(t *testing.T) {
	signal.Ignore(syscall.SIGQUIT)
	TestEndless(t)
}

// TestLeavesAnother takes too long under control. It leaves a process behind, which
// keeps the test's output open after the test for as long as the process that has
// started it lives.
func TestLeavesAnother(t *testing.T) {
	cmd := exec.Command("sh", "-c", fmt.Sprintf("while kill -0 %d; do sleep 1; done", os.Getppid()))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	TestTooLong(t)
}

// TestRacesForEver has a data race. Its goroutines never end.
func TestRacesForEver(*testing.T) {
	n := 0
	var turns atomic.Int64
	pair(func(int) {
		n++
		for {
			turns.Add(1)
		}
	})
}

// TestFailsForEver fails. Its goroutines never end.
func TestFailsForEver(t *testing.T) {
	var turns atomic.Int64
	pair(func(int) {
		t.Error("failed")
		for {
			turns.Add(1)
		}
	})
}
