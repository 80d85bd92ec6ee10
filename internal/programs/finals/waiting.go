package finals

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/explore"
)

func ofWaiting() []Final {
	return []Final{
		{"wait group", func(t *explore.T, say func(func() string)) {
			var w sync.WaitGroup
			var x atomic.Int32
			seen := int32(-1)
			say(func() string { return fmt.Sprint(seen, x.Load()) })
			w.Add(2)
			for i := range 2 {
				go func() { x.Add(int32(1 + i)); w.Done() }()
			}
			w.Wait()
			seen = x.Load()
		}},
		{"wait group, added to too late", func(t *explore.T, say func(func() string)) {
			var w sync.WaitGroup
			var x atomic.Int32
			seen := int32(-1)
			say(func() string { return fmt.Sprint(seen) })
			t.Go("adds", func() { w.Add(1); x.Store(1); w.Done() })
			w.Wait()
			seen = x.Load()
			t.Wait()
		}},
		{"two of whom one waits for the other's work", func(t *explore.T, say func(func() string)) {
			var mu sync.Mutex
			var w sync.WaitGroup
			begun, work, seen := false, 0, 0
			say(func() string { return fmt.Sprint(seen) })
			for i := range 2 {
				t.Go(fmt.Sprint(i), func() {
					mu.Lock()
					wait := begun
					if begun = true; !wait {
						w.Add(1)
					}
					mu.Unlock()
					if wait {
						w.Wait()
						seen = work
					} else {
						work = i + 1
						w.Done()
					}
				})
			}
			t.Wait()
		}},
		{"work, or the end before it", func(t *explore.T, say func(func() string)) {
			var mu sync.Mutex
			var w sync.WaitGroup
			closed, seen := false, int32(-1)
			var x atomic.Int32
			say(func() string { return fmt.Sprint(seen) })
			t.Go("works", func() {
				mu.Lock()
				if closed {
					mu.Unlock()
					return
				}
				w.Add(1)
				mu.Unlock()
				x.Store(1)
				w.Done()
			})
			mu.Lock()
			closed = true
			mu.Unlock()
			w.Wait()
			seen = x.Load()
			t.Wait()
		}},
		{"work that is added too late if the lock is taken first", func(t *explore.T, say func(func() string)) {
			var mu sync.Mutex
			var w sync.WaitGroup
			begun, seen := false, int32(-1)
			var x atomic.Int32
			say(func() string { return fmt.Sprint(seen) })
			t.Go("waits", func() {
				mu.Lock()
				wait := begun
				mu.Unlock()
				if wait {
					w.Wait()
					seen = x.Load()
				}
			})
			t.Go("works", func() {
				mu.Lock()
				begun = true
				mu.Unlock()
				w.Add(1)
				x.Store(1)
				w.Done()
			})
			t.Wait()
		}},
		{"condition, signalled once", func(t *explore.T, say func(func() string)) {
			var mu sync.Mutex
			c := sync.NewCond(&mu)
			ready, woken := false, false
			say(func() string { return fmt.Sprint(woken) })
			t.Go("waits", func() {
				mu.Lock()
				for !ready {
					c.Wait()
				}
				woken = true
				mu.Unlock()
			})
			t.Go("signals", func() { mu.Lock(); ready = true; mu.Unlock(); c.Signal() })
			t.Wait()
		}},
		{"flag outside the lock, signalled once", func(t *explore.T, say func(func() string)) {
			var mu sync.Mutex
			var ready atomic.Bool
			c := sync.NewCond(&mu)
			woken := false
			say(func() string { return fmt.Sprint(woken) })
			t.Go("waits", func() {
				mu.Lock()
				for !ready.Load() {
					c.Wait()
				}
				woken = true
				mu.Unlock()
			})
			t.Go("signals", func() { ready.Store(true); c.Signal() })
			t.Wait()
		}},
		{"two wait, one is signalled", func(t *explore.T, say func(func() string)) {
			var mu sync.Mutex
			c := sync.NewCond(&mu)
			var l trail
			say(l.String)
			for i := range 2 {
				go func() { mu.Lock(); c.Wait(); l.text = append(l.text, fmt.Sprint(i)); mu.Unlock() }()
			}
			c.Signal()
		}},
		{"sleepers", func(t *explore.T, say func(func() string)) {
			var l trail
			say(l.String)
			for i := range 2 {
				t.Go(fmt.Sprint("sleeper ", i), func() { time.Sleep(time.Millisecond); l.add(fmt.Sprint(i)) })
			}
			t.Wait()
		}},
		{"message or timeout", func(t *explore.T, say func(func() string)) {
			c := make(chan int, 1)
			var x atomic.Int32
			got := ""
			say(func() string { return got })
			t.Go("sends", func() {
				if x.Load() == 0 {
					time.Sleep(2 * time.Second)
				}
				c <- 1
			})
			t.Go("decides", func() { x.Store(1) })
			t.Go("receives", func() {
				select {
				case <-c:
					got = "message"
				case <-time.After(time.Second):
					got = "timeout"
				}
			})
			t.Wait()
		}},
		{"timer stopped, or not in time", func(t *explore.T, say func(func() string)) {
			timer := time.NewTimer(time.Second)
			var x atomic.Int32
			var stopped, drained bool
			say(func() string { return fmt.Sprint(stopped, drained) })
			t.Go("stops", func() {
				if x.Load() == 0 {
					time.Sleep(time.Second)
				}
				stopped = timer.Stop()
			})
			t.Go("reads", func() {
				x.Store(1)
				time.Sleep(time.Second)
				select {
				case <-timer.C:
					drained = true
				default:
				}
			})
			t.Wait()
		}},
		{"context, cancelled", func(t *explore.T, say func(func() string)) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			c := make(chan int, 1)
			got := ""
			say(func() string { return got })
			t.Go("cancels", cancel)
			c <- 1
			select {
			case <-c:
				got = "message"
			case <-ctx.Done():
				got = "cancelled"
			}
			t.Wait()
		}},
	}
}
