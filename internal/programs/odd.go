package programs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/explore"
)

// Odd returns programs that use features of Go which are hard to control.
func Odd() []Program {
	return []Program{
		{"spin", explore.Holds, "", func(t *explore.T) {
			var ready atomic.Bool
			t.Go("spinner", func() {
				for !ready.Load() {
				}
			})
			t.Go("setter", func() { ready.Store(true) })
			t.Wait()
		}},
		{"spin with Gosched", explore.Holds, "", func(t *explore.T) {
			var ready atomic.Bool
			t.Go("spinner", func() {
				for !ready.Load() {
					runtime.Gosched()
				}
			})
			t.Go("setter", func() { ready.Store(true) })
			t.Wait()
		}},
		{"never", explore.Violated, explore.KindLivelock, func(t *explore.T) {
			var ready atomic.Bool
			t.Go("spinner", func() {
				for !ready.Load() {
				}
			})
			t.Go("other", func() { ready.Load() })
			t.Wait()
		}},
		{"timeouts", explore.Holds, "", func(t *explore.T) {
			began := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			t.Go("sleeper", func() { time.Sleep(2 * time.Hour) })
			t.Go("waiter", func() {
				select {
				case <-ctx.Done():
				case <-time.After(90 * time.Minute):
					t.Errorf("the context came too late")
				}
				if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
					t.Errorf("got %v", ctx.Err())
				}
			})
			t.Wait()
			if d := time.Since(began); d != 2*time.Hour {
				t.Errorf("took %v, want 2h", d)
			}
		}},
		{"sleep under a lock", explore.Holds, "", func(t *explore.T) {
			var mu sync.Mutex
			for _, name := range []string{"one", "two"} {
				t.Go(name, func() {
					mu.Lock()
					defer mu.Unlock()
					time.Sleep(time.Minute)
				})
			}
			t.Wait()
		}},
		{"ticker", explore.Holds, "", func(t *explore.T) {
			tick := time.NewTicker(time.Second)
			defer tick.Stop()
			var n atomic.Int32
			t.Go("other", func() { n.Add(1) })
			for range 3 {
				<-tick.C
			}
			t.Wait()
		}},
		{"select", explore.Violated, explore.KindCheck, func(t *explore.T) {
			a, b := make(chan int, 1), make(chan int, 1)
			a <- 1
			b <- 2
			select {
			case <-a:
			case <-b:
				t.Errorf("took b")
			}
		}},
		{"file", explore.Holds, "", func(t *explore.T) {
			name := filepath.Join(t.TempDir(), "file")
			var mu sync.Mutex
			for _, text := range []string{"one", "two"} {
				t.Go("writer "+text, func() {
					mu.Lock()
					defer mu.Unlock()
					if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
						t.Error(err)
					}
				})
			}
			t.Wait()
			if b, err := os.ReadFile(name); err != nil || len(b) != 3 {
				t.Errorf("got %q, %v", b, err)
			}
		}},
		{"recover", explore.Holds, "", func(t *explore.T) {
			var n atomic.Int32
			for range 2 {
				t.Go("panics", func() {
					defer func() { _ = recover(); n.Add(1) }()
					panic("caught")
				})
			}
			t.Wait()
			if n.Load() != 2 {
				t.Errorf("got %d", n.Load())
			}
		}},
		{"deep recursion", explore.Violated, explore.KindFatal, func(t *explore.T) {
			var f func(n int) int
			f = func(n int) int { return f(n+1) + n }
			t.Go("recurses", func() { f(0) })
			t.Wait()
		}},
		{"condition", explore.Violated, explore.KindDeadlock, func(t *explore.T) {
			var mu sync.Mutex
			ready := false
			c := sync.NewCond(&mu)
			t.Go("waiter", func() {
				mu.Lock()
				r := ready
				mu.Unlock()
				if !r {
					mu.Lock()
					c.Wait()
					mu.Unlock()
				}
			})
			t.Go("signaller", func() {
				mu.Lock()
				ready = true
				mu.Unlock()
				c.Signal()
			})
			t.Wait()
		}},
		{"coroutine", explore.Holds, "", func(t *explore.T) {
			var n atomic.Int32
			seq := func(yield func(int) bool) {
				for i := range 3 {
					n.Add(1)
					if !yield(i) {
						return
					}
				}
			}
			t.Go("puller", func() {
				for range seq {
					n.Add(1)
				}
			})
			t.Go("other", func() { n.Add(1) })
			t.Wait()
			if n.Load() != 7 {
				t.Errorf("got %d", n.Load())
			}
		}},
		{"many goroutines", explore.Holds, "", func(t *explore.T) {
			var wg sync.WaitGroup
			var n atomic.Int32
			for range 200 {
				wg.Go(func() { n.Add(1) })
			}
			wg.Wait()
			if n.Load() != 200 {
				t.Errorf("got %d", n.Load())
			}
		}},
		{"goexit", explore.Holds, "", func(t *explore.T) {
			var n atomic.Int32
			t.Go("exits", func() { n.Add(1); runtime.Goexit() })
			t.Go("other", func() { n.Add(1) })
			t.Wait()
		}},
	}
}

// SelectAndGoOn takes two of three values, each in turn with a select, and
// touches an atomic variable after each.
func SelectAndGoOn(t *explore.T) {
	a, b, c := make(chan int, 1), make(chan int, 1), make(chan int, 1)
	a <- 1
	b <- 2
	c <- 3
	var n atomic.Int32
	for range 2 {
		select {
		case <-a:
		case <-b:
		case <-c:
		}
		n.Add(1)
	}
}
