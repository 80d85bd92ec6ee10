package programs

import (
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
)

// late runs two goroutines. One failure needs only their other order, the other
// needs a preemption. An execution has at most one of the failures.
func late(t *explore.T, lost, order func()) {
	var n, first atomic.Int64
	adder := func(id int64) func() {
		return func() {
			v := n.Load()
			n.Store(v + 1)
			first.CompareAndSwap(0, id)
		}
	}
	t.Go("one", adder(1))
	t.Go("two", adder(2))
	t.Wait()
	switch {
	case n.Load() != 2:
		lost()
	case first.Load() == 2:
		order()
	}
}

// TwoChecks has two failing checks: one needs a preemption.
func TwoChecks(t *explore.T) {
	late(t, func() { t.Errorf("an update was lost") }, func() { t.Errorf("the second was first") })
}

// TwoPanics panics in one of two places.
func TwoPanics(t *explore.T) {
	late(t, func() { panic("an update was lost") }, func() { panic("the second was first") })
}

// TwoDeadlocks has two deadlocks: a cycle of locks needs a preemption, and a receiver
// that runs after the giver waits for ever.
func TwoDeadlocks(t *explore.T) {
	var a, b sync.Mutex
	c := make(chan int)
	var given atomic.Bool
	//lint:ignore SA2001 the order is all that matters
	t.Go("ab", func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() })
	//lint:ignore SA2001 the order is all that matters
	t.Go("ba", func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() })
	t.Go("taker", func() {
		if given.Load() {
			<-c
		}
	})
	t.Go("giver", func() { given.Store(true) })
	t.Wait()
}
