package tests

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// A schedule that fails leaves lockedForGood locked.
var lockedForGood sync.Mutex

func TestLeavesLock(t *testing.T) {
	lockedForGood.Lock()
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			was := n
			mu.Unlock()
			mu.Lock()
			n = was + 1
			mu.Unlock()
		})
	}
	wg.Wait()
	if n != 2 {
		t.Fatalf("n = %d, want 2", n)
	}
	lockedForGood.Unlock()
}

// A schedule that passes sets spoiltByOne, and all schedules after it fail.
var spoiltByOne atomic.Bool

func TestSpoilsOthers(t *testing.T) {
	if spoiltByOne.Load() {
		t.Fatal("it is spoilt")
	}
	var first atomic.Int32
	var wg sync.WaitGroup
	wg.Go(func() { first.CompareAndSwap(0, 1) })
	wg.Go(func() { first.CompareAndSwap(0, 2) })
	wg.Wait()
	spoiltByOne.Store(first.Load() == 2)
}

// ticket is a lock that may give one ticket to two goroutines.
func ticket(turn func()) {
	var next, serving atomic.Int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mine := next.Load()
			next.Store(mine + 1)
			for serving.Load() != mine {
				turn()
			}
			serving.Add(1)
		})
	}
	wg.Wait()
}

var lately [8]*[64]byte

func TestTicketLock(t *testing.T) { ticket(runtime.Gosched) }

func TestTicketLockAllocates(t *testing.T) {
	var n atomic.Int64
	ticket(func() { lately[n.Add(1)%8] = new([64]byte) })
}

func TestRaceAndDeadlock(t *testing.T) {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	n := 0
	wg.Go(func() { n++; a.Lock(); b.Lock(); b.Unlock(); a.Unlock() })
	wg.Go(func() { n++; b.Lock(); a.Lock(); a.Unlock(); b.Unlock() })
	wg.Wait()
}

// entries is a map whose first use in a process takes other steps than later ones.
var entries sync.Map

// TestRegisters leaves its entry behind in the schedules that fail.
func TestRegisters(t *testing.T) {
	if _, dup := entries.LoadOrStore("k", 1); dup {
		t.Fatal("registered twice")
	}
	defer entries.Delete("k")
	var set atomic.Bool
	pair(func(i int) {
		if i == 0 {
			set.Store(true)
		} else if !set.Load() {
			panic("too early")
		}
	})
}
