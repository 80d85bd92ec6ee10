package tests

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestLongAlone runs longer than an execution may, with one goroutine.
func TestLongAlone(t *testing.T) {
	var mu sync.Mutex
	n := 0
	for range 200_000 {
		mu.Lock()
		n++
		mu.Unlock()
	}
	pair(func(int) { mu.Lock(); n++; mu.Unlock() })
	if n != 200_002 {
		t.Errorf("n = %d", n)
	}
}

// TestAsksForTheTime looks at the clock until time has passed, and never blocks.
func TestAsksForTheTime(t *testing.T) {
	var mu sync.Mutex
	expired := false
	began := time.Now()
	time.AfterFunc(5*time.Millisecond, func() { mu.Lock(); expired = true; mu.Unlock() })
	for {
		mu.Lock()
		done := expired
		mu.Unlock()
		if done {
			if d := time.Since(began); d < 5*time.Millisecond {
				t.Errorf("after %v", d)
			}
			return
		}
	}
}

// TestStalls never returns from a system call. It does so only under control.
func TestStalls(t *testing.T) {
	if os.Getenv("GOMAXPROCS") == "" {
		return // it is not under control
	}
	var pipe [2]int
	if err := syscall.Pipe(pipe[:]); err != nil {
		t.Fatal(err)
	}
	_, _ = syscall.Read(pipe[0], make([]byte, 1))
}

// TestTooLong has more steps than the explorer chooses one by one.
func TestTooLong(t *testing.T) {
	var n atomic.Int64
	pair(func(int) {
		for range 400_000 {
			n.Add(1)
		}
	})
	if n.Load() != 800_000 {
		t.Error(n.Load())
	}
}

// TestTooLongAndWrong has as many, and fails.
func TestTooLongAndWrong(t *testing.T) {
	var n atomic.Int64
	pair(func(int) {
		for range 400_000 {
			n.Add(1)
		}
	})
	t.Fatalf("%d", n.Load())
}

// ofAll is one lock for the whole package.
var ofAll sync.Mutex

// TestGivenUpWithLock is given up while it holds the lock: under control it polls for
// ever for a flag that nobody sets.
func TestGivenUpWithLock(t *testing.T) {
	ofAll.Lock()
	defer ofAll.Unlock()
	if os.Getenv("GOMAXPROCS") == "" {
		return // it is not under control
	}
	for never := new(atomic.Bool); !never.Load(); {
		runtime.Gosched()
	}
}

// TestLongUpdate fails in the default schedule only because its goroutines run for long.
func TestLongUpdate(t *testing.T) {
	var steps, n atomic.Int64
	pair(func(int) {
		v := n.Load()
		for range 2_000 {
			steps.Add(1)
		}
		n.Store(v + 1)
	})
	if n.Load() != 2 {
		t.Errorf("n = %d", n.Load())
	}
}
