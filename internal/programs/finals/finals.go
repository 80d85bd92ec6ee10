// Package finals holds programs so small that all of their schedules can be run, to
// compare the final states that a reducing search reaches with all that exist.
package finals

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/jacquard-go/jacquard/explore"
)

// A Final is a program that passes say a function which returns the program's final
// state. The function is called when the execution has ended, in whatever way.
type Final struct {
	Name string
	Run  func(t *explore.T, say func(final func() string))
}

// All returns programs for comparing a search that leaves schedules out with one that
// runs all of them.
func All() []Final {
	return slices.Concat(ofMemory(), ofLocks(), ofWaiting(), ofChannels(), ofJoins(), ofTwins(), ofTheRest())
}

// A trail is a list that goroutines append to. It is read when they have ended.
type trail struct {
	mu   sync.Mutex
	text []string
}

func (l *trail) add(s string) {
	l.mu.Lock()
	l.text = append(l.text, s)
	l.mu.Unlock()
}

func (l *trail) String() string { return strings.Join(l.text, " ") }

func ofMemory() []Final {
	return []Final{
		{"two writers of one variable", writers(2)},
		{"three writers of one variable", writers(3)},
		{"two variables", func(t *explore.T, say func(func() string)) {
			var a [2]atomic.Int32
			say(func() string { return fmt.Sprint(a[0].Load(), a[1].Load()) })
			for i := range a {
				t.Go(fmt.Sprint("adder ", i), func() { a[i].Add(1); a[i].Add(1) })
			}
			t.Wait()
		}},
		{"store, then load the other", func(t *explore.T, say func(func() string)) {
			var x, y atomic.Int32
			var a, b int32
			say(func() string { return fmt.Sprint(a, b) })
			t.Go("x", func() { x.Store(1); a = y.Load() })
			t.Go("y", func() { y.Store(1); b = x.Load() })
			t.Wait()
		}},
		{"message behind a flag", func(t *explore.T, say func(func() string)) {
			var x, flag atomic.Int32
			var a, b int32
			say(func() string { return fmt.Sprint(a, b) })
			t.Go("writer", func() { x.Store(1); flag.Store(1) })
			t.Go("reader", func() { a = flag.Load(); b = x.Load() })
			t.Wait()
		}},
		{"two readers of one writer", func(t *explore.T, say func(func() string)) {
			var x atomic.Int32
			var got [2]int32
			say(func() string { return fmt.Sprint(got) })
			t.Go("writer", func() { x.Store(1); x.Store(2) })
			for i := range got {
				t.Go(fmt.Sprint("reader ", i), func() { got[i] = x.Load() })
			}
			t.Wait()
		}},
		{"load, then store", func(t *explore.T, say func(func() string)) {
			var x atomic.Int32
			say(func() string { return fmt.Sprint(x.Load()) })
			for i := range 2 {
				t.Go(fmt.Sprint("adder ", i), func() { v := x.Load(); x.Store(v + 1) })
			}
			t.Wait()
		}},
		{"CAS loops", func(t *explore.T, say func(func() string)) {
			var x atomic.Int32
			var tries [2]int
			say(func() string { return fmt.Sprint(x.Load(), tries) })
			for i := range tries {
				t.Go(fmt.Sprint("adder ", i), func() {
					for done := false; !done; tries[i]++ {
						v := x.Load()
						done = x.CompareAndSwap(v, v+1)
					}
				})
			}
			t.Wait()
		}},
		{"plain counter", func(t *explore.T, say func(func() string)) {
			n := 0
			say(func() string { return fmt.Sprint(n) })
			for i := range 2 {
				t.Go(fmt.Sprint("adder ", i), func() { n++ })
			}
			t.Wait()
		}},
		{"plain pair, copied whole", func(t *explore.T, say func(func() string)) {
			var pair, copied [2]int
			say(func() string { return fmt.Sprint(copied) })
			t.Go("second", func() { pair[1] = 1 })
			t.Go("copy", func() { copied = pair })
			t.Wait()
		}},
	}
}

func writers(n int) func(t *explore.T, say func(func() string)) {
	return func(t *explore.T, say func(func() string)) {
		var x atomic.Int32
		say(func() string { return fmt.Sprint(x.Load()) })
		for i := range n {
			t.Go(fmt.Sprint("writer ", i), func() { x.Store(int32(i)) })
		}
		t.Wait()
	}
}

