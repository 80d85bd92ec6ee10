package tests

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestLostUpdate(t *testing.T) {
	var mu sync.Mutex
	n := 0
	pair(func(int) {
		mu.Lock()
		x := n
		mu.Unlock()
		mu.Lock()
		n = x + 1
		mu.Unlock()
	})
	if n != 2 {
		t.Errorf("n = %d, want 2", n)
	}
}

// TestFailsAlways fails in every schedule.
func TestFailsAlways(t *testing.T) {
	var n atomic.Int32
	pair(func(int) { n.Add(1) })
	t.Errorf("n = %d, want 3", n.Load())
}

func TestFailsInGoroutine(t *testing.T) {
	var n atomic.Int32
	pair(func(int) {
		if x := n.Load(); !n.CompareAndSwap(x, x+1) {
			t.Errorf("somebody else was quicker")
		}
	})
}

func TestFatalInGoroutine(t *testing.T) {
	var n atomic.Int32
	pair(func(int) {
		if x := n.Load(); !n.CompareAndSwap(x, x+1) {
			t.Fatal("somebody else was quicker")
		}
	})
}

func TestFailsWithoutWord(t *testing.T) {
	t.Run("sub", func(t *testing.T) {
		var n atomic.Int32
		pair(func(int) {
			if x := n.Load(); !n.CompareAndSwap(x, x+1) {
				t.Fail()
			}
		})
	})
}

func TestFailsInParallelSubtest(t *testing.T) {
	var n atomic.Int32
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if x := n.Load(); !n.CompareAndSwap(x, x+1) {
				t.Fatal("somebody else was quicker")
			}
		})
	}
}

func TestPanics(t *testing.T) {
	var n atomic.Int32
	pair(func(int) {
		if x := n.Load(); !n.CompareAndSwap(x, x+1) {
			panic("somebody else was quicker")
		}
	})
}

func TestPanicsInTest(t *testing.T) {
	ready := make(chan bool)
	var n atomic.Int32
	go func() { n.Store(1); ready <- true }()
	runtime.Gosched()
	defer func() { <-ready }()
	_ = []int{1, 2}[n.Load()*2]
}

func TestExits(t *testing.T) {
	var n atomic.Int32
	pair(func(int) {
		if x := n.Load(); !n.CompareAndSwap(x, x+1) {
			os.Exit(7)
		}
	})
}

func TestGoexit(t *testing.T) {
	var n atomic.Int32
	pair(func(int) { n.Add(1) })
	runtime.Goexit()
}

func TestConcurrentMap(t *testing.T) {
	m := map[int]int{}
	pair(func(i int) { m[i] = i })
}

func TestUnlocks(t *testing.T) {
	var mu sync.Mutex
	pair(func(int) { mu.Lock(); mu.Unlock(); mu.Unlock() })
}

func TestDeadlocks(t *testing.T) {
	var a, b sync.Mutex
	pair(func(i int) {
		if i == 0 {
			a.Lock()
			b.Lock()
		} else {
			b.Lock()
			a.Lock()
		}
		a.Unlock()
		b.Unlock()
	})
}

func TestHangs(t *testing.T) {
	ch := make(chan int)
	go func() {}()
	<-ch
}

func TestHangsAlone(*testing.T) { <-make(chan int) }

// TestHangsBesideATicker waits for ever while another goroutine uses a ticker.
func TestHangsBesideATicker(*testing.T) {
	go func() {
		for range time.Tick(time.Millisecond) {
		}
	}()
	<-make(chan int)
}

func TestLogsTooLate(t *testing.T) {
	go func() { t.Log("too late?") }()
}

func TestLeaks(t *testing.T) {
	// In some schedules no receiver is left.
	results := make(chan int)
	go func() { results <- 1 }()
	select {
	case <-results:
	case <-after(2):
	}
}

// after is closed by the last of n goroutines.
func after(n int) <-chan struct{} {
	done := make(chan struct{})
	var left atomic.Int32
	left.Store(int32(n))
	for range n {
		go func() {
			if left.Add(-1) == 0 {
				close(done)
			}
		}()
	}
	return done
}

func TestAlwaysLeaks(t *testing.T) {
	never := make(chan int)
	go func() { <-never }()
	time.Sleep(time.Second)
}

// TestLeaksMore leaves one goroutine in every schedule, and another in some.
func TestLeaksMore(t *testing.T) {
	never := make(chan int)
	go func() { <-never }()
	TestLeaks(t)
}

// TestGrandchildLeaks leaves a goroutine in every schedule. It is the third or the second that
// begins.
func TestGrandchildLeaks(t *testing.T) {
	never, began := make(chan int), make(chan int, 2)
	go parent(never, began)
	go func() { began <- 1 }()
	<-began
	<-began
}

func parent(never, began chan int) {
	go grandchild(never)
	began <- 1
}

func grandchild(never chan int) { <-never }

// TestAlwaysRacyMap runs after TestAlwaysLeaks.
func TestAlwaysRacyMap(t *testing.T) {
	m := make(map[int]int)
	pair(func(i int) { m[i] = i })
}

// TestHalves has one subtest that is right.
func TestHalves(t *testing.T) {
	t.Run("wrong", TestLostUpdate)
	t.Run("right", TestParallelSubtests)
}

func TestFailsTooLate(t *testing.T) {
	go func() { t.Fail() }()
}

// TestFailsAndWaits ends its goroutine with a failure, and then waits for it for ever.
func TestFailsAndWaits(t *testing.T) {
	c := make(chan int)
	go func() {
		t.FailNow()
		c <- 1
	}()
	<-c
}
