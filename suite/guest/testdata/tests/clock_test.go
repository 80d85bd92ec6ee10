package tests

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// started is the time at which the process started.
var started = time.Now()

// meet starts two goroutines that use one lock.
func meet() {
	var n atomic.Int32
	var wg sync.WaitGroup
	wg.Go(func() { n.Add(1) })
	wg.Go(func() { n.Add(1) })
	wg.Wait()
}

func TestProcessIsOlder(t *testing.T) {
	meet()
	if age := time.Since(started); age < 0 || age > 2*time.Minute {
		t.Errorf("the process is %v old", age)
	}
}

// TestDate fails under control, where the clock starts in January 2026.
func TestDate(t *testing.T) {
	meet()
	if now := time.Now(); now.Before(time.Date(2026, time.May, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("%v is too early", now)
	}
}

// The monotonic reading of a time moves with its wall clock.
func TestMonotonic(t *testing.T) {
	meet()
	first := time.Now()
	second := <-time.After(time.Second)
	for _, at := range []time.Time{started, first, second} {
		if !strings.Contains(at.String(), " m=+") {
			t.Errorf("got %v, want a monotonic reading", at)
		}
	}
	if d, wall := second.Sub(first), second.Round(0).Sub(first.Round(0)); d < time.Second || d != wall {
		t.Errorf("got %v between %v and %v", d, first, second)
	}
}

// left is the time at which TestLeavesTime ended.
var left time.Time

func TestLeavesTime(t *testing.T) {
	meet()
	time.Sleep(time.Minute)
	left = time.Now()
}

// TestLeftTime runs after TestLeavesTime.
func TestLeftTime(t *testing.T) {
	meet()
	if d := time.Since(left); !left.IsZero() && d < 0 {
		t.Errorf("another test has seen a time that is to come in %v", -d)
	}
}

func TestTimesOfFiles(t *testing.T) {
	meet()
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
	before := time.Now()
	if os.WriteFile(first, nil, 0o600) != nil || os.WriteFile(second, nil, 0o600) != nil {
		t.Fatal("cannot write")
	}
	written := modified(t, second)
	if written.Before(before) || time.Since(written) < 0 || time.Since(written) > time.Second {
		t.Errorf("written at %v, begun at %v, now %v", written, before, time.Now())
	}
	if modified(t, first).After(written) || !modified(t, second).Equal(written) {
		t.Errorf("first %v, second %v, which was %v", modified(t, first), modified(t, second), written)
	}
	if source := modified(t, "clock_test.go"); source.After(before) {
		t.Errorf("the source is of %v, and now is %v", source, before)
	}
	set := time.Now().Add(-time.Hour)
	if err := os.Chtimes(first, set, set); err != nil || !modified(t, first).Equal(set) {
		t.Errorf("got %v, %v, want %v", modified(t, first), err, set)
	}
}

func modified(t *testing.T, path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime()
}

// Work of a millisecond ends before a timer of a tenth of a second.
func TestManyAdds(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	var n atomic.Int64
	done := make(chan bool)
	go func() {
		for range 150_000 {
			n.Add(1)
		}
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		t.Error("it is too late")
	}
}

// A loop that works until a given time ends.
func TestWorksUntil(t *testing.T) {
	meet()
	var n atomic.Int64
	for began := time.Now(); time.Since(began) < 10*time.Millisecond; {
		n.Add(1)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	for ctx.Err() == nil {
		n.Add(1)
	}
	var stop atomic.Bool
	time.AfterFunc(time.Millisecond, func() { stop.Store(true) })
	for !stop.Load() {
		n.Add(1)
	}
}

func signalled(t *testing.T, send func(pid int) error) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	defer signal.Stop(c)
	if err := send(syscall.Getpid()); err != nil {
		t.Fatal(err)
	}
	select {
	case <-c:
	case <-time.After(30 * time.Second):
		t.Error("no signal")
	}
}

func TestSignalToItself(t *testing.T) {
	signalled(t, func(pid int) error { return syscall.Kill(pid, syscall.SIGUSR1) })
}

// Package unix of golang.org/x/sys does it so.
func TestSignalByNumber(t *testing.T) {
	signalled(t, func(pid int) error {
		if _, _, errno := syscall.RawSyscall(syscall.SYS_KILL, uintptr(pid), uintptr(syscall.SIGUSR1), 0); errno != 0 {
			return errno
		}
		return nil
	})
}

func TestSignalToProcess(t *testing.T) {
	signalled(t, func(pid int) error {
		p, err := os.FindProcess(pid)
		if err != nil {
			return err
		}
		return p.Signal(syscall.SIGUSR1)
	})
}

func TestSignalOfKernel(t *testing.T) {
	signalled(t, func(pid int) error {
		if _, _, errno := syscall.Syscall(syscall.SYS_KILL, uintptr(pid), uintptr(syscall.SIGUSR1), 0); errno != 0 {
			return errno
		}
		return nil
	})
}

// A signal that was sent before Stop has arrived when Stop returns.
func TestSignalBeforeStop(t *testing.T) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	syscall.Kill(syscall.Getpid(), syscall.SIGUSR1)
	signal.Stop(c)
	if len(c) != 1 {
		t.Error("no signal")
	}
}

