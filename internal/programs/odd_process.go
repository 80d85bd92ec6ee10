package programs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
)

// Process returns programs that affect the whole process, or end in
// an unusual way.
func Process() []Program {
	return []Program{
		{"os.Exit", explore.Violated, explore.KindExit, func(t *explore.T) {
			var n atomic.Int32
			t.Go("exits", func() {
				if n.Add(1) == 2 {
					os.Exit(3)
				}
			})
			t.Go("other", func() { n.Add(1) })
			t.Wait()
		}},
		{"os.Exit(0) in the body", explore.Violated, explore.KindExit, func(t *explore.T) {
			defer t.Errorf("a deferred call has run")
			os.Exit(0)
		}},
		{"log.Fatal", explore.Violated, explore.KindExit, func(t *explore.T) {
			l := log.New(io.Discard, "", 0)
			t.Go("fatal", func() { l.Fatal("no more") })
			t.Wait()
		}},
		{"Goexit in the body", explore.Violated, explore.KindCheck, func(t *explore.T) {
			t.Go("other", func() {})
			runtime.Goexit()
		}},
		{"Goexit with a lock held", explore.Violated, explore.KindDeadlock, func(t *explore.T) {
			var mu sync.Mutex
			t.Go("exits", func() { mu.Lock(); runtime.Goexit() })
			t.Go("locks", func() { mu.Lock(); mu.Unlock() }) //lint:ignore SA2001 it is all it does
			t.Wait()
		}},
		{"FailNow in another goroutine", explore.Violated, explore.KindCheck, func(t *explore.T) {
			t.Go("fails", func() { t.FailNow(); panic("goes on") })
			t.Wait()
		}},
		{"collections", explore.Holds, "", func(t *explore.T) {
			for range 2 {
				t.Go("collects", func() { runtime.GC(); debug.FreeOSMemory() })
			}
			t.Wait()
		}},
		{"settings", explore.Holds, "", func(t *explore.T) {
			old := debug.SetGCPercent(10)
			procs := runtime.GOMAXPROCS(4)
			for range 2 {
				t.Go("allocates", func() {
					for range 100 {
						garbage.Store(new([4096]byte))
					}
				})
			}
			t.Wait()
			runtime.GOMAXPROCS(procs)
			debug.SetGCPercent(old)
		}},
		{"settings kept", explore.Holds, "", func(t *explore.T) {
			debug.SetGCPercent(10)
			t.Go("allocates", func() {
				for range 100 {
					garbage.Store(new([4096]byte))
				}
			})
			t.Wait()
		}},
		{"panic in Error", explore.Violated, explore.KindPanic, func(t *explore.T) {
			t.Go("panics", func() { panic(badError{}) })
			t.Wait()
		}},
		{"panic(nil)", explore.Violated, explore.KindPanic, func(t *explore.T) {
			t.Go("panics", func() { panic(nil) })
			t.Wait()
		}},
		{"panic with much to say", explore.Violated, explore.KindPanic, func(t *explore.T) {
			t.Go("panics", func() { panic(strings.Repeat("much\n", 1<<20)) })
			t.Wait()
		}},
		{"panic again", explore.Violated, explore.KindPanic, func(t *explore.T) {
			t.Go("panics", func() {
				defer func() { panic(fmt.Errorf("again: %v", recover())) }()
				panic(errors.New("once"))
			})
			t.Wait()
		}},
		{"all asleep", explore.Violated, explore.KindDeadlock, func(t *explore.T) {
			for range 3 {
				t.Go("sleeps", func() { select {} })
			}
			t.Wait()
		}},
		{"an exploration inside", explore.Violated, explore.KindCheck, func(t *explore.T) {
			if _, err := explore.Run(context.Background(), explore.Config{}, Touch); err != nil {
				t.Error(err)
			}
		}},
		{"much output", explore.Holds, "", func(t *explore.T) {
			t.Go("one", func() { fmt.Fprint(io.Discard, strings.Repeat("x", 1<<20)) })
			t.Go("two", func() { t.Log(strings.Repeat("x", 1<<16)) })
			t.Wait()
		}},
	}
}

// garbage keeps allocations from being optimised away.
var garbage atomic.Pointer[[4096]byte]

type badError struct{}

func (badError) Error() string { panic("there is no text") }

// Never loops for ever without a scheduling point.
func Never(t *explore.T) {
	t.Go("never", func() {
		for n := 0; ; n++ {
			if n < 0 {
				n = 0
			}
		}
	})
	t.Wait()
}

// Many starts n goroutines that add to a counter.
func Many(n int) func(*explore.T) {
	return func(t *explore.T) {
		var wg sync.WaitGroup
		var sum atomic.Int64
		for range n {
			wg.Go(func() { sum.Add(1) })
		}
		wg.Wait()
		if sum.Load() != int64(n) {
			t.Errorf("got %d, want %d", sum.Load(), n)
		}
	}
}

// Long has two goroutines take n steps together.
func Long(n int) func(*explore.T) {
	return func(t *explore.T) {
		var sum atomic.Int64
		for _, name := range []string{"one", "two"} {
			t.Go(name, func() {
				for range n / 2 {
					sum.Add(1)
				}
			})
		}
		t.Wait()
		if sum.Load() != int64(n) {
			t.Errorf("got %d, want %d", sum.Load(), n)
		}
	}
}

// Deep recurses to the given depth, and returns.
func Deep(calls int) func(*explore.T) {
	return func(t *explore.T) {
		var n atomic.Int64
		var f func(left int)
		f = func(left int) {
			if left > 0 {
				f(left - 1)
				return
			}
			n.Add(1)
		}
		for range 2 {
			t.Go("recurses", func() { f(calls) })
		}
		t.Wait()
		if n.Load() != 2 {
			t.Errorf("got %d, want 2", n.Load())
		}
	}
}
