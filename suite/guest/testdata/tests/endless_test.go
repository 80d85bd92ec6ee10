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

// TestEndless never ends without control. Under control it does not come that far.
func TestEndless(*testing.T) {
	if os.Getenv("GOMAXPROCS") != "" {
		panic("under control")
	}
	pair(func(int) {
		for {
			time.Sleep(time.Millisecond) // the processors are for others
		}
	})
}

// TestEndlessAndDeaf does not even let its goroutines be shown.
func TestEndlessAndDeaf(t *testing.T) {
	signal.Ignore(syscall.SIGQUIT)
	TestEndless(t)
}

// TestLeavesAnother takes too long under control, and its output is held when it is
// over by a process that it leaves behind, for as long as there is the one that has
// started it.
func TestLeavesAnother(t *testing.T) {
	cmd := exec.Command("sh", "-c", fmt.Sprintf("while kill -0 %d; do sleep 1; done", os.Getppid()))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	TestTooLong(t)
}

// TestRacesForEver has a data race in what comes to no end.
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

// TestFailsForEver has failed before it comes to what has no end.
func TestFailsForEver(t *testing.T) {
	var turns atomic.Int64
	pair(func(int) {
		t.Error("failed")
		for {
			turns.Add(1)
		}
	})
}
