package tests

import (
	"sync/atomic"
	"testing"
	"time"
)

// TestSleepsAndLoses uses a sleep as synchronisation, which fails if a goroutine is held up.
// Its counter may lose all updates but two, which few schedules show.
func TestSleepsAndLoses(t *testing.T) {
	var started atomic.Bool
	go func() { started.Store(true) }()
	time.Sleep(time.Millisecond)
	if !started.Load() {
		t.Fatal("not started")
	}
	var n atomic.Int32
	pair(func(int) {
		for range 3 {
			n.Store(n.Load() + 1)
		}
	})
	if n.Load() < 3 {
		t.Errorf("n = %d, want at least 3", n.Load())
	}
}
