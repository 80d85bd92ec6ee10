package programs

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/explore"
)

// Stuck returns programs in which some goroutines can never continue, whatever
// the others do.
func Stuck() []Program {
	return []Program{
		{"a cycle of locks beside a ticker", explore.Violated, explore.KindDeadlock, func(t *explore.T) {
			var a, b sync.Mutex
			defer tick()()
			//lint:ignore SA2001 the order is all that matters
			t.Go("ab", func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() })
			//lint:ignore SA2001 the order is all that matters
			t.Go("ba", func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() })
			t.Wait()
		}},
		{"a cycle of locks behind the body's back", explore.Violated, explore.KindDeadlock, func(t *explore.T) {
			var a, b sync.Mutex
			//lint:ignore SA2001 the order is all that matters
			go func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() }()
			//lint:ignore SA2001 the order is all that matters
			go func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() }()
		}},
		{"a reader again behind a writer", explore.Violated, explore.KindDeadlock, func(t *explore.T) {
			var mu sync.RWMutex
			defer tick()()
			//lint:ignore SA2001 the order is all that matters
			t.Go("reader", func() { mu.RLock(); mu.RLock(); mu.RUnlock(); mu.RUnlock() })
			//lint:ignore SA2001 the order is all that matters
			t.Go("writer", func() { mu.Lock(); mu.Unlock() })
			t.Wait()
		}},
		{"its own lock", explore.Violated, explore.KindDeadlock, func(t *explore.T) {
			var mu sync.Mutex
			t.Go("locks twice", func() { mu.Lock(); mu.Lock() })
			t.Go("other", func() {})
			t.Wait()
		}},
		{"a lock that another goroutine releases", explore.Holds, "", func(t *explore.T) {
			var a, b sync.Mutex
			a.Lock()
			b.Lock()
			t.Go("waits", func() { a.Lock(); b.Unlock(); a.Unlock() })
			t.Go("releases", func() { a.Unlock() })
			inAndOut(&b)
			t.Wait()
		}},
		{"a cycle that a third ends", explore.Holds, "", func(t *explore.T) {
			var a, b sync.Mutex
			a.Lock()
			b.Lock()
			t.Go("releases", func() {
				for range 5 {
					time.Sleep(time.Second)
				}
				b.Unlock()
			})
			inAndOut(&b) // held by this goroutine itself, but the other one releases it
			a.Unlock()
			t.Wait()
		}},
		{"a lock and a channel", explore.Violated, explore.KindDeadlock, func(t *explore.T) {
			var mu sync.Mutex
			c := make(chan int)
			t.Go("sends", func() { mu.Lock(); c <- 1; mu.Unlock() })
			//lint:ignore SA2001 the order is all that matters
			t.Go("receives", func() { mu.Lock(); mu.Unlock(); <-c })
			t.Wait()
		}},
		{"a wait group and a lock", explore.Violated, explore.KindDeadlock, func(t *explore.T) {
			var mu sync.RWMutex
			var wg sync.WaitGroup
			wg.Add(1)
			t.Go("waits", func() { mu.Lock(); wg.Wait(); mu.Unlock() })
			t.Go("reads", func() { mu.RLock(); wg.Done(); mu.RUnlock() })
			t.Wait()
		}},
	}
}

// tick starts a goroutine that uses a ticker until stop is called.
func tick() (stop func()) {
	tick, done := time.NewTicker(time.Second), make(chan struct{})
	go func() {
		for {
			select {
			case <-tick.C:
			case <-done:
				return
			}
		}
	}()
	return func() { tick.Stop(); close(done) }
}

// LostSignal may wait for a condition that was signalled before.
func LostSignal(t *explore.T) {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	t.Go("waiter", func() { mu.Lock(); c.Wait(); mu.Unlock() })
	t.Go("signaller", func() { c.Signal() })
	t.Wait()
}

// LostSend may wait for a value that was offered before it began to receive.
func LostSend(t *explore.T) {
	c := make(chan int)
	t.Go("waiter", func() { <-c })
	t.Go("sender", func() {
		select {
		case c <- 1:
		default:
		}
	})
	t.Wait()
}

// NoWakeUp waits for a value that no goroutine sends.
func NoWakeUp(t *explore.T) {
	c := make(chan int)
	var n atomic.Int32
	t.Go("waiter", func() { n.Add(1); <-c })
	t.Go("other", func() { n.Add(1) })
	t.Wait()
}

// Leaky leaves a goroutine behind that waits in park, called by waits.
func Leaky(t *explore.T) {
	t.Go("other", func() {})
	go waits(make(chan int))
	t.Wait()
}

func waits(c chan int) { park(c) }

//go:noinline
func park(c chan int) { <-c }
