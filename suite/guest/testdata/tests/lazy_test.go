package tests

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
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

// seldom calls f in half of the courses, and not in the first.
func seldom(f func()) {
	var last atomic.Int32
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { last.Store(int32(i)) })
	}
	if wg.Wait(); last.Load() == 0 {
		f()
	}
}

var times int

func TestLazySeldom(*testing.T) { seldom(func() { times++ }) }

var timesAtomic atomic.Int32

func TestLazyAtomic(*testing.T) { seldom(func() { timesAtomic.Add(1) }) }

// TestLazyNone uses a channel that every context has which was cancelled before it was asked.
func TestLazyNone(*testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			select {
			case <-make(chan int):
			case <-ctx.Done():
			}
		})
	}
	wg.Wait()
}

var feed io.ReadWriter = new(bytes.Buffer)

// TestLazyBuffer has state that only package bytes reads and writes.
func TestLazyBuffer(*testing.T) {
	seldom(func() {})
	_, _ = feed.Read(make([]byte, 1))
	_, _ = feed.Write([]byte("ab"))
}

var levels [4]int

// TestLazyLevels has state that only the standard library reads.
func TestLazyLevels(*testing.T) {
	seldom(func() {})
	_ = slices.Max(levels[:])
	_ = fmt.Sprint(&levels)
	levels[2] = 7
}

var words = strings.NewReplacer("a", "b")

// TestLazyNothing has no state but what the standard library keeps for itself.
func TestLazyNothing(t *testing.T) {
	seldom(func() {})
	var all struct{ A map[string][]int }
	err := json.Unmarshal([]byte(`{"A": {"x": [1, 2]}}`), &all)
	if text := fmt.Sprintf("%+v %T", all, all); err != nil || words.Replace(text) == text {
		t.Error(text, err)
	}
}

// TestLazyStuck hangs in most first schedules of a process.
func TestLazyStuck(*testing.T) {
	if come(3) && !slices.IsSorted(came) {
		<-make(chan int)
	}
}
