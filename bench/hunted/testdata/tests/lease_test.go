package hunted

import (
	"sync"
	"sync/atomic"
	"testing"
)

// A lease is renewed by who finds that it is his, and taken by who finds that it has run out.
type lease struct{ holder, until, now atomic.Int32 }

func (l *lease) take(me int32) bool {
	if l.until.Load() > l.now.Load() {
		return false
	}
	l.holder.Store(me)
	l.until.Store(l.now.Load() + 2)
	return l.holder.Load() == me
}

func TestLease(t *testing.T) {
	var l lease
	l.now.Store(5)
	var wg sync.WaitGroup
	var leaders atomic.Int32
	for i := range int32(3) {
		wg.Go(func() {
			if l.take(i + 1) {
				leaders.Add(1)
			}
			l.now.Load()
		})
	}
	busy(&wg)
	wg.Wait()
	if n := leaders.Load(); n > 2 {
		t.Errorf("there are %d leaders", n)
	}
}
