package tests

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// gather makes a test concurrent: two goroutines take one lock.
func gather() {
	var mu sync.Mutex
	pair(func(int) { mu.Lock(); mu.Unlock() }) //nolint:staticcheck // only to meet
}

// TestTalksOn leaves two goroutines that talk to one another for ever.
func TestTalksOn(*testing.T) {
	c := make(chan int)
	go func() {
		for {
			c <- 1
		}
	}()
	go func() {
		for {
			<-c
		}
	}()
	gather()
}

// TestPollsOn leaves a goroutine that polls for ever.
func TestPollsOn(*testing.T) {
	var stop atomic.Bool
	go func() {
		for !stop.Load() {
			runtime.Gosched()
		}
	}()
	gather()
}

// TestAddsOn leaves a goroutine that counts for ever.
func TestAddsOn(*testing.T) {
	var n atomic.Int64
	go func() {
		for {
			n.Add(1)
		}
	}()
	gather()
}

// everybodys is a lock that each schedule of a process needs.
var everybodys sync.Mutex

// TestLocksOn leaves goroutines that take a lock of the whole process for ever.
func TestLocksOn(*testing.T) {
	for range 2 {
		go func() {
			for {
				everybodys.Lock()
				runtime.Gosched()
				everybodys.Unlock()
			}
		}()
	}
	pair(func(int) { everybodys.Lock(); everybodys.Unlock() }) //nolint:staticcheck // only to meet
}

// TestTicksOn leaves a goroutine that lives by timers if it loses the word to stop.
func TestTicksOn(*testing.T) {
	var stop atomic.Bool
	begun := make(chan struct{})
	go func() {
		stop.Store(false)
		close(begun)
		for !stop.Load() {
			time.Sleep(time.Millisecond)
		}
	}()
	go stop.Store(true)
	<-begun
}

// TestTicksUsually leaves such a goroutine unless the word to stop comes late.
func TestTicksUsually(*testing.T) { usually(1 << 30) }

// TestTicksForLong leaves one that ends all the same.
func TestTicksForLong(*testing.T) { usually(300) }

func usually(ticks int) {
	var stop atomic.Bool
	begun := make(chan struct{})
	go stop.Store(true)
	go func() {
		stop.Store(false)
		close(begun)
		for i := 0; i < ticks && !stop.Load(); i++ {
			time.Sleep(time.Millisecond)
		}
	}()
	<-begun
}

// TestLogsAfterwards fails go test unless the process ends before the goroutine goes on.
func TestLogsAfterwards(t *testing.T) {
	go func() {
		runtime.Gosched()
		t.Log("late")
	}()
}

// TestDiesAfterwards fails go test unless the process ends before the panic has been printed.
func TestDiesAfterwards(t *testing.T) {
	done := make(chan int)
	go func() {
		defer close(done)
		panic("again")
	}()
	<-done
}
