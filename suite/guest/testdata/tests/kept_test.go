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

func TestKeptSeldom(*testing.T) { seldom(func() { times++ }) }

var timesAtomic atomic.Int32

func TestKeptAtomic(*testing.T) { seldom(func() { timesAtomic.Add(1) }) }

// TestKeptNone uses a channel that every context has which was cancelled before it was asked.
func TestKeptNone(*testing.T) {
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

// TestKeptBuffer has state that only package bytes reads and writes.
func TestKeptBuffer(*testing.T) {
	seldom(func() {})
	_, _ = feed.Read(make([]byte, 1))
	_, _ = feed.Write([]byte("ab"))
}

var levels [4]int

// TestKeptLevels has state that only the standard library reads.
func TestKeptLevels(*testing.T) {
	seldom(func() {})
	_ = slices.Max(levels[:])
	_ = fmt.Sprint(&levels)
	levels[2] = 7
}

var words = strings.NewReplacer("a", "b")

// TestKeptNothing has no state but what the standard library keeps for itself.
func TestKeptNothing(t *testing.T) {
	seldom(func() {})
	var all struct{ A map[string][]int }
	err := json.Unmarshal([]byte(`{"A": {"x": [1, 2]}}`), &all)
	if text := fmt.Sprintf("%+v %T", all, all); err != nil || words.Replace(text) == text {
		t.Error(text, err)
	}
}
