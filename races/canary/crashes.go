package canary

import (
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/races"
)

// doubleClose panics in a schedule in which both goroutines check before either has closed.
func doubleClose(t races.T) error {
	var closed atomic.Bool
	done := make(chan struct{})
	finish := func() {
		if !closed.Load() {
			closed.Store(true)
			close(done)
		}
	}
	t.Go("closes if open", finish)
	t.Go("closes if open, too", finish)
	t.Wait()
	return nil
}

// doubleUnlock is "fatal error: sync: unlock of unlocked mutex" in a schedule in which both goroutines check before
// either has unlocked. recover does not catch it.
func doubleUnlock(t races.T) error {
	var mu sync.Mutex
	var locked atomic.Bool
	mu.Lock()
	locked.Store(true)
	release := func() {
		if locked.Load() {
			locked.Store(false)
			mu.Unlock()
		}
	}
	t.Go("unlocks if locked", release)
	t.Go("unlocks if locked, too", release)
	t.Wait()
	return nil
}
