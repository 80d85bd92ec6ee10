// Package programs holds small concurrent programs whose verdicts are known, for
// tests of the explorer. They are a package of their own because
// the explorer itself, and with it its test package, is built without the race
// detector's instrumentation.
package programs

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
)

// A Program is a program whose verdict is known.
type Program struct {
	Name    string
	Verdict explore.Verdict
	Kind    explore.Kind
	Run     func(*explore.T)
}

// Canaries returns one program for each kind of verdict that the explorer must give.
func Canaries() []Program {
	return []Program{
		{"lost update", explore.Violated, explore.KindCheck, LostUpdate},
		{"counter", explore.Holds, "", func(t *explore.T) {
			var n atomic.Int64
			for i := range 2 {
				t.Go(fmt.Sprint("adder ", i), func() { n.Add(1) })
			}
			t.Wait()
			if n.Load() != 2 {
				t.Errorf("n is %d, want 2", n.Load())
			}
		}},
		{"lock order", explore.Violated, explore.KindDeadlock, func(t *explore.T) {
			var a, b sync.Mutex
			//lint:ignore SA2001 the order is all that matters
			t.Go("ab", func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() })
			//lint:ignore SA2001 the order is all that matters
			t.Go("ba", func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() })
			t.Wait()
		}},
		{"map without lock", explore.Violated, explore.KindRace, func(t *explore.T) {
			m := map[string]int{}
			t.Go("first", func() { m["a"] = 1 })
			t.Go("second", func() { m["b"] = 2 })
			t.Wait()
		}},
		{"map with lock", explore.Holds, "", func(t *explore.T) {
			m := map[string]int{}
			var mu sync.Mutex
			t.Go("first", func() { mu.Lock(); defer mu.Unlock(); m["a"] = 1 })
			t.Go("second", func() { mu.Lock(); defer mu.Unlock(); m["b"] = 2 })
			t.Wait()
		}},
		{"panic", explore.Violated, explore.KindPanic, func(t *explore.T) {
			t.Go("panics", func() { var s []int; _ = s[len(s)] })
			t.Wait()
		}},
		{"fatal", explore.Violated, explore.KindFatal, func(t *explore.T) {
			var mu sync.Mutex
			t.Go("unlocks", func() { mu.Unlock() })
			t.Wait()
		}},
		{"leak", explore.Violated, explore.KindLeak, func(t *explore.T) {
			c := make(chan int)
			go func() { <-c }()
		}},
		{"channels", explore.Violated, explore.KindDeadlock, func(t *explore.T) {
			a, b := make(chan int), make(chan int)
			t.Go("first", func() { a <- 1; <-b })
			t.Go("second", func() { b <- 1; <-a })
			t.Wait()
		}},
		{"nothing", explore.Unknown, "", func(t *explore.T) {}},
	}
}

// LostUpdate adds to a counter by loading and storing it.
func LostUpdate(t *explore.T) {
	var n atomic.Int64
	for i := range 2 {
		t.Go(fmt.Sprint("adder ", i), func() { v := n.Load(); n.Store(v + 1) })
	}
	t.Wait()
	if n.Load() != 2 {
		t.Errorf("n is %d, want 2", n.Load())
	}
}

// UnlockedCounter adds to a plain variable.
func UnlockedCounter(t *explore.T) {
	n := 0
	for i := range 2 {
		t.Go(fmt.Sprint("adder ", i), func() { n++ })
	}
	t.Wait()
	if n != 2 {
		t.Errorf("n is %d, want 2", n)
	}
}

// Touch has two goroutines use one atomic variable, and never fails.
func Touch(t *explore.T) {
	var n atomic.Int64
	t.Go("one", func() { n.Add(1) })
	t.Go("two", func() { n.Add(1) })
	t.Wait()
}

// Sharing has two goroutines add twice each, to one variable or to one each.
func Sharing(variables int) func(*explore.T) {
	return func(t *explore.T) {
		a := make([]atomic.Int64, variables)
		for i, name := range []string{"one", "two"} {
			t.Go(name, func() {
				a[i%variables].Store(1)
				a[i%variables].Store(1)
			})
		}
		t.Wait()
	}
}

// HalfGuarded has two goroutines add to one variable. Only one of them holds the lock
// b. Before that both have held other locks.
func HalfGuarded(t *explore.T) {
	var a, b sync.Mutex
	var c sync.RWMutex
	n := 0
	t.Go("one", func() {
		a.Lock()
		b.Lock()
		a.Unlock()
		n++
		b.Unlock()
	})
	t.Go("two", func() {
		func() {
			c.RLock()
			defer c.RUnlock()
			c.RLock()
			defer c.RUnlock()
		}()
		n++
	})
	t.Wait()
}

// MethodValues starts goroutines that run a method of package sync and nothing
// else. The lock is taken first or last.
func MethodValues(t *explore.T) {
	var mu sync.Mutex
	t.Go("locks", mu.Lock)
	t.Go("tries", func() {
		if !mu.TryLock() {
			t.Errorf("the lock was taken")
		}
	})
	t.Wait()
}