func ofLocks() []Final {
	return []Final{
		{"increments under a lock", func(t *explore.T, say func(func() string)) {
			var l trail
			say(l.String)
			for i := range 2 {
				t.Go(fmt.Sprint("adder ", i), func() { l.add(fmt.Sprint(i)) })
			}
			t.Wait()
		}},
		{"independent locks", func(t *explore.T, say func(func() string)) {
			var l [2]trail
			say(func() string { return l[0].String() + ", " + l[1].String() })
			for i := range 2 {
				t.Go(fmt.Sprint("adder ", i), func() { l[i].add("a"); l[i].add("b") })
			}
			t.Wait()
		}},
		{"dining philosophers", func(t *explore.T, say func(func() string)) {
			var forks [2]sync.Mutex
			var l trail
			say(l.String)
			for i := range forks {
				t.Go(fmt.Sprint("philosopher ", i), func() {
					forks[i].Lock()
					forks[1-i].Lock()
					l.text = append(l.text, fmt.Sprint(i))
					forks[1-i].Unlock()
					forks[i].Unlock()
				})
			}
			t.Wait()
		}},
		{"try a lock", func(t *explore.T, say func(func() string)) {
			var mu sync.Mutex
			var got bool
			say(func() string { return fmt.Sprint(got) })
			t.Go("locks", func() { mu.Lock(); defer mu.Unlock() })
			t.Go("tries", func() {
				if got = mu.TryLock(); got {
					mu.Unlock()
				}
			})
			t.Wait()
		}},
		{"two readers, one writer", func(t *explore.T, say func(func() string)) {
			var mu sync.RWMutex
			x := 0
			var got [2]int
			say(func() string { return fmt.Sprint(got) })
			for i := range got {
				t.Go(fmt.Sprint("reader ", i), func() { mu.RLock(); got[i] = x; mu.RUnlock() })
			}
			mu.Lock()
			x++
			mu.Unlock()
			t.Wait()
		}},
		{"one reader, two writers", func(t *explore.T, say func(func() string)) {
			var mu sync.RWMutex
			var l trail
			read := ""
			say(func() string { return read + " of " + l.String() })
			for i := range 2 {
				t.Go(fmt.Sprint("writer ", i), func() { mu.Lock(); l.text = append(l.text, fmt.Sprint(i)); mu.Unlock() })
			}
			t.Go("reader", func() { mu.RLock(); read = l.String(); mu.RUnlock() })
			t.Wait()
		}},
		{"one reads twice at once, one writes", func(t *explore.T, say func(func() string)) {
			var mu sync.RWMutex
			x, read := 0, 0
			say(func() string { return fmt.Sprint(read) })
			t.Go("reader", func() {
				mu.RLock()
				mu.RLock()
				read = x
				mu.RUnlock()
				mu.RUnlock()
			})
			t.Go("writer", func() { mu.Lock(); x++; mu.Unlock() })
			t.Wait()
		}},
		{"two readers tell each other, one writes", func(t *explore.T, say func(func() string)) {
			var mu sync.RWMutex
			var told atomic.Bool
			x := 0
			var read [2]string
			say(func() string { return fmt.Sprint(read) })
			t.Go("tells", func() { mu.RLock(); told.Store(true); read[0] = fmt.Sprint(x); mu.RUnlock() })
			t.Go("hears", func() { mu.RLock(); read[1] = fmt.Sprint(told.Load(), x); mu.RUnlock() })
			mu.Lock()
			x++
			mu.Unlock()
			t.Wait()
		}},
		{"who reads has it given back by another, one writes", func(t *explore.T, say func(func() string)) {
			var mu sync.RWMutex
			x, read := 0, 0
			say(func() string { return fmt.Sprint(read) })
			t.Go("reader", func() {
				mu.RLock()
				read = x
				t.Go("gives back", func() { mu.RUnlock() })
			})
			t.Go("writer", func() { mu.Lock(); x++; mu.Unlock() })
			t.Wait()
		}},
		{"once", func(t *explore.T, say func(func() string)) {
			var once sync.Once
			var l trail
			say(l.String)
			for i := range 2 {
				t.Go(fmt.Sprint("caller ", i), func() { once.Do(func() { l.text = append(l.text, fmt.Sprint(i)) }) })
			}
			t.Wait()
		}},
	}
}

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

// ofJoins returns programs that wait for their goroutines in the ways Go programs do.
func ofJoins() []Final {
	return []Final{
		{"two adds and a Wait", func(_ *explore.T, say func(func() string)) {
			var wg sync.WaitGroup
			var n atomic.Int32
			say(func() string { return fmt.Sprint(n.Load()) })
			for range 2 {
				wg.Go(func() { n.Add(1) })
			}
			wg.Wait()
		}},
		{"two adds and a done channel", func(_ *explore.T, say func(func() string)) {
			var n atomic.Int32
			say(func() string { return fmt.Sprint(n.Load()) })
			done := make(chan bool, 2)
			for range 2 {
				go func() { n.Add(1); done <- true }()
			}
			<-done
			<-done
		}},
		{"two adds in an errgroup", func(_ *explore.T, say func(func() string)) {
			var g errgroup.Group
			var n atomic.Int32
			say(func() string { return fmt.Sprint(n.Load()) })
			for range 2 {
				g.Go(func() error { n.Add(1); return nil })
			}
			_ = g.Wait()
		}},
		{"two equal stores and a load", func(_ *explore.T, say func(func() string)) {
			var wg sync.WaitGroup
			var x, seen atomic.Int32
			say(func() string { return fmt.Sprint(seen.Load()) })
			for range 2 {
				wg.Go(func() { x.Store(1) })
			}
			seen.Store(x.Load())
			wg.Wait()
		}},
	}
}
