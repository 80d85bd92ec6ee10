package canary

import (
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/races"
)

// increment runs add in two goroutines and checks that total counts both.
func increment(t races.T, add func(), total func() int64) error {
	t.Go("increments once", add)
	t.Go("increments too", add)
	t.Wait()
	if got := total(); got != 2 {
		t.Errorf("a lost update: two goroutines added 1 each and the counter is at %d", got)
	}
	return nil
}

func lostUpdate(t races.T) error {
	var mu sync.Mutex
	var n int64
	read := func() int64 {
		mu.Lock()
		defer mu.Unlock()
		return n
	}
	write := func(v int64) {
		mu.Lock()
		defer mu.Unlock()
		n = v
	}
	return increment(t, func() { write(read() + 1) }, read)
}

func atomicLoadStore(t races.T) error {
	var n atomic.Int64
	return increment(t, func() { n.Store(n.Load() + 1) }, n.Load)
}

func atomicCAS(t races.T) error {
	var n atomic.Int64
	add := func() {
		for {
			v := n.Load()
			if n.CompareAndSwap(v, v+1) {
				return
			}
		}
	}
	return increment(t, add, n.Load)
}
