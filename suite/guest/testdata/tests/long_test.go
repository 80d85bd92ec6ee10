package tests

import (
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
	time.AfterFunc(5*time.Millisecond, func() { mu.Lock(); expired = true; mu.Unlock() })
	for began := time.Now(); ; {
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
	began := time.Now()
	runtime.GC()
	if time.Since(began) > 0 {
		return // time passes by itself
	}
	var pipe [2]int
	if err := syscall.Pipe(pipe[:]); err != nil {
		t.Fatal(err)
	}
	_, _ = syscall.Read(pipe[0], make([]byte, 1))
}

// TestTooLong cannot be run to its end under control.
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

// TestTooLongWithLock is stopped while it has the lock.
func TestTooLongWithLock(t *testing.T) {
	ofAll.Lock()
	defer ofAll.Unlock()
	TestTooLong(t)
}
