package tests

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

var single atomic.Pointer[int]

// TestLazy can fail only in the first schedule of a process.
func TestLazy(t *testing.T) {
	var got [2]*int
	pair(func(i int) {
		if got[i] = single.Load(); got[i] == nil {
			got[i] = new(int)
			single.Store(got[i])
		}
	})
	if got[0] != got[1] {
		t.Error("two of them")
	}
}

var (
	inOrder sync.Mutex
	came    []int // who came, in the first schedule of a process
)

// come starts n goroutines. In the first schedule they note the order in which they come.
func come(n int) (first bool) {
	first = came == nil
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			inOrder.Lock()
			defer inOrder.Unlock()
			if first {
				came = append(came, i)
			}
		})
	}
	wg.Wait()
	return first
}

// TestLazyOrder fails in most first schedules of a process. TestLazyTwo fails in none.
func TestLazyOrder(t *testing.T) {
	if come(3) && !slices.IsSorted(came) {
		t.Errorf("they came as %v", came)
	}
}

func TestLazyTwo(*testing.T) { come(2) }

var winner string

// TestLazyWinner takes one course, whatever an earlier schedule has left in winner.
func TestLazyWinner(*testing.T) {
	first := make(chan string, 2)
	go func() { first <- "a" }()
	go func() { first <- "b" }()
	if w := <-first; winner == "" {
		winner = w
	}
	<-first
}

var starts = map[string]*int{"all": new(int)}

// TestLazyHeap takes one course, whatever an earlier schedule has left behind a pointer in a map.
func TestLazyHeap(*testing.T) {
	*starts["all"]++
	first := make(chan string, 2)
	go func() { first <- "a" }()
	go func() { first <- "b" }()
	<-first
	<-first
}

// TestLazyStuck hangs in most first schedules of a process.
func TestLazyStuck(*testing.T) {
	if come(3) && !slices.IsSorted(came) {
		<-make(chan int)
	}
}