// Of two signals one is dropped if both come before the first is received.
func TestSignalDropped(t *testing.T) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1, syscall.SIGUSR2)
	defer signal.Stop(c)
	syscall.Kill(syscall.Getpid(), syscall.SIGUSR1)
	syscall.Kill(syscall.Getpid(), syscall.SIGUSR2)
	<-c
	<-c
}

// A signal may arrive between two looks at a channel's length.
func TestSignalBetweenLooks(t *testing.T) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	defer signal.Stop(c)
	syscall.Kill(syscall.Getpid(), syscall.SIGUSR1)
	if before := len(c); len(c) != before {
		t.Error("it came between two looks")
	}
}

func TestProcessors(t *testing.T) {
	meet()
	was := runtime.GOMAXPROCS(3)
	if now := runtime.GOMAXPROCS(0); now != 3 {
		t.Errorf("got %d", now)
	}
	if before := runtime.GOMAXPROCS(was); before != 3 || runtime.GOMAXPROCS(0) != was {
		t.Errorf("got %d, and %d", before, runtime.GOMAXPROCS(0))
	}
	runtime.GOMAXPROCS(5) // the next schedule does not see it
}

// A third goroutine may unlock a lock, long after.
func TestHandsOver(t *testing.T) {
	var a, b sync.Mutex
	var shared sync.RWMutex
	a.Lock()
	b.Lock()
	shared.RLock()
	var n atomic.Int64
	var wg sync.WaitGroup
	wg.Go(func() { a.Lock(); b.Unlock(); a.Unlock() })
	wg.Go(func() {
		for range 1500 {
			n.Add(1)
		}
		shared.RUnlock()
		for range 1500 {
			n.Add(1)
		}
		a.Unlock()
	})
	shared.Lock()
	shared.Unlock()
	b.Lock()
	b.Unlock()
	wg.Wait()
}

// Two goroutines that wait for one another do so for ever, even beside one that uses timers.
func deadlock() {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() { a.Lock(); defer a.Unlock(); b.Lock(); b.Unlock() })
	wg.Go(func() { b.Lock(); defer b.Unlock(); a.Lock(); a.Unlock() })
	wg.Wait()
}

func TestDeadlockBesideTick(t *testing.T) {
	go func() {
		for range time.Tick(time.Second) {
		}
	}()
	deadlock()
}

func TestDeadlockBesideTicker(t *testing.T) {
	defer time.NewTicker(time.Second).Stop()
	deadlock()
}

// A goroutine that sleeps often may take long.
func TestSleepsOften(t *testing.T) {
	var sum atomic.Int64
	done := make(chan bool)
	go func() {
		for range 1200 {
			time.Sleep(time.Millisecond)
			sum.Add(1)
		}
		close(done)
	}()
	<-done
	for range 1200 {
		time.Sleep(time.Second)
	}
}
