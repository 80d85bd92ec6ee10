// Package finals holds programs so small that all of their schedules can be run, to
// compare the final states that a reducing search reaches with all that exist.
package finals

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

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
