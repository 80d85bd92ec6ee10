package tests

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Many goroutines set two numbers, one reads them, and three do other things.
func TestCrowded(t *testing.T) {
	var a, b atomic.Int64
	var n [9]atomic.Int64
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { crowd(&n) })
	}
	for range 9 {
		wg.Go(func() {
			a.Store(1)
			b.Store(1)
		})
	}
	wg.Go(func() { compare(t, &a, &b) })
	wg.Wait()
}

// compare fails if a setter is between its two stores. Tests know the line of the failure.
func compare(t *testing.T, a, b *atomic.Int64) {
	first := a.Load()
	second := b.Load()
	if first != second {
		t.Errorf("got %d and %d", first, second)
	}
}

func crowd(n *[9]atomic.Int64) {
	for range 3 {
		n[0].Add(n[0].Load())
		n[1].Add(n[1].Load())
		n[2].Add(n[2].Load())
		n[3].Add(n[3].Load())
		n[4].Add(n[4].Load())
		n[5].Add(n[5].Load())
		n[6].Add(n[6].Load())
		n[7].Add(n[7].Load())
		n[8].Add(n[8].Load())
	}
}

// A send to a channel beside its close is a data race in either order.
func TestClosesTooSoon(t *testing.T) {
	c := make(chan int, 1)
	var wg sync.WaitGroup
	wg.Go(func() { c <- 1 })
	wg.Go(func() { close(c) })
	wg.Wait()
}
