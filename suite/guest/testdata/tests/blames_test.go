package tests

import (
	"io"
	"sync"
	"sync/atomic"
	"testing"

	"log/tests/ledger"
)

func TestLocksTwice(t *testing.T) {
	var a, b ledger.Account
	var wg sync.WaitGroup
	wg.Go(func() { a.Twice() })
	wg.Go(func() { ledger.Move(&a, &b, 1) })
	wg.Wait()
}

func TestMovesInParts(t *testing.T) {
	var a, b ledger.Account
	var wg sync.WaitGroup
	wg.Go(func() { ledger.Move(&a, &b, 1) })
	wg.Go(func() {
		if sum := ledger.Sum(&a, &b); sum != 0 {
			t.Errorf("the sum is %d", sum)
		}
	})
	wg.Wait()
}

func TestLosesAKey(t *testing.T) {
	var d ledger.Desk
	d.Take(nil)
	stop := make(chan bool)
	var wg sync.WaitGroup
	wg.Go(func() {
		if d.Take(stop) {
			d.Give()
		}
	})
	wg.Go(func() { close(stop) })
	d.Give()
	wg.Wait()
	late := make(chan bool)
	close(late)
	if !d.Take(late) {
		t.Error("the key is lost")
	}
}

func TestTakesTwice(t *testing.T) {
	c := make(chan int, 1)
	c <- 1
	var wg sync.WaitGroup
	wg.Go(func() { ledger.Take(c) })
	wg.Go(func() { ledger.Take(c) })
	wg.Wait()
}

// TestLosesBesideAPipe loses an update; the locks of io.Pipe have no part in that.
func TestLosesBesideAPipe(t *testing.T) {
	var n atomic.Int32
	in, out := io.Pipe()
	go func() { _, _ = out.Write([]byte("cloth")) }()
	_, _ = io.ReadFull(in, make([]byte, 5))
	pair(func(int) { n.Store(n.Load() + 1) })
	if n.Load() != 2 {
		t.Error(n.Load())
	}
}
