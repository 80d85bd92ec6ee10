package programs

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/explore"
)

// Spins returns programs whose goroutines wait by spinning.
func Spins() []Program {
	return []Program{
		{"spin lock", explore.Holds, "", SpinLock},
		{"CAS loop", explore.Holds, "", CASLoop},
		{"spin for one that sleeps", explore.Holds, "", func(t *explore.T) {
			var ready atomic.Bool
			t.Go("spinner", func() {
				for !ready.Load() {
				}
			})
			t.Go("setter", func() { time.Sleep(time.Hour); ready.Store(true) })
			t.Wait()
		}},
		{"spin until a deadline", explore.Holds, "", func(t *explore.T) {
			var ready atomic.Bool
			until := time.Now().Add(time.Second)
			t.Go("spinner", func() {
				for !ready.Load() && time.Now().Before(until) {
				}
			})
			t.Go("other", func() { ready.Load() })
			t.Wait()
		}},
		{"poll a channel", explore.Holds, "", func(t *explore.T) {
			c := make(chan int)
			t.Go("poller", func() {
				for {
					select {
					case <-c:
						return
					default:
						runtime.Gosched()
					}
				}
			})
			t.Go("closer", func() { close(c) })
			t.Wait()
		}},
		{"try a lock", explore.Holds, "", func(t *explore.T) {
			var mu sync.Mutex
			for _, name := range []string{"one", "two"} {
				t.Go(name, func() {
					for !mu.TryLock() {
					}
					mu.Unlock()
				})
			}
			t.Wait()
		}},
		{"two wait for one another", explore.Violated, explore.KindLivelock, func(t *explore.T) {
			var a, b atomic.Bool
			t.Go("a", func() {
				for !b.Load() {
				}
				a.Store(true)
			})
			t.Go("b", func() {
				for !a.Load() {
					runtime.Gosched()
				}
				b.Store(true)
			})
			t.Wait()
		}},
		{"a flag that nobody sets any more", explore.Violated, explore.KindLivelock, func(t *explore.T) {
			var taken, done atomic.Bool
			t.Go("waiter", func() {
				if taken.Load() {
					for !done.Load() {
					}
				}
			})
			t.Go("worker", func() { done.Store(true); taken.Store(true); done.Store(false) })
			t.Wait()
		}},
		{"two give way to one another", explore.Violated, explore.KindLivelock, Polite},
		{"gives up too soon", explore.Violated, explore.KindCheck, func(t *explore.T) {
			var ready atomic.Bool
			t.Go("spinner", func() {
				for range 25 {
					if ready.Load() {
						return
					}
				}
				t.Errorf("gave up")
			})
			t.Go("setter", func() { ready.Load(); ready.Store(true) })
			t.Wait()
		}},
	}
}

// SpinLock guards a counter by a spin lock.
func SpinLock(t *explore.T) {
	var locked atomic.Bool
	n := 0
	for i := range 2 {
		t.Go(fmt.Sprint("adder ", i), func() {
			for !locked.CompareAndSwap(false, true) {
			}
			n++
			locked.Store(false)
		})
	}
	t.Wait()
	if n != 2 {
		t.Errorf("n is %d, want 2", n)
	}
}

// CASLoop adds to a counter by compare-and-swap, and retries if another goroutine
// changed it meanwhile: some goroutine always makes progress.
func CASLoop(t *explore.T) {
	var n atomic.Int64
	for i := range 3 {
		t.Go(fmt.Sprint("adder ", i), func() {
			for {
				if v := n.Load(); n.CompareAndSwap(v, v+1) {
					return
				}
			}
		})
	}
	t.Wait()
	if n.Load() != 3 {
		t.Errorf("n is %d, want 3", n.Load())
	}
}

// Polite has two goroutines that each raise a flag, and lower and raise it again as
// long as they see the other's. If they take turns, they do so for ever.
func Polite(t *explore.T) {
	var flags [2]atomic.Bool
	for i := range 2 {
		t.Go(fmt.Sprint("polite ", i), func() {
			flags[i].Store(true)
			for flags[1-i].Load() {
				flags[i].Store(false)
				flags[i].Store(true)
			}
		})
	}
	t.Wait()
}

// Starving has a goroutine wait for a value that no goroutine sends, while two others
// spin, taking a lock in each turn, for a flag that no goroutine sets.
func Starving(t *explore.T) {
	var ready atomic.Bool
	var mu sync.Mutex
	c := make(chan int)
	t.Go("starved", func() { <-c })
	for i := range 2 {
		t.Go(fmt.Sprint("busy ", i), func() {
			for !ready.Load() {
				mu.Lock()
				mu.Unlock() //lint:ignore SA2001 it only keeps busy
			}
		})
	}
	t.Wait()
}
