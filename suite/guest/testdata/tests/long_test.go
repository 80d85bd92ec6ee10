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

// TestLongAlone does more than an execution may take, all by itself.
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

// TestAsksForTheTime waits for time to pass without ever giving way.
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

// TestStalls never comes back from a system call, but only under control.
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

// TestTooLong has more steps than are chosen one by one.
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

// TestTooLongAndWrong is like that, and fails.
func TestTooLongAndWrong(t *testing.T) {
	var n atomic.Int64
	pair(func(int) {
		for range 400_000 {
			n.Add(1)
		}
	})
	t.Fatalf("%d", n.Load())
}

// ofAll is the package's lock.
var ofAll sync.Mutex

// TestGivenUpWithLock is stopped while it has the lock: under control it asks for
// ever for what nobody will ever say.
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
